//! What an expression is worth.

use std::borrow::Cow;

/// A value. Text is borrowed from the match or from the program where it can be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'a> {
    Nothing,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
}

impl<'a> Value<'a> {
    /// An offset or a length.
    pub(super) fn size(size: usize) -> Self {
        Self::Integer(i64::try_from(size).unwrap_or(i64::MAX))
    }

    /// Bytes as text; a match may end within a character.
    pub(super) fn lossy(bytes: &'a [u8]) -> Self {
        Self::Text(String::from_utf8_lossy(bytes))
    }

    pub(super) fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }
}
