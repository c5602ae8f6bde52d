//! Passes over values, checking them as if they were read.

use super::{Malformed, Reader};

/// The arrays and objects that are open, the innermost last: true for an object. The first 64 need no memory.
#[derive(Default)]
struct Open {
    inner: u64,
    held: usize,
    outer: Vec<u64>,
}

impl Open {
    const ROOM: usize = 64;

    fn push(&mut self, is_object: bool) {
        if self.held > 0 && self.held.is_multiple_of(Self::ROOM) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(is_object);
        self.held += 1;
    }

    /// Closes the innermost.
    fn pop(&mut self) {
        self.held -= 1;
        self.inner >>= 1;
        if self.held > 0 && self.held.is_multiple_of(Self::ROOM) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
    }

    fn innermost_is_object(&self) -> Option<bool> {
        (self.held > 0).then_some(self.inner & 1 == 1)
    }
}

impl Reader<'_, '_> {
    /// Passes the next value.
    pub(super) fn skip_value(&mut self) -> Result<(), Malformed> {
        let mut open = Open::default();
        loop {
            match self.token()? {
                b'"' => self.skip_string()?,
                b'{' => {
                    self.at += 1;
                    if self.token()? == b'}' {
                        self.at += 1;
                    } else {
                        open.push(true);
                        self.skip_key()?;
                        continue;
                    }
                }
                b'[' => {
                    self.at += 1;
                    if self.token()? == b']' {
                        self.at += 1;
                    } else {
                        open.push(false);
                        continue;
                    }
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                b'-' | b'0'..=b'9' => self.skip_number()?,
                _ => return Err(Malformed),
            }
            // A value ended: so may those around it.
            loop {
                let Some(is_object) = open.innermost_is_object() else { return Ok(()) };
                match (self.token()?, is_object) {
                    (b',', _) => {
                        self.at += 1;
                        if is_object {
                            self.skip_key()?;
                        }
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.at += 1;
                        open.pop();
                    }
                    _ => return Err(Malformed),
                }
            }
        }
    }

    /// Passes a key and its colon.
    fn skip_key(&mut self) -> Result<(), Malformed> {
        if self.token()? != b'"' {
            return Err(Malformed);
        }
        self.skip_string()?;
        self.expect(b':')
    }
}
