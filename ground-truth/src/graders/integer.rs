//! Integers: exact, or within the tolerance that the question states.

use super::grade::{Grade, Reason};
use super::reply::Reply;
use super::rules::{Numbers, Rules};
use super::text::{is_negated, tokens, unwrapped};
use crate::answers::{ONES, TENS, Tolerance};

/// Words that make a number a bound or one of several.
const HEDGES: [&str; 11] = [
    "least", "most", "over", "under", "than", "between", "or", "maybe", "perhaps", "guess",
    "unsure",
];

pub(super) fn grade(rules: &Rules, truth: u64, tolerance: Tolerance, reply: &Reply) -> Grade {
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let readings = reply.readings();
    let numbers: Vec<_> = readings.iter().map(|text| number(rules, text, tolerance)).collect();
    match numbers.iter().find_map(|number| number.ok()) {
        Some(number) => Grade::right_if(tolerance.accepts(number, truth)),
        None => Grade::none(match numbers.last() {
            Some(Err(reason)) => *reason,
            _ => Reason::Unreadable,
        }),
    }
}

/// The integer that a text gives.
pub(super) fn number(rules: &Rules, text: &str, tolerance: Tolerance) -> Result<i128, Reason> {
    let text = unwrapped(text);
    let found = numbers(text, !tolerance.is_none());
    let first = found.first().copied();
    match rules.numbers {
        Numbers::First => first.flatten().ok_or(Reason::Unreadable),
        Numbers::Only => {
            if let Some(value) = in_words(text) {
                return Ok(value);
            }
            if found.len() > 1 {
                return Err(Reason::Several);
            }
            let words = tokens(text);
            if is_negated(text) || words.iter().any(|word| HEDGES.contains(&word.as_str())) {
                return Err(Reason::Unreadable);
            }
            first.flatten().ok_or(Reason::Unreadable)
        }
    }
}

/// The numbers that stand in a text on their own, each with its value if that is an integer. With
/// `suffixes`, `k` and `m` stand for thousands and millions.
fn numbers(text: &str, suffixes: bool) -> Vec<Option<i128>> {
    let is_part =
        |char: char| char.is_alphanumeric() || matches!(char, '.' | ',' | '_' | '-' | '+');
    let pieces = text.split(|char: char| !is_part(char));
    let pieces = pieces.map(|piece| piece.trim_end_matches(['.', ',', '-']));
    // "0,1,2" is three numbers, "1,234" is one.
    let pieces = pieces.flat_map(|piece| {
        if plain(piece).is_some() { vec![piece] } else { piece.split(',').collect() }
    });
    pieces
        .filter(|piece| piece.chars().any(|char| char.is_ascii_digit()))
        .filter(|piece| !piece.contains('_'))
        .map(|piece| (piece, scaled(piece, suffixes)))
        .filter(|(piece, value)| value.is_some() || !piece.chars().any(char::is_alphabetic))
        .map(|(_, value)| value)
        .collect()
}

fn scaled(piece: &str, suffixes: bool) -> Option<i128> {
    let lower = piece.to_lowercase();
    for (suffix, zeros) in [("k", 3), ("m", 6)] {
        if let Some(digits) = lower.strip_suffix(suffix).filter(|_| suffixes) {
            return decimal(digits, zeros);
        }
    }
    decimal(&lower, 0)
}

/// A decimal times ten to the power of `zeros`, if that is an integer.
fn decimal(text: &str, zeros: usize) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > zeros || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole = plain(whole)?;
    let padded = format!("{fraction:0<zeros$}");
    let rest: i128 = if padded.is_empty() { 0 } else { padded.parse().ok()? };
    let scale = 10_i128.checked_pow(u32::try_from(zeros).ok()?)?;
    let scaled = whole.checked_mul(scale)?;
    scaled.checked_add(if whole < 0 { -rest } else { rest })
}

/// An integer, with commas between groups of three digits or without.
fn plain(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let groups: Vec<&str> = digits.split(',').collect();
    let is_digits =
        |group: &&str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = groups.len() == 1
        || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
    if !groups.iter().all(is_digits) || !grouped {
        return None;
    }
    let value: i128 = groups.concat().parse().ok()?;
    Some(if text.starts_with('-') { -value } else { value })
}

/// A number from zero to ninety-nine that is all of a text, in words.
fn in_words(text: &str) -> Option<i128> {
    let words = tokens(text);
    let at = |words: &[&str], word: &String| words.iter().position(|known| known == word);
    let value = match words.as_slice() {
        [word] => match (at(&ONES, word), at(&TENS, word)) {
            (Some(one), _) => one,
            (None, tens) => 10 * (tens? + 2),
        },
        [tens, one] => {
            10 * (at(&TENS, tens)? + 2) + at(&ONES, one).filter(|one| (1..10).contains(one))?
        }
        _ => return None,
    };
    i128::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graders::rules::{PAPER, STRICT};

    fn strict(text: &str) -> Option<i128> {
        number(&STRICT, text, Tolerance::default()).ok()
    }

    #[test]
    fn the_only_number_of_a_text_is_its_number() {
        for (text, value) in [
            ("7", 7),
            ("There are 7 turns.", 7),
            ("**7**", 7),
            ("7.0", 7),
            ("1,234", 1234),
            ("seven", 7),
            ("Forty-two", 42),
            ("-7", -7),
            ("claude-3 made 12 calls", 12),
        ] {
            assert_eq!(strict(text), Some(value), "{text}");
        }
        for text in [
            "7.5",
            "7 or 8",
            "0,1,2",
            "not 7",
            "at least 7",
            "7 of 9",
            "seventh",
            "7th",
            "",
            "1,23",
            "seven eight",
            "isn't 7",
            "3/4",
            "\u{0667}",
            "99999999999999999999999999999999999999999",
        ] {
            assert_eq!(strict(text), None, "{text}");
        }
    }

    #[test]
    fn thousands_are_written_short_where_they_need_not_be_exact() {
        let rules = STRICT;
        let near = Tolerance { absolute: 0, percent: 1 };
        assert_eq!(number(&rules, "12.3k tokens", near), Ok(12_300));
        assert_eq!(number(&rules, "1.25M", near), Ok(1_250_000));
        assert!(number(&rules, "12.3k", Tolerance::default()).is_err());
    }

    #[test]
    fn the_first_number_is_enough_for_the_lenient_rules() {
        let rules = PAPER;
        assert_eq!(number(&rules, "7 or 8", Tolerance::default()), Ok(7));
        assert!(number(&rules, "seven", Tolerance::default()).is_err());
    }
}
