//! Finds `key = value` lines in a result's text, in time linear in its length.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// Longest key, in characters.
const MAX_KEY: usize = 64;
/// Longest value, in characters; a longer one gives no fact rather than a shortened one.
const MAX_VALUE: usize = 200;
/// Marks of a text that was cut: a value that holds one may not be the whole value.
const CUT_MARKS: [&str; 4] = ["truncated]", "truncated)", "<truncated", "…"];
/// Marks a result that is shown only as a preview.
static PREVIEW_MARK: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new("<persisted-output>"));

/// Whether a result is shown only as a preview.
pub(super) fn is_preview(text: &str) -> bool {
    PREVIEW_MARK.find(text.as_bytes()).is_some()
}

/// A `key = value` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assignment<'a> {
    pub(super) line: u64,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// The assignments of a text whose first line is `first_line` where it prints no numbers itself.
///
/// Most results hold few lines with an equals sign, so it looks for those rather than at each line.
pub(super) fn assignments(text: &str, first_line: u64) -> Vec<Assignment<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // Lines up to `counted` are counted in `place`.
    let (mut place, mut counted) = (first_line, 0);
    let mut at = 0;
    while let Some(equals) = memchr::memchr(b'=', &bytes[at..]).map(|found| at + found) {
        if !may_assign(bytes, equals) {
            at = equals + 1;
            continue;
        }
        let start = memchr::memrchr(b'\n', &bytes[at..equals]).map_or(at, |feed| at + feed + 1);
        let start = if start == at { line_start(bytes, at) } else { start };
        let end = memchr::memchr(b'\n', &bytes[equals..]).map_or(bytes.len(), |feed| equals + feed);
        place += memchr::memchr_iter(b'\n', &bytes[counted..start]).count() as u64;
        counted = start;
        let (line, rest) = number((place, &text[start..end]));
        if let Some((key, value)) = assignment(rest) {
            found.push(Assignment { line, key, value });
        }
        // Only a line's first equals sign can assign, so each line is looked at once.
        at = end;
    }
    found
}

/// Whether the two sides of an equals sign can be a key and a value.
fn may_assign(bytes: &[u8], equals: usize) -> bool {
    let before = bytes[..equals].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    before.is_some_and(is_key)
        && !matches!(bytes.get(equals + 1), None | Some(b'=' | b'>' | b'~' | b'\n'))
}

/// Where the line starts that holds the byte at `at`.
fn line_start(bytes: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |feed| feed + 1)
}

/// The last line that a text shows: the largest number that it prints before a line, otherwise the
/// place of its last line that is not blank.
pub(super) fn last_line(text: &str, first_line: u64) -> u64 {
    let printed = text.split('\n').filter_map(numbered).map(|(line, _)| line).max();
    let last_written = || lines(text, first_line).filter(|line| !line.1.trim().is_empty()).last();
    printed.or_else(|| last_written().map(|(line, _)| line)).unwrap_or(first_line)
}

/// Lines of a text with their places.
fn raw_lines(text: &str, first_line: u64) -> impl Iterator<Item = (u64, &str)> {
    (first_line..).zip(text.split('\n'))
}

/// A line with its place: the number that it starts with, if it does.
fn number((place, raw): (u64, &str)) -> (u64, &str) {
    let raw = raw.strip_suffix('\r').unwrap_or(raw);
    numbered(raw).unwrap_or((place, raw))
}

/// Numbered lines of a text.
pub(super) fn lines(text: &str, first_line: u64) -> impl Iterator<Item = (u64, &str)> {
    raw_lines(text, first_line).map(number)
}

/// A line that starts with its number: spaces, digits, a tab or an arrow.
fn numbered(line: &str) -> Option<(u64, &str)> {
    let start = line.trim_start_matches(' ');
    let after = start.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &start[..start.len() - after.len()];
    let rest = after.strip_prefix('\t').or_else(|| after.strip_prefix('→'))?;
    Some((digits.parse().ok()?, rest))
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches([' ', '\t']);
    if !line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let after_key = line
        .trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let key = &line[..line.len() - after_key.len()];
    let value = after_key.trim_start_matches([' ', '\t']).strip_prefix('=')?;
    if key.len() > MAX_KEY || value.starts_with(['=', '>', '~']) {
        return None;
    }
    let value = value.trim();
    is_value(value).then_some((key, value))
}

/// Whether a trimmed text can be a fact's value: the whole of one, on one line.
pub(crate) fn is_value(text: &str) -> bool {
    !text.is_empty()
        && !text.contains('\n')
        && text.chars().nth(MAX_VALUE).is_none()
        && !CUT_MARKS.iter().any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(u64, &str, &str)> {
        assignments(text, 1).into_iter().map(|a| (a.line, a.key, a.value)).collect()
    }

    #[test]
    fn assignments_of_all_shapes_are_found() {
        let text = "x = 1\n  a.b-c_2=  two words \r\n\tk\t=\t-3.5\n   12\tn = 4\n     7→m = 5";
        assert_eq!(
            found(text),
            [
                (1, "x", "1"),
                (2, "a.b-c_2", "two words"),
                (3, "k", "-3.5"),
                (12, "n", "4"),
                (7, "m", "5")
            ]
        );
    }

    #[test]
    fn what_is_no_assignment_is_left() {
        for line in [
            "a == b",
            "a => b",
            "a =~ b",
            "a != b",
            "a += 1",
            "1a = 2",
            "let a = 1",
            "a =",
            "a = ",
            "= 1",
            "a: b",
            "- a = 1",
            "12:a = 1",
            "f(x) = 2",
        ] {
            assert_eq!(found(line), [], "{line}");
        }
        assert_eq!(found(&format!("{} = 1", "k".repeat(65))), []);
    }

    #[test]
    fn a_value_that_may_be_cut_gives_no_fact() {
        assert_eq!(found("total = 12... [3000 characters truncated]"), []);
        assert_eq!(found("total = 12…"), []);
        assert_eq!(found(&format!("v = {}", "9".repeat(201))), []);
        assert_eq!(found(&format!("v = {}", "é".repeat(200))).len(), 1);
    }

    #[test]
    fn thousands_of_spaces_are_read_in_one_pass() {
        let spaces = " ".repeat(3000);
        assert_eq!(found(&format!("{spaces}k{spaces}={spaces}1")), [(1, "k", "1")]);
        assert_eq!(found(&format!("k{spaces}x")), []);
        let many = "!a=".repeat(200_000);
        assert_eq!(found(&format!("{many}\nb = 1")), [(2, "b", "1")]);
    }
}
