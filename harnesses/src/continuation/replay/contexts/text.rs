//! Beginnings and ends of texts, in characters.

/// Characters of a text.
pub(in crate::continuation::replay) fn chars(text: &str) -> usize {
    text.chars().count()
}

/// The first `most` characters.
pub(super) fn first(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

/// The last `most` characters.
pub(super) fn last(text: &str, most: usize) -> &str {
    match most.checked_sub(1) {
        None => "",
        Some(most) => text.char_indices().rev().nth(most).map_or(text, |(at, _)| &text[at..]),
    }
}

/// The last `most` characters of bytes, or all of them.
pub(super) fn last_of_bytes(bytes: &[u8], most: Option<usize>) -> String {
    let Some(most) = most else { return String::from_utf8_lossy(bytes).into_owned() };
    // No character takes more than four bytes, so the rest need not be decoded.
    let mut from = bytes.len().saturating_sub(most.saturating_mul(4));
    while from > 0 && bytes.get(from).is_some_and(|byte| byte & 0xC0 == 0x80) {
        from -= 1;
    }
    last(&String::from_utf8_lossy(&bytes[from..]), most).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!([0, 2, 9].map(|most| first("é→b", most)), ["", "é→", "é→b"]);
        assert_eq!([0, 2, 9].map(|most| last("é→b", most)), ["", "→b", "é→b"]);
        assert_eq!(last_of_bytes("xé→b".as_bytes(), Some(3)), "é→b");
        assert_eq!(last_of_bytes("é".as_bytes(), None), "é");
    }
}
