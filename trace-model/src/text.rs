//! Small helpers for text that is cut or shown.

/// The first `chars` characters of a text.
pub(crate) fn head(text: &str, chars: usize) -> &str {
    if text.len() <= chars {
        return text;
    }
    text.char_indices().nth(chars).map_or(text, |(at, _)| &text[..at])
}
