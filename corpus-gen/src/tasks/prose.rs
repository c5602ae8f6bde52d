//! prosechain: a chain stated in prose, in varied wording, so that no `key = value` line holds a value
//! and one role has several names. Numbers are digits; no other digit occurs in a page.

use std::collections::BTreeMap;

use super::chain::{DELTA, disabled, how_to_answer, links, prefixes, values};
use super::check::{Check, Statistic};
use super::places::{paths, word};
use super::spec::TaskSpec;
use super::{ANSWER_FILE, Task};
use crate::rng::Draw;
use crate::text::names::{adjective, verb};

/// What pages call a link's value, with the article.
pub const VALUE_ROLES: [(&str, &str); 8] = [
    ("a", "delta"),
    ("an", "adjustment"),
    ("a", "change"),
    ("an", "increment"),
    ("an", "amount"),
    ("a", "contribution"),
    ("a", "correction"),
    ("a", "surplus"),
];

/// How a page states its value: ROLE, A ROLE (with its article) and N are filled in.
pub const VALUE_SENTENCES: [&str; 8] = [
    "The ROLE recorded on this page is N.",
    "Note N as the ROLE of this stop.",
    "This page carries A ROLE of N.",
    "Of all that is written here only the ROLE counts, and it is N.",
    "A ROLE of N was agreed upon.",
    "Whoever keeps the books should take N for the ROLE.",
    "N is the ROLE that was entered here.",
    "They settled on N; that is the ROLE.",
];

/// How a page names the page after it: PATH is filled in.
pub const NEXT_SENTENCES: [&str; 8] = [
    "Continue with `PATH`.",
    "The trail leads on to `PATH`.",
    "What follows is kept in `PATH`.",
    "After this, turn to `PATH`.",
    "The page after this one is `PATH`.",
    "Go on to `PATH` from here.",
    "You will find more in `PATH`.",
    "`PATH` is where it goes on.",
];

/// What the last page says.
pub const END_SENTENCE: &str = "The trail ends here.";

pub(super) fn task(spec: TaskSpec) -> Task {
    let values = values(spec, false);
    let paths = paths(&mut spec.draw("paths"), "pages", "txt", values.len());
    let mut wording = spec.draw("wording");
    let mut files = BTreeMap::new();
    let mut roles = Vec::with_capacity(values.len());
    for (at, (path, value)) in paths.iter().zip(&values).enumerate() {
        let role = *wording.pick(&VALUE_ROLES);
        let next = paths.get(at + 1).map(String::as_str);
        files.insert(path.clone(), page(&mut wording, role, *value, next));
        roles.push(role.1);
    }
    Task {
        goal: goal(&paths[0]),
        files,
        disabled: disabled(),
        statistic: Statistic::Sum { key: DELTA },
        check: Check::Total { path: ANSWER_FILE.to_owned(), prefixes: prefixes(&values, false) },
        links: links(&paths, &values, |at| roles[at]),
        spec,
    }
}

/// Three sentences in a drawn order: the value, the way on, and one that says nothing.
fn page(draw: &mut Draw, role: (&str, &str), value: i64, next: Option<&str>) -> String {
    let mut sentences = [value_sentence(draw, role, value), next_sentence(draw, next), idle(draw)];
    draw.shuffle(&mut sentences);
    let mut page = sentences.join(" ");
    page.push('\n');
    page
}

fn value_sentence(draw: &mut Draw, (article, role): (&str, &str), value: i64) -> String {
    let sentence = draw.pick(&VALUE_SENTENCES);
    let with_article = if sentence.starts_with("A ROLE") {
        format!("{}{}", article[..1].to_uppercase(), &article[1..])
    } else {
        article.to_owned()
    };
    let sentence = sentence.replacen("A ROLE", &format!("{with_article} ROLE"), 1);
    // N stands alone; no other word of a sentence is it.
    let words = sentence.split(' ').map(|word| match word.strip_prefix('N') {
        Some(rest) if rest.chars().all(|c| c.is_ascii_punctuation()) => format!("{value}{rest}"),
        _ => word.replacen("ROLE", role, 1),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn next_sentence(draw: &mut Draw, next: Option<&str>) -> String {
    let sentence = draw.pick(&NEXT_SENTENCES);
    next.map_or_else(|| END_SENTENCE.to_owned(), |path| sentence.replacen("PATH", path, 1))
}

fn idle(draw: &mut Draw) -> String {
    format!(
        "Some would {} the {} {} by the {}.",
        verb(draw),
        adjective(draw),
        word(draw),
        word(draw)
    )
}

fn goal(start: &str) -> String {
    format!(
        "The files in `pages/` form a trail. Each page states one number in a sentence, in varied \
         wording, and names the page after it between backquotes; the last one says that the trail ends \
         here. Start with `{start}` and follow the trail to its end. Add up the numbers of all pages. {}",
        how_to_answer()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wording_is_well_formed() {
        let mut draw = Draw::new("t", 1, "prose");
        for _ in 0..400 {
            let role = *draw.pick(&VALUE_ROLES);
            let sentence = value_sentence(&mut draw, role, 42);
            assert!(!sentence.contains("ROLE") && !sentence.contains(" N "), "{sentence}");
            assert!(sentence.contains("42") && sentence.contains(role.1), "{sentence}");
            let wrong = if role.0 == "a" { "n " } else { " " };
            for article in ["A", " a"] {
                assert!(!sentence.contains(&format!("{article}{wrong}{}", role.1)), "{sentence}");
            }
        }
    }
}
