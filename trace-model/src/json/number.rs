//! Numbers. Whole ones that are not negative are most of them and are read here; the rest is `serde_json`'s, so that both
//! read the same number.

use serde::de::Visitor;

use super::{Malformed, Reader};

/// So many digits fit into 64 bits whatever they are.
const SURE_DIGITS: usize = 19;

impl<'de> Reader<'de, '_> {
    pub(super) fn visit_number<V: Visitor<'de>>(
        &mut self,
        visitor: V,
    ) -> Result<V::Value, Malformed> {
        let start = self.at;
        self.skip_number()?;
        let written = &self.text[start..self.at];
        if written.len() <= SURE_DIGITS && written.bytes().all(|byte| byte.is_ascii_digit()) {
            let number =
                written.bytes().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
            return visitor.visit_u64(number);
        }
        let number: serde_json::Number = serde_json::from_str(written).map_err(|_| Malformed)?;
        if let Some(number) = number.as_u64() {
            visitor.visit_u64(number)
        } else if let Some(number) = number.as_i64() {
            visitor.visit_i64(number)
        } else {
            visitor.visit_f64(number.as_f64().ok_or(Malformed)?)
        }
    }

    /// Passes a number.
    pub(super) fn skip_number(&mut self) -> Result<(), Malformed> {
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.skip_digits()?,
            _ => return Err(Malformed),
        }
        // Of a number, a zero is only the first digit where it is the only one.
        if matches!(self.byte(), Some(b'0'..=b'9')) {
            return Err(Malformed);
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.skip_digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.skip_digits()?;
        }
        Ok(())
    }

    /// Passes digits, of which there has to be one.
    fn skip_digits(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(Malformed) } else { Ok(()) }
    }
}
