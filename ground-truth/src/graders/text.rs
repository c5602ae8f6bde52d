//! How texts are made comparable.

use std::collections::BTreeMap;

/// Filler words allowed around a name, path, number or span.
const FRAME: [&str; 52] = [
    "a",
    "about",
    "agent",
    "agents",
    "all",
    "an",
    "and",
    "answer",
    "approximately",
    "are",
    "around",
    "been",
    "by",
    "call",
    "called",
    "calls",
    "changed",
    "edited",
    "file",
    "files",
    "for",
    "in",
    "is",
    "it",
    "its",
    "last",
    "lasted",
    "main",
    "most",
    "name",
    "named",
    "often",
    "of",
    "on",
    "or",
    "path",
    "roughly",
    "run",
    "session",
    "that",
    "the",
    "there",
    "this",
    "time",
    "times",
    "tool",
    "tools",
    "took",
    "used",
    "was",
    "were",
    "with",
];

/// Marks allowed around a whole answer, or around a quoted part of it.
pub(super) const MARKS: [(&str, &str); 7] = [
    ("**", "**"),
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("\u{201c}", "\u{201d}"),
    ("\u{2018}", "\u{2019}"),
    ("\u{ab}", "\u{bb}"),
];

/// The text without white space, a Markdown fence, and marks around the whole of it.
pub(super) fn unwrapped(text: &str) -> &str {
    let mut inner = text.trim();
    loop {
        let next = without_fence(inner).or_else(|| without_marks(inner));
        match next {
            Some(next) => inner = next.trim(),
            None => return inner,
        }
    }
}

/// What a Markdown fence around the whole of a text holds.
pub(super) fn without_fence(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    match inner.split_once('\n') {
        // What follows the opening fence on its line is the language, if it is one word.
        Some((language, rest)) if !language.trim().contains(char::is_whitespace) => Some(rest),
        _ => Some(inner),
    }
}

fn without_marks(text: &str) -> Option<&str> {
    MARKS.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.is_empty() && !inner.contains(open) && !inner.contains(close)).then_some(inner)
    })
}

/// The words of a text: its longest runs of letters and digits, in lower case.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|char: char| !char.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The token F1 of two texts as a fraction: twice the words in common, over the words of both. Zero over
/// zero if neither has any.
pub(super) fn token_f1(left: &[String], right: &[String]) -> (u64, u64) {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for word in left {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut common = 0;
    for word in right {
        if let Some(count) = counts.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    (2 * common, (left.len() + right.len()) as u64)
}

/// The pieces of a text between white space that are not only part of a frame, without the punctuation
/// around them. Case is kept.
pub(super) fn unframed(text: &str) -> Vec<&str> {
    let is_around = |char: char| ",;:!?()[]{}\"'`*\u{201c}\u{201d}\u{2018}\u{2019}".contains(char);
    text.split_whitespace()
        .map(|piece| {
            piece.trim_matches(is_around).trim_end_matches('.').trim_end_matches(is_around)
        })
        .filter(|piece| !piece.is_empty() && !FRAME.contains(&piece.to_lowercase().as_str()))
        .collect()
}

/// Whether a text says that what it names is not it.
pub(super) fn is_negated(text: &str) -> bool {
    const NEGATIONS: [&str; 8] =
        ["not", "no", "never", "neither", "nor", "cannot", "except", "without"];
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    lower.contains("n't") || tokens(&lower).iter().any(|word| NEGATIONS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_marks_are_dropped_from_the_whole_only() {
        assert_eq!(unwrapped(" ```json\n[\"a\"]\n``` "), "[\"a\"]");
        assert_eq!(unwrapped("```\n`Bash`\n```"), "Bash");
        assert_eq!(unwrapped("```Bash```"), "Bash");
        assert_eq!(unwrapped("\"a\" and \"b\""), "\"a\" and \"b\"");
        assert_eq!(unwrapped("```"), "```");
        assert_eq!(unwrapped("\"\""), "\"\"");
        assert_eq!(unwrapped("**\u{201c}x y\u{201d}**"), "x y");
    }

    #[test]
    fn f1_counts_each_word_as_often_as_it_is_there() {
        let f1 = |left, right| token_f1(&tokens(left), &tokens(right));
        assert_eq!(f1("Fix it, fix it", "fix IT"), (4, 6));
        assert_eq!(f1("a b", "c"), (0, 3));
        assert_eq!(f1("?", ""), (0, 0));
    }

    #[test]
    fn a_frame_says_nothing() {
        assert_eq!(unframed("The most used tool is `Bash` (41 calls)."), ["Bash", "41"]);
        assert_eq!(unframed("It was src/a.rs."), ["src/a.rs"]);
        assert!(
            is_negated("it isn\u{2019}t Bash") && is_negated("Not Bash") && !is_negated("Bash")
        );
    }
}
