//! A value of any shape, borrowed from its text where that has no escapes, its objects sorted by key.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Key;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree<'de> {
    /// Null, a truth value or a number.
    Scalar(Value),
    Text(Cow<'de, str>),
    List(Vec<Self>),
    /// By key; of a repeated key the last value counts.
    Object(Vec<(Cow<'de, str>, Self)>),
}

impl Tree<'_> {
    /// A field of an object.
    pub(crate) fn get(&self, field: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find_map(|(key, value)| (key == field).then_some(value))
    }

    /// The text, if it is one.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The scalar, if it is one.
    pub(crate) fn as_scalar(&self) -> Option<&Value> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Tree<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<Tree<'de>, E> {
        Ok(Tree::Scalar(Value::Null))
    }
    fn visit_bool<E>(self, v: bool) -> Result<Tree<'de>, E> {
        Ok(Tree::Scalar(v.into()))
    }
    fn visit_u64<E>(self, v: u64) -> Result<Tree<'de>, E> {
        Ok(Tree::Scalar(v.into()))
    }
    fn visit_i64<E>(self, v: i64) -> Result<Tree<'de>, E> {
        Ok(Tree::Scalar(v.into()))
    }
    fn visit_f64<E>(self, v: f64) -> Result<Tree<'de>, E> {
        Ok(Tree::Scalar(v.into()))
    }
    fn visit_str<E>(self, v: &str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Owned(v.to_owned())))
    }
    fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Tree<'de>, E> {
        Ok(Tree::Text(Cow::Borrowed(v)))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element()? {
            list.push(value);
        }
        Ok(Tree::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree<'de>, A::Error> {
        let mut fields: Vec<(Cow<'de, str>, Tree<'de>)> = Vec::new();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            fields.push((key.0, map.next_value()?));
        }
        // Of equal keys the last comes first, and stays.
        fields.reverse();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        fields.dedup_by(|later, first| later.0 == first.0);
        Ok(Tree::Object(fields))
    }
}
