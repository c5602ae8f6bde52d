//! How texts are made comparable.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use crate::graders::text::without_fence;

/// Marks allowed around an answer or a part of it.
const AROUND: [(&str, &str); 15] = [
    ("***", "***"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
    ("``", "``"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("\u{201c}", "\u{201d}"),
    ("\u{201e}", "\u{201c}"),
    ("\u{2018}", "\u{2019}"),
    ("\u{ab}", "\u{bb}"),
    ("\u{300c}", "\u{300d}"),
    ("<code>", "</code>"),
];

/// Filler words allowed around a name, path or id.
const FRAME: &[&str] = &[
    "a",
    "about",
    "added",
    "agent",
    "agents",
    "all",
    "an",
    "and",
    "answer",
    "approximately",
    "are",
    "around",
    "at",
    "been",
    "being",
    "by",
    "call",
    "called",
    "calls",
    "changed",
    "changes",
    "count",
    "counts",
    "created",
    "edit",
    "edited",
    "edits",
    "file",
    "filename",
    "files",
    "following",
    "for",
    "frequent",
    "frequently",
    "had",
    "has",
    "have",
    "id",
    "ids",
    "in",
    "invoked",
    "invocations",
    "is",
    "it",
    "its",
    "it's",
    "last",
    "lasted",
    "made",
    "main",
    "modified",
    "most",
    "name",
    "named",
    "names",
    "new",
    "often",
    "of",
    "on",
    "once",
    "or",
    "over",
    "overall",
    "path",
    "paths",
    "roughly",
    "run",
    "session",
    "shared",
    "that",
    "that's",
    "the",
    "these",
    "there",
    "they",
    "this",
    "those",
    "tie",
    "tied",
    "time",
    "times",
    "to",
    "tool",
    "tool's",
    "tools",
    "took",
    "total",
    "totaling",
    "totalling",
    "twice",
    "updated",
    "use",
    "used",
    "uses",
    "via",
    "was",
    "were",
    "which",
    "whole",
    "with",
    "writes",
    "written",
    "wrote",
    "x",
    "\u{d7}",
];

/// The text in canonical composition, without marks that nobody sees.
pub(super) fn composed(text: &str) -> String {
    // ASCII is composed, and all of it can be seen or is white space.
    if text.is_ascii() {
        return text.to_owned();
    }
    let hidden = |char: char| matches!(char, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    text.nfc().filter(|char| !hidden(*char)).collect()
}

/// Composed, in lower case, with straight quotes and every run of white space as one space.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return spaced_once(text).to_ascii_lowercase();
    }
    spaced_once(&straight(&composed(text)).to_lowercase())
}

/// With every run of white space as one space.
fn spaced_once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// With straight quotation marks and apostrophes.
pub(super) fn straight(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.replace(['\u{2018}', '\u{2019}', '\u{201a}', '\u{2032}', '\u{2bc}'], "'")
        .replace(['\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'], "\"")
}

/// The text without white space, a Markdown fence, a heading's sign, and marks around the whole.
pub(super) fn bare(text: &str) -> &str {
    let mut inner = text.trim();
    loop {
        let next = without_fence(inner).or_else(|| without_sign(inner)).or_else(|| {
            AROUND.iter().find_map(|(open, close)| {
                let inside = inner.strip_prefix(open)?.strip_suffix(close)?;
                (!inside.trim().is_empty() && !inside.contains(open) && !inside.contains(close))
                    .then_some(inside)
            })
        });
        match next {
            Some(next) => inner = next.trim(),
            None => return inner,
        }
    }
}

/// Of one line: without the sign of a heading. (That of a quote may mean "more than".)
fn without_sign(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    (rest.len() < text.len() && rest.starts_with(' ') && !text.contains('\n')).then_some(rest)
}

/// The pieces of a text between white space that are not only part of a frame and no mere dash, without the
/// punctuation around them. Case is kept.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    all_pieces(text).into_iter().filter(|piece| !is_frame(piece)).collect()
}

/// The same with those that are only part of a frame.
pub(super) fn all_pieces(text: &str) -> Vec<&str> {
    let is_around = |char: char| ",;:!|()[]{}\"'`*=\u{201c}\u{201d}\u{2018}\u{2019}".contains(char);
    let is_dash = |piece: &&str| piece.chars().all(|char| DASHES.contains(char));
    text.split_whitespace()
        .map(|piece| {
            piece.trim_matches(is_around).trim_end_matches('.').trim_end_matches(is_around)
        })
        .filter(|piece| !piece.is_empty() && !is_dash(piece))
        .collect()
}

/// Dashes allowed between a name and what is said about it.
pub(super) const DASHES: &str = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}";

/// Whether a word says nothing of its own.
pub(super) fn is_frame(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| FRAME.iter().copied().collect());
    WORDS.contains(straight(word).to_lowercase().as_str())
}

/// Whether a piece says how often something was: `5`, `1,234`, `5x`, `x5`, `five`.
pub(super) fn is_count(piece: &str) -> bool {
    let lower = piece.to_lowercase();
    let digits = lower.trim_matches(['x', '\u{d7}']);
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    (is_digits && digits.bytes().any(|byte| byte.is_ascii_digit()))
        || super::words::is_number_word(&lower)
}

/// The only quoted part of a text, with its surroundings.
pub(super) fn quoted_part(text: &str) -> Option<(&str, &str, &str)> {
    // A single apostrophe is not a quotation mark.
    const MARKS: [(&str, &str); 5] =
        [("**", "**"), ("\"", "\""), ("`", "`"), ("\u{201c}", "\u{201d}"), ("\u{ab}", "\u{bb}")];
    let mut found = None;
    for (open, close) in MARKS {
        let Some((before, rest)) = text.split_once(open) else { continue };
        let (inner, after) = rest.split_once(close)?;
        if found.is_some() || after.contains(open) || after.contains(close) {
            return None;
        }
        found = Some((before, inner, after));
    }
    found
}

/// Whether a text turns or narrows what it is about.
pub(super) fn is_limited(text: &str) -> bool {
    let lower = straight(text).to_lowercase();
    let words = lower.split(|char: char| !char.is_alphanumeric() && char != '\'');
    words.into_iter().any(is_limit)
}

/// Whether a word reverses or narrows what is next to it.
pub(super) fn is_limit(word: &str) -> bool {
    const LIMITS: &[&str] = &[
        "not", "no", "never", "neither", "nor", "cannot", "except", "unless", "without", "only",
        "none", "nothing", "nobody", "nowhere", "instead", "rather", "avoid", "stop", "hardly",
        "if", "until", "false", "wrong", "dont", "cant",
    ];
    LIMITS.contains(&word) || word.ends_with("n't")
}

/// A line without the sign or number of a list's item.
pub(super) fn without_bullet(line: &str) -> &str {
    let line = line.trim();
    let signs = ["- ", "* ", "+ ", "\u{2022} ", "\u{2013} ", "\u{2014} "];
    if let Some(rest) = signs.iter().find_map(|sign| line.strip_prefix(sign)) {
        return rest.trim();
    }
    let opened = line.strip_prefix('(').unwrap_or(line);
    let rest = opened.trim_start_matches(|char: char| char.is_ascii_digit());
    let number = opened.len() - rest.len();
    let after = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    match after {
        Some(after) if (1..=3).contains(&number) => after.trim(),
        _ => line,
    }
}
