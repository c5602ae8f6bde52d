//! The elements of arrays, the entries of objects, and a value as it was written in the form in which `serde_json` takes
//! it: as an object of one entry.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::{Malformed, RAW_VALUE, Reader};

pub(super) struct Elements<'r, 'de, 's> {
    reader: &'r mut Reader<'de, 's>,
    first: bool,
}

impl<'r, 'de, 's> Elements<'r, 'de, 's> {
    pub(super) fn new(reader: &'r mut Reader<'de, 's>) -> Self {
        Self { reader, first: true }
    }
}

/// Moves to the next item of an array or an object; false where it closes.
fn has_next(reader: &mut Reader<'_, '_>, first: &mut bool, close: u8) -> Result<bool, Malformed> {
    let first = std::mem::take(first);
    match reader.token()? {
        token if token == close => return Ok(false),
        b',' if !first => reader.at += 1,
        _ if first => return Ok(true),
        _ => return Err(Malformed),
    }
    // Nothing closes behind a comma.
    if reader.token()? == close { Err(Malformed) } else { Ok(true) }
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de, '_> {
    type Error = Malformed;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Malformed> {
        if !has_next(self.reader, &mut self.first, b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

pub(super) struct Entries<'r, 'de, 's> {
    reader: &'r mut Reader<'de, 's>,
    first: bool,
}

impl<'r, 'de, 's> Entries<'r, 'de, 's> {
    pub(super) fn new(reader: &'r mut Reader<'de, 's>) -> Self {
        Self { reader, first: true }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, 'de, '_> {
    type Error = Malformed;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Malformed> {
        if !has_next(self.reader, &mut self.first, b'}')? {
            return Ok(None);
        }
        if self.reader.byte() != Some(b'"') {
            return Err(Malformed);
        }
        self.reader.read_key(seed).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Malformed> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

pub(super) struct RawEntry<'de> {
    json: Option<&'de str>,
}

impl<'de> RawEntry<'de> {
    pub(super) fn new(json: &'de str) -> Self {
        Self { json: Some(json) }
    }
}

impl<'de> MapAccess<'de> for RawEntry<'de> {
    type Error = Malformed;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Malformed> {
        if self.json.is_none() {
            return Ok(None);
        }
        seed.deserialize(BorrowedStrDeserializer::new(RAW_VALUE)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Malformed> {
        let json = self.json.take().ok_or(Malformed)?;
        seed.deserialize(BorrowedStrDeserializer::new(json))
    }
}
