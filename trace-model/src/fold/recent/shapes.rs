//! What a word is by its shape: an identifier, a test's name, a path, a commit, a number. The shapes are those
//! of the entities of `docs/METHODOLOGY.md`, "Replay": what an agent goes on to need is kept.

use wide::u8x16;

use crate::marks::{Kind, Marks, between, equal};

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    /// What bytes it is made of, as bits of [`Class`]. Most words are told by that alone.
    made_of: u8,
}

impl<'t> Word<'t> {
    /// Whether it is a path: it has a folder, or is a file's name.
    pub(super) fn is_path(&self) -> bool {
        self.made_of & (Class::SLASH | Class::DOT) != 0 && is_path(self.text)
    }

    /// Whether it is the id of a commit, or the start of one.
    pub(super) fn is_hash(&self) -> bool {
        self.made_of & Class::DIGIT != 0 && is_hash(self.text)
    }

    /// Whether it is a number of 4 to 12 digits.
    pub(super) fn is_number(&self) -> bool {
        self.made_of & Class::DIGIT != 0 && is_number(self.text)
    }

    /// Gives the identifiers and test names in it, if it is no path.
    pub(super) fn names(&self, give: impl FnMut(&'t str)) {
        if self.made_of & (Class::UNDERSCORE | Class::UPPER) != 0 {
            names(self.text, give);
        }
    }
}

/// What words are looked for: one of lower-case letters alone is nothing, and most words are.
pub(super) trait Wanted: Kind {}

/// Words that may have names in them.
pub(super) struct MayName;

impl Wanted for MayName {}

impl Kind for MayName {
    #[inline]
    fn mark(bytes: u8x16) -> u8x16 {
        between(bytes, b'A', b'Z') | equal(bytes, b'_')
    }
}

/// Words that may have names in them, or be paths.
pub(super) struct MayNameOrLead;

impl Wanted for MayNameOrLead {}

impl Kind for MayNameOrLead {
    #[inline]
    fn mark(bytes: u8x16) -> u8x16 {
        MayName::mark(bytes) | between(bytes, b'.', b'/')
    }
}

/// These, commits and numbers.
pub(super) struct Any;

impl Wanted for Any {}

impl Kind for Any {
    #[inline]
    fn mark(bytes: u8x16) -> u8x16 {
        MayName::mark(bytes) | between(bytes, b'.', b'9')
    }
}

/// The words of a text that may be what is wanted: maximal runs of letters, digits and `_./~-` (ASCII), without options,
/// leading `./` and trailing `.`, `/` and `-`.
pub(super) fn words<W: Wanted>(text: &str) -> impl Iterator<Item = Word<'_>> {
    let bytes = text.as_bytes();
    let mut telling = Marks::<W>::default();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let tells = telling.next(bytes, at)?;
            let mut made_of = Class::APART;
            let mut in_word = |byte: &u8| {
                made_of |= class(*byte);
                class(*byte) != Class::APART
            };
            let before = bytes[at..tells].iter().rev().take_while(|byte| in_word(byte)).count();
            let after = bytes[tells..].iter().take_while(|byte| in_word(byte)).count();
            at = tells + after;
            // Word bytes are ASCII, so both ends are between characters.
            if let Some(text) = text.get(tells - before..at).and_then(trimmed) {
                return Some(Word { text, made_of });
            }
        }
    })
}

/// What bytes words are made of, as bits.
struct Class;

impl Class {
    /// No part of a word.
    const APART: u8 = 0;
    /// A lower-case letter, `-` or `~`.
    const PLAIN: u8 = 1;
    const UPPER: u8 = 2;
    const DIGIT: u8 = 4;
    const UNDERSCORE: u8 = 8;
    const DOT: u8 = 16;
    const SLASH: u8 = 32;
}

static CLASSES: [u8; 256] = {
    let mut table = [Class::APART; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let it = byte as u8;
        table[byte] = match it {
            b'a'..=b'z' | b'~' | b'-' => Class::PLAIN,
            b'A'..=b'Z' => Class::UPPER,
            b'0'..=b'9' => Class::DIGIT,
            b'_' => Class::UNDERSCORE,
            b'.' => Class::DOT,
            b'/' => Class::SLASH,
            _ => Class::APART,
        };
        byte += 1;
    }
    table
};

fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

