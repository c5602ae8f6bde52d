//! A line of a transcript as typed structs: what a program names that wants its contents. Used by the plain
//! program alone.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Text that is borrowed from the line where it can be. (In an `Option`, a bare `Cow` is always a copy.)
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Text<'a>>,
    #[serde(borrow)]
    uuid: Option<Text<'a>>,
    #[serde(borrow)]
    parent_uuid: Option<Text<'a>>,
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    #[serde(borrow)]
    timestamp: Option<Text<'a>>,
    #[serde(borrow)]
    request_id: Option<Text<'a>>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(borrow)]
    pub(super) message: Option<Message<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    role: Option<Text<'a>>,
    #[serde(borrow)]
    model: Option<Text<'a>>,
    #[serde(borrow)]
    stop_reason: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) content: Option<Content<'a, Block<'a>>>,
    pub(super) usage: Option<Usage>,
}

#[derive(Deserialize)]
pub(super) struct Usage {
    #[serde(default, rename = "input_tokens")]
    input: u64,
    #[serde(default, rename = "output_tokens")]
    pub(super) output: u64,
    #[serde(default, rename = "cache_creation_input_tokens")]
    cache_write: u64,
    #[serde(default, rename = "cache_read_input_tokens")]
    cache_read: u64,
}

/// A block of a message, of any kind.
#[derive(Deserialize)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) thinking: Option<Text<'a>>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_id: Option<Text<'a>>,
    is_error: Option<bool>,
    #[serde(borrow)]
    pub(super) content: Option<Content<'a, Part<'a>>>,
}

/// A part of a tool's result.
#[derive(Deserialize)]
pub(super) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
}

/// A string, or a list. (By hand: an untagged enum would read each into a value first.)
pub(super) enum Content<'a, T> {
    Text(Cow<'a, str>),
    List(Vec<T>),
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Content<'a, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Contents(PhantomData))
    }
}

struct Contents<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Contents<T> {
    type Value = Content<'de, T>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a string or a list")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(Content::List)
    }
}
