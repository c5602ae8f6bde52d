//! Reads JSON of transcripts: a deserializer for `serde` that takes just what `serde_json` takes, and is faster on what
//! transcripts hold, which is long strings with many escapes, half of them passed over.
//!
//! What ends a piece of a text is found 64 bytes at a time, and texts are unescaped piece by piece into a buffer that is
//! used again. A value that is passed over is checked as any other, without recursion, so that no transcript can exhaust
//! the stack. Whatever a text is, the result is `serde_json`'s: property tests compare the two. `docs/PERFORMANCE.md`
//! says what it was measured against. Used by the adapters, and by the fold for the inputs of calls.

mod access;
mod key;
mod number;
mod skip;
mod string;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};

use crate::marks::Marks;
use access::{Items, RawEntry};
pub(crate) use key::Key;
use string::PieceEnd;
pub(crate) use tree::Tree;

/// How deep values are nested that are read; those passed over may be deeper.
const MAX_DEPTH: u8 = 128;
/// The name by which `serde_json` asks for a value as it was written.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
/// Capacity above which the buffer of a long text is given back.
const KEPT_CAPACITY: usize = 4 * 1024 * 1024;

/// The text is not JSON, or not what was to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the JSON that was expected")
    }
}

impl std::error::Error for Malformed {}

impl serde::de::Error for Malformed {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A buffer in which texts are unescaped, to be used for one line after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch(String);

/// The values of a text, one after the other.
pub(crate) struct Values<'de, 's> {
    reader: Reader<'de, 's>,
}

impl<'de, 's> Values<'de, 's> {
    pub(crate) fn new(text: &'de str, scratch: &'s mut Scratch) -> Self {
        if scratch.0.capacity() > KEPT_CAPACITY {
            scratch.0 = String::new();
        }
        let scratch = &mut scratch.0;
        Self { reader: Reader { text, at: 0, depth: 0, ends: Marks::default(), scratch } }
    }

    /// Where the last value ended; at a value that cannot be read, anywhere.
    pub(crate) fn offset(&self) -> usize {
        self.reader.at
    }

    /// The next value; none where only white space is left.
    pub(crate) fn next<T: Deserialize<'de>>(&mut self) -> Option<Result<T, Malformed>> {
        let first = self.reader.peek_token()?;
        let value = T::deserialize(&mut self.reader);
        // A text, an array and an object say themselves where they end.
        let ends = matches!(first, b'"' | b'[' | b'{') || self.reader.is_at_end_of_scalar();
        Some(value.and_then(|value| if ends { Ok(value) } else { Err(Malformed) }))
    }

    /// The only value of a text.
    pub(crate) fn only<T: Deserialize<'de>>(
        text: &'de str,
        scratch: &'s mut Scratch,
    ) -> Result<T, Malformed> {
        let mut values = Self::new(text, scratch);
        let value = T::deserialize(&mut values.reader)?;
        values.reader.peek_token().map_or(Ok(value), |_| Err(Malformed))
    }
}

/// A place in a text.
struct Reader<'de, 's> {
    text: &'de str,
    at: usize,
    /// How many arrays and objects that are read are open.
    depth: u8,
    ends: Marks<PieceEnd>,
    scratch: &'s mut String,
}

impl Reader<'_, '_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The byte that the next token starts with, without passing it.
    fn peek_token(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                other => return Some(other),
            }
        }
    }

    /// The same, where one has to follow.
    fn token(&mut self) -> Result<u8, Malformed> {
        self.peek_token().ok_or(Malformed)
    }

    /// Passes a token of one byte.
    fn expect(&mut self, token: u8) -> Result<(), Malformed> {
        if self.token()? != token {
            return Err(Malformed);
        }
        self.at += 1;
        Ok(())
    }

    /// Passes a word whose first byte was seen.
    fn word(&mut self, word: &str) -> Result<(), Malformed> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(Malformed);
        }
        self.at += word.len();
        Ok(())
    }

    fn is_at_end_of_scalar(&self) -> bool {
        self.byte().is_none_or(|next| b" \n\t\r\"[]{},:".contains(&next))
    }

    /// Reads an array or an object, whose opening byte was seen, to its closing one.
    fn nested<T>(
        &mut self,
        close: u8,
        read: impl FnOnce(&mut Self) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        self.at += 1;
        self.depth += 1;
        if self.depth == MAX_DEPTH {
            return Err(Malformed);
        }
        let value = read(self)?;
        self.depth -= 1;
        self.expect(close)?;
        Ok(value)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de, '_> {
    type Error = Malformed;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        match self.token()? {
            b'"' => self.visit_string(visitor),
            b'{' => self.nested(b'}', |reader| visitor.visit_map(Items::new(reader))),
            b'[' => self.nested(b']', |reader| visitor.visit_seq(Items::new(reader))),
            b't' => self.word("true").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.word("false").and_then(|()| visitor.visit_bool(false)),
            b'n' => self.word("null").and_then(|()| visitor.visit_unit()),
            b'-' | b'0'..=b'9' => self.visit_number(visitor),
            _ => Err(Malformed),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        self.skip_value()?;
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        match self.token()? {
            b'n' => self.word("null").and_then(|()| visitor.visit_none()),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        if name != RAW_VALUE {
            return visitor.visit_newtype_struct(self);
        }
        self.token()?;
        let start = self.at;
        self.skip_value()?;
        visitor.visit_map(RawEntry::new(&self.text[start..self.at]))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}