fn trimmed(word: &str) -> Option<&str> {
    if word.starts_with('-') {
        return None;
    }
    let mut word = word;
    while let Some(rest) = word.strip_prefix("./") {
        word = rest;
    }
    let length =
        word.bytes().rposition(|byte| !matches!(byte, b'.' | b'/' | b'-')).map_or(0, |at| at + 1);
    let word = &word[..length];
    word.bytes().any(|byte| byte.is_ascii_alphanumeric()).then_some(word)
}

/// Gives the identifiers and test names in a word that is no path.
fn names<'t>(word: &'t str, mut give: impl FnMut(&'t str)) {
    let mut rest = word;
    loop {
        let parts = |byte: &u8| matches!(byte, b'.' | b'/' | b'~' | b'-');
        let end = rest.as_bytes().iter().position(parts).unwrap_or(rest.len());
        let part = &rest[..end];
        if part.len() >= 4 && !part.as_bytes()[0].is_ascii_digit() && is_name(part) {
            give(part);
        }
        match rest.get(end + 1..) {
            Some(further) => rest = further,
            None => return,
        }
    }
}

fn is_name(part: &str) -> bool {
    is_identifier(part.as_bytes()) || is_test(part)
}

/// Whether it has an underscore or a change of case, as names of code have.
fn is_identifier(bytes: &[u8]) -> bool {
    let (mut before, mut last) = (0_u8, 0_u8);
    for &byte in bytes {
        let camel = last.is_ascii_lowercase() && byte.is_ascii_uppercase();
        let acronym =
            before.is_ascii_uppercase() && last.is_ascii_uppercase() && byte.is_ascii_lowercase();
        if byte == b'_' || camel || acronym {
            return true;
        }
        (before, last) = (last, byte);
    }
    false
}

/// Whether it is the name of a test.
pub(super) fn is_test(name: &str) -> bool {
    name.starts_with("test_")
        || name
            .strip_prefix("Test")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_'))
        || name.ends_with("_test")
        || name.ends_with("_tests")
        || (name.len() > 5 && (name.ends_with("Test") || name.ends_with("Tests")))
}

/// Whether a word is a path: it has a folder, or is a file's name.
fn is_path(word: &str) -> bool {
    match word.split_once('/') {
        Some((first, _)) => !is_test(first) && !matches!(first, "origin" | "upstream"),
        None => is_file_name(word),
    }
}

/// Whether it ends in `.` and up to five lower-case letters or digits, the first a letter.
pub(super) fn is_file_name(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && !stem.contains('/')
            && (1..=5).contains(&ending.len())
            && ending.as_bytes()[0].is_ascii_lowercase()
            && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

/// Whether it is the id of a commit, or the start of one.
pub(super) fn is_hash(word: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (7..=40).contains(&word.len())
        && word.bytes().all(hex)
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Whether it is a number of 4 to 12 digits: of a port, a run, a process.
fn is_number(word: &str) -> bool {
    (4..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        words::<Any>(text)
            .filter(|word| !word.is_path())
            .for_each(|word| word.names(|name| found.push(name)));
        found
    }

    #[test]
    fn names_of_code_are_told_from_words() {
        let text =
            "call parseLine, snake_case and HTTPServer; not Words, nor ABC or x_1 --an_option";
        assert_eq!(found(text), ["parseLine", "snake_case", "HTTPServer"]);
        assert_eq!(
            found("obj.methodName é_name TestParse/sub_case 9a_b"),
            ["methodName", "_name", "TestParse", "sub_case"]
        );
        assert_eq!(found("loginTests Tests mix"), ["loginTests"]);
    }

    #[test]
    fn paths_hashes_and_numbers_have_their_shapes() {
        let is = |word| (is_path(word), is_hash(word), is_number(word));
        assert_eq!(is("src/a"), (true, false, false));
        assert_eq!(is("main.go"), (true, false, false));
        assert_eq!(is("origin/main"), (false, false, false));
        assert_eq!(is("TestA/sub"), (false, false, false));
        assert_eq!(is("abc1234"), (false, true, false));
        assert_eq!(is("8080"), (false, false, true));
        assert_eq!(is(".bashrc"), (false, false, false));
        assert_eq!(
            words::<Any>("./a/b/. -x ... (c/d.rs:12)").map(|word| word.text).collect::<Vec<_>>(),
            ["a/b", "c/d.rs", "12"]
        );
    }
}
