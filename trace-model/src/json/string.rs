//! Texts, unescaped where they have escapes.

use serde::de::Visitor;
use wide::u8x16;

use super::{Malformed, Reader};
use crate::marks::{Kind, between, equal};

/// What ends a plain piece of a text: a quote or a backslash, and control characters, which may not stand in it.
pub(super) struct PieceEnd;

impl Kind for PieceEnd {
    #[inline]
    fn mark(bytes: u8x16) -> u8x16 {
        equal(bytes, b'"') | equal(bytes, b'\\') | between(bytes, 0, 0x1F)
    }
}

/// What stands where a plain piece of a text ends.
enum End {
    Quote,
    Escape,
}

impl<'de> Reader<'de, '_> {
    /// Reads a text whose opening quote was seen.
    pub(super) fn visit_string<V: Visitor<'de>>(
        &mut self,
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        self.at += 1;
        let start = self.at;
        if let End::Quote = self.plain_piece()? {
            let text = &self.text[start..self.at];
            self.at += 1;
            return visitor.visit_borrowed_str(text);
        }
        self.scratch.clear();
        self.scratch.push_str(&self.text[start..self.at]);
        loop {
            // An escape was seen.
            self.at += 1;
            let char = self.escaped()?;
            self.scratch.push(char);
            if self.byte() == Some(b'\\') {
                continue;
            }
            let start = self.at;
            let end = self.plain_piece()?;
            self.scratch.push_str(&self.text[start..self.at]);
            if let End::Quote = end {
                self.at += 1;
                return visitor.visit_str(self.scratch);
            }
        }
    }

    /// Passes a text whose opening quote was seen. As with `serde_json`, half a surrogate pair is no error here.
    pub(super) fn skip_string(&mut self) -> Result<(), Malformed> {
        self.at += 1;
        loop {
            match self.plain_piece()? {
                End::Quote => {
                    self.at += 1;
                    return Ok(());
                }
                End::Escape => match self.text.as_bytes().get(self.at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
                    Some(b'u') => {
                        self.at += 2;
                        self.hexadecimal()?;
                    }
                    _ => return Err(Malformed),
                },
            }
        }
    }

    /// Moves to the quote or the backslash that ends a plain piece, in which no control character may stand.
    #[inline]
    fn plain_piece(&mut self) -> Result<End, Malformed> {
        let bytes = self.text.as_bytes();
        self.at = self.ends.next(bytes, self.at).ok_or(Malformed)?;
        match bytes[self.at] {
            b'"' => Ok(End::Quote),
            b'\\' => Ok(End::Escape),
            _ => Err(Malformed),
        }
    }

    /// The character of an escape, whose backslash was passed.
    fn escaped(&mut self) -> Result<char, Malformed> {
        let kind = self.byte().ok_or(Malformed)?;
        self.at += 1;
        Ok(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.escaped_code(),
            _ => return Err(Malformed),
        })
    }

    /// The character of `\u` and four digits, or of a pair of them.
    fn escaped_code(&mut self) -> Result<char, Malformed> {
        let first = self.hexadecimal()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).ok_or(Malformed);
        }
        self.word("\\u")?;
        let second = self.hexadecimal()?;
        if !(0xDC00..0xE000).contains(&second) {
            return Err(Malformed);
        }
        char::from_u32(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00))).ok_or(Malformed)
    }

    /// Four hexadecimal digits.
    fn hexadecimal(&mut self) -> Result<u32, Malformed> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).ok_or(Malformed)?;
        let mut number = 0;
        for digit in digits {
            number = number << 4 | char::from(*digit).to_digit(16).ok_or(Malformed)?;
        }
        self.at += 4;
        Ok(number)
    }
}
