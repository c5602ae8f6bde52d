//! The elements of arrays, the entries of objects, and a value as it was written in the form in which `serde_json` takes
//! it: as an object of one entry.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Malformed, RAW_VALUE, Reader};

/// The items of an array or an object that is open.
pub(super) struct Items<'r, 'de, 's> {
    reader: &'r mut Reader<'de, 's>,
    first: bool,
}

impl<'r, 'de, 's> Items<'r, 'de, 's> {
    pub(super) fn new(reader: &'r mut Reader<'de, 's>) -> Self {
        Self { reader, first: true }
    }

    /// Moves to the next item; false where this byte closes.
    fn has_next(&mut self, close: u8) -> Result<bool, Malformed> {
        let first = std::mem::take(&mut self.first);
        match self.reader.token()? {
            token if token == close => return Ok(false),
            b',' if !first => self.reader.at += 1,
            _ if first => return Ok(true),
            _ => return Err(Malformed),
        }
        // Nothing closes behind a comma.
        if self.reader.token()? == close { Err(Malformed) } else { Ok(true) }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de, '_> {
    type Error = Malformed;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Malformed> {
        if !self.has_next(b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de, '_> {
    type Error = Malformed;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Malformed> {
        if !self.has_next(b'}')? {
            return Ok(None);
        }
        if self.reader.byte() != Some(b'"') {
            return Err(Malformed);
        }
        seed.deserialize(ObjectKey(&mut *self.reader)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Malformed> {
        self.reader.expect(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

/// A key of an object: a text, whatever is asked for.
struct ObjectKey<'r, 'de, 's>(&'r mut Reader<'de, 's>);

impl<'de> Deserializer<'de> for ObjectKey<'_, 'de, '_> {
    type Error = Malformed;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Malformed> {
        self.0.visit_string(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
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
