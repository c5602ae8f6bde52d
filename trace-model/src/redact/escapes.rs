//! Text escaped in JSON strings, once or several times over: rules look at what comes right before and after a
//! secret, and in `\nAKIA…` that is an `n` instead of a line end.

use std::ops::Range;

/// A text with its escapes of white space and quotation marks undone, and the way back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unescaped {
    pub(super) text: String,
    /// Places here and in the original, wherever the distance changes.
    places: Vec<(usize, usize)>,
}

impl Unescaped {
    /// `None` if the text has no such escape.
    pub(super) fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut unescaped = Self { text: String::new(), places: Vec::new() };
        let (mut copied, mut at) = (0, 0);
        while let Some(first) = memchr::memchr(b'\\', &bytes[at..]).map(|found| at + found) {
            // Several backslashes: JSON inside JSON.
            let last = first + bytes[first..].iter().take_while(|byte| **byte == b'\\').count();
            let meant = match bytes.get(last) {
                Some(b'n' | b'r') => Some('\n'),
                Some(b't') => Some('\t'),
                Some(b'"') => Some('"'),
                _ => None,
            };
            at = last;
            if let Some(meant) = meant {
                unescaped.text.push_str(&text[copied..first]);
                unescaped.places.push((unescaped.text.len(), first));
                unescaped.text.push(meant);
                at += 1;
                copied = at;
                unescaped.places.push((unescaped.text.len(), copied));
            }
        }
        unescaped.text.push_str(&text[copied..]);
        (!unescaped.places.is_empty()).then_some(unescaped)
    }

    /// The same range in the original.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.original_place(range.start)..self.original_place(range.end)
    }

    fn original_place(&self, place: usize) -> usize {
        let next = self.places.partition_point(|(here, _)| *here <= place);
        let (here, original) = next.checked_sub(1).map_or((0, 0), |last| self.places[last]);
        original + (place - here)
    }
}

/// A range changed so that no escape is cut in two. An escape at its start is included; backslashes
/// at its end are left out, as they belong to what follows.
pub(super) fn whole(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let Range { start, mut end } = range;
    while end > start && bytes[end - 1] == b'\\' {
        end -= 1;
    }
    let start = escape_around(bytes, start).unwrap_or(start);
    start..end.max(start)
}

/// The start of the escape that a place is inside of: after the backslash, or among the digits of
/// `\u00e9`.
fn escape_around(bytes: &[u8], at: usize) -> Option<usize> {
    const LONGEST: usize = 5;
    (1..=LONGEST.min(at)).map(|back| at - back).find(|from| {
        let inside = match &bytes[from + 1..at] {
            [] => true,
            [b'u', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
            _ => false,
        };
        bytes[*from] == b'\\' && inside && is_escape(bytes, *from)
    })
}

/// Whether a backslash starts an escape: it does if those before it come in pairs.
fn is_escape(bytes: &[u8], backslash: usize) -> bool {
    bytes[..backslash].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone_and_found_again() {
        let unescaped = |text| Unescaped::new(text).map(|unescaped| unescaped.text);
        assert_eq!(unescaped(r"a\nb\tc").as_deref(), Some("a\nb\tc"));
        assert_eq!(unescaped(r#"{\"k\": \\\"v\\\"}"#).as_deref(), Some(r#"{"k": "v"}"#));
        assert_eq!(unescaped(r"é\x \d"), None);
        let text = r#"é\\nkey=\"v\" "#;
        let unescaped = Unescaped::new(text).unwrap();
        let original = |part: &str| {
            let at = unescaped.text.find(part).unwrap();
            &text[unescaped.original(&(at..at + part.len()))]
        };
        assert_eq!(original("key"), "key");
        assert_eq!(original("v"), "v");
        assert_eq!(original("\"v\""), r#"\"v\""#);
        assert_eq!(original("é\nk"), r"é\\nk");
        assert_eq!(original("\" "), r#"\" "#);
    }

    #[test]
    fn no_escape_is_cut() {
        // After the backslash, and among the digits.
        assert_eq!(whole(r"a\nbc", 2..5), 1..5);
        assert_eq!(whole(r"\u00e9x", 4..7), 0..7);
        assert_eq!(whole(r"\u00e9x", 6..7), 6..7);
        // Backslashes at the end belong to the quotation mark after them.
        assert_eq!(whole(r#"abc\""#, 0..4), 0..3);
        // A pair is a character of its own.
        assert_eq!(whole(r"a\\nb", 3..5), 3..5);
    }
}
