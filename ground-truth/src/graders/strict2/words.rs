//! Numbers in words.

use rust_decimal::Decimal;

use crate::answers::{ONES, TENS};

const TIMES: &[&str] = &["once", "twice", "thrice"];

/// Whether a word is a number, or a part of one.
pub(super) fn is_number_word(word: &str) -> bool {
    word.split('-').all(|part| ones(part).is_some() || tens(part).is_some())
        || TIMES.contains(&word)
}

fn ones(word: &str) -> Option<u64> {
    ONES.iter().position(|one| *one == word).map(|at| at as u64)
}

fn tens(word: &str) -> Option<u64> {
    TENS.iter().position(|ten| *ten == word).map(|at| 10 * (at as u64 + 2))
}

/// The number that some words begin with, and how many of them it takes.
pub(super) fn number(words: &[&str]) -> Option<(Decimal, usize)> {
    if let Some(times) = words.first().and_then(|word| TIMES.iter().position(|it| it == word)) {
        return Some((Decimal::from(times as u64 + 1), 1));
    }
    let mut total = 0_u64;
    let mut taken = 0;
    let mut limit = u64::MAX;
    loop {
        let begin = taken;
        let mut at = taken;
        // "two thousand and five"
        if taken > 0 && words.get(at) == Some(&"and") {
            at += 1;
        }
        let Some((value, length)) = below_thousand(&words[at..]) else { break };
        let (scale, more) = match words.get(at + length) {
            Some(&"thousand") => (1_000, 1),
            Some(&"million") => (1_000_000, 1),
            Some(&"dozen") if taken == 0 => (12, 1),
            _ => (1, 0),
        };
        if scale >= limit || (taken > 0 && value == 0) {
            break;
        }
        total = total.checked_add(value.checked_mul(scale)?)?;
        taken = at + length + more;
        limit = scale;
        if scale == 1 || scale == 12 || taken == begin {
            break;
        }
    }
    (taken > 0).then(|| (Decimal::from(total), taken))
}

fn below_thousand(words: &[&str]) -> Option<(u64, usize)> {
    let article = |word: Option<&&str>| matches!(word, Some(&("a" | "an")));
    let scales = ["hundred", "thousand", "million", "dozen"];
    let (head, length) = if article(words.first()) {
        words.get(1).filter(|word| scales.contains(word))?;
        (1, 1)
    } else {
        below_hundred(words)?
    };
    if words.get(length) != Some(&"hundred") || !(1..10).contains(&head) {
        return Some((head, length));
    }
    let after = length + 1;
    let joint = usize::from(words.get(after) == Some(&"and"));
    match words.get(after + joint..).and_then(below_hundred) {
        Some((rest, more)) if rest > 0 => Some((head * 100 + rest, after + joint + more)),
        _ => Some((head * 100, after)),
    }
}

fn below_hundred(words: &[&str]) -> Option<(u64, usize)> {
    let first = words.first()?;
    if let Some(value) = ones(first) {
        return Some((value, 1));
    }
    let ten = tens(first)?;
    match words.get(1).and_then(|word| ones(word)).filter(|one| (1..10).contains(one)) {
        Some(one) => Some((ten + one, 2)),
        None => Some((ten, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        for (text, value, taken) in [
            ("three turns", 3, 1),
            ("twenty five minutes", 25, 2),
            ("a hundred and five calls", 105, 4),
            ("four thousand five hundred tokens", 4500, 4),
            ("two thousand and five", 2005, 4),
            ("one million two hundred thousand", 1_200_000, 5),
            ("a dozen", 12, 2),
            ("seven eight", 7, 1),
            ("twice", 2, 1),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(number(&words), Some((Decimal::from(value), taken)), "{text}");
        }
        for text in ["a", "third", "hundreds", "and five", "thousand"] {
            assert_eq!(number(&text.split(' ').collect::<Vec<_>>()), None, "{text}");
        }
    }
}
