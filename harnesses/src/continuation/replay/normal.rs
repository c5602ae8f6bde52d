//! Normal form: what texts are brought to before one is looked for in another, so that JSON as written and
//! the string that it stands for compare equal. Used by everything in `replay`.

/// Whether a byte is one of W: an ASCII letter, a digit or `_`. Bytes outside ASCII are not.
pub(super) fn is_w(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The normal form of a text.
pub(super) fn normal(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (kept, read) = match (byte, bytes.get(at + 1)) {
            (b'\\', Some(b'n' | b'r' | b't')) => (b' ', 2),
            (b'\\', Some(&escaped @ (b'"' | b'\\' | b'/'))) => (escaped, 2),
            (space, _) if space.is_ascii_whitespace() => (b' ', 1),
            (other, _) => (other, 1),
        };
        if kept != b' ' || out.last() != Some(&b' ') {
            out.push(kept);
        }
        at += read;
    }
    // Only ASCII was replaced, so what was UTF-8 still is.
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_the_string_it_stands_for_are_equal() {
        let text = "say \"hi\"\n\tto  C:\\x and a/b é";
        let json = serde_json::to_string(text).expect("a string");
        assert_eq!(format!("\"{}\"", normal(text)), normal(&json));
        assert_eq!(normal(r"a\/b\\nc \n\r\t d\x"), r"a/b\nc d\x");
        assert_eq!(normal("\\"), "\\");
        assert_eq!(normal(" a \n"), " a ");
    }
}
