//! Writing JSON with the fields in a chosen order, as the recorded client does, and fast enough for
//! hundreds of megabytes. Escapes are those of JavaScript's `JSON.stringify`.

use crate::text::put::put;

/// Appends `text` as a JSON string, quotes included.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    // A line feed a line, and room for the quotes.
    out.reserve(rest.len() + rest.len() / 32 + 2);
    out.push(b'"');
    while let Some(at) = first_escaped(rest) {
        out.extend_from_slice(&rest[..at]);
        escape(out, rest[at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        b'"' => out.extend_from_slice(b"\\\""),
        b'\\' => out.extend_from_slice(b"\\\\"),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        0x08 => out.extend_from_slice(b"\\b"),
        0x0c => out.extend_from_slice(b"\\f"),
        _ => {
            out.extend_from_slice(b"\\u00");
            out.push(HEX[(byte >> 4) as usize]);
            out.push(HEX[(byte & 15) as usize]);
        }
    }
}

/// Where the first byte stands that is written as an escape: eight bytes at a time.
fn first_escaped(bytes: &[u8]) -> Option<usize> {
    let (eights, rest) = bytes.as_chunks::<8>();
    for (n, eight) in eights.iter().enumerate() {
        let found = escaped(u64::from_le_bytes(*eight));
        if found != 0 {
            return Some(8 * n + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\'))?;
    Some(bytes.len() - rest.len() + at)
}

/// The high bit of each byte that is a control character, a quotation mark or a backslash. The lowest bit set is
/// right; those above it may not be, as a byte borrows from the next.
fn escaped(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let below = |word: u64, least: u64| word.wrapping_sub(ONES * least) & !word;
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    (below(word, 0x20) | below(quote, 1) | below(backslash, 1)) & HIGH
}

/// Lower-case hexadecimal digits.
pub(crate) const HEX: &[u8; 16] = b"0123456789abcdef";

/// An object that is being written. Fields appear in the order of the calls.
pub(crate) struct Obj<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl Obj<'_> {
    fn key(&mut self, key: &str) {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    pub(crate) fn s(&mut self, key: &str, text: &str) {
        self.key(key);
        string(self.out, text);
    }

    /// A string, or null.
    pub(crate) fn opt(&mut self, key: &str, text: Option<&str>) {
        match text {
            Some(text) => self.s(key, text),
            None => self.null(key),
        }
    }

    pub(crate) fn n(&mut self, key: &str, number: u64) {
        self.key(key);
        let mut digits = String::with_capacity(20);
        put!(&mut digits, number);
        self.out.extend_from_slice(digits.as_bytes());
    }

    pub(crate) fn b(&mut self, key: &str, flag: bool) {
        self.key(key);
        self.out.extend_from_slice(if flag { b"true" } else { b"false" });
    }

    pub(crate) fn null(&mut self, key: &str) {
        self.key(key);
        self.out.extend_from_slice(b"null");
    }

    /// A value that is JSON already.
    pub(crate) fn raw(&mut self, key: &str, json: &[u8]) {
        self.key(key);
        self.out.extend_from_slice(json);
    }

    /// The fields of an object that is JSON already.
    pub(crate) fn fields(&mut self, object: &[u8]) {
        if object.len() > 2 {
            if !self.first {
                self.out.push(b',');
            }
            self.first = false;
            self.out.extend_from_slice(&object[1..object.len() - 1]);
        }
    }

    pub(crate) fn obj(&mut self, key: &str, fill: impl FnOnce(&mut Obj<'_>)) {
        self.key(key);
        object(self.out, fill);
    }

    /// An array of strings.
    pub(crate) fn strings(&mut self, key: &str, items: &[impl AsRef<str>]) {
        self.key(key);
        self.out.push(b'[');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            string(self.out, item.as_ref());
        }
        self.out.push(b']');
    }

    /// An array of one object.
    pub(crate) fn one(&mut self, key: &str, fill: impl FnOnce(&mut Obj<'_>)) {
        self.key(key);
        self.out.push(b'[');
        object(self.out, fill);
        self.out.push(b']');
    }

    /// An array of one object for each item.
    pub(crate) fn each<T>(&mut self, key: &str, items: &[T], fill: impl Fn(&mut Obj<'_>, &T)) {
        self.key(key);
        self.out.push(b'[');
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push(b',');
            }
            object(self.out, |o| fill(o, item));
        }
        self.out.push(b']');
    }
}

/// Appends an object to `out`.
pub(crate) fn object(out: &mut Vec<u8>, fill: impl FnOnce(&mut Obj<'_>)) {
    out.push(b'{');
    fill(&mut Obj { out, first: true });
    out.push(b'}');
}

/// An object as bytes of its own.
pub(crate) fn built(fill: impl FnOnce(&mut Obj<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    object(&mut out, fill);
    out
}

/// A JSON file for people and programs: indented, with a line feed at its end.
pub(crate) fn pretty(value: &impl serde::Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_string_reads_back(text: String) {
            let mut out = Vec::new();
            string(&mut out, &text);
            prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
    }

    #[test]
    fn fields_keep_their_order() {
        let bytes = built(|o| {
            o.s("z", "1");
            o.n("a", 2);
            o.one("list", |o| o.null("x"));
            o.strings("names", &["p", "q"]);
        });
        let text = r#"{"z":"1","a":2,"list":[{"x":null}],"names":["p","q"]}"#;
        assert_eq!(String::from_utf8(bytes).unwrap(), text);
    }
}
