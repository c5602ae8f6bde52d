//! Texts: found with vector instructions, unescaped where they have escapes.

use memchr::memchr2;
use serde::de::Visitor;

use super::{Malformed, Reader, has_control};

/// Keys and ids end within so many bytes; a search of their own costs more than to look at them.
const SHORT: usize = 8;

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
    fn plain_piece(&mut self) -> Result<End, Malformed> {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .take(SHORT)
            .position(|byte| matches!(byte, b'"' | b'\\'))
            .or_else(|| {
                let rest = rest.get(SHORT..)?;
                memchr2(b'"', b'\\', rest).map(|at| SHORT + at)
            })
            .ok_or(Malformed)?;
        let (piece, end) = rest.split_at(length);
        if self.has_control && has_control(piece) {
            return Err(Malformed);
        }
        self.at += length;
        Ok(if end[0] == b'"' { End::Quote } else { End::Escape })
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
