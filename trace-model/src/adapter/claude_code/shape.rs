//! The parts of a Claude Code record that tracefold reads, as they stand in the JSON.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, SeqAccess};
use serde_json::value::RawValue;

use super::lenient::{Amount, Count, Field, Instant, Shape, lenient_object};

type Text<'de> = Cow<'de, str>;

lenient_object! {
    /// A whole record.
    Envelope {
        "type" => kind: Text<'de>,
        "subtype" => subtype: Text<'de>,
        "uuid" => uuid: Text<'de>,
        "parentUuid" => parent: Text<'de>,
        "timestamp" => timestamp: Instant,
        "sessionId" => session: Text<'de>,
        "isSidechain" => sidechain: bool,
        "isMeta" => meta: bool,
        "isCompactSummary" => compact_summary: bool,
        "isVisibleInTranscriptOnly" => transcript_only: bool,
        "isApiErrorMessage" => api_error: bool,
        "agentId" => agent: Text<'de>,
        "requestId" => request_id: Text<'de>,
        "message" => message: Message<'de>,
        "data" => data: Progress<'de>,
        "parentToolUseID" => launched_by: Text<'de>,
        "attachment" => attachment: Attachment<'de>,
        "toolDenialKind" => denial: Text<'de>,
        "origin" => origin: Origin<'de>,
        "compactMetadata" => compact_metadata: CompactMetadata<'de>,
        "cwd" => cwd: Text<'de>,
        "version" => version: Text<'de>,
        "gitBranch" => branch: Text<'de>,
        "summary" => summary: Text<'de>,
        "aiTitle" => ai_title: Text<'de>,
        "customTitle" => custom_title: Text<'de>,
        "costUSD" => cost: Amount<'de>,
    }
}

lenient_object! {
    /// `data` of a progress record.
    Progress {
        "type" => kind: Text<'de>,
        "agentId" => agent: Text<'de>,
        "message" => message: Box<Envelope<'de>>,
    }
}

lenient_object! {
    /// `attachment` of an attachment record.
    Attachment {
        "type" => kind: Text<'de>,
        "prompt" => prompt: Content<'de>,
        "commandMode" => command_mode: Text<'de>,
        "origin" => origin: Origin<'de>,
    }
}

lenient_object! {
    /// Where a prompt came from.
    Origin { "kind" => kind: Text<'de> }
}

lenient_object! {
    /// `compactMetadata` of a compaction boundary.
    CompactMetadata { "trigger" => trigger: Text<'de> }
}

lenient_object! {
    /// `usage` of a message, or an entry of its `iterations`.
    Usage {
        "type" => kind: Text<'de>,
        "model" => model: Text<'de>,
        "input_tokens" => input: Count,
        "output_tokens" => output: Count,
        "cache_read_input_tokens" => cache_read: Count,
        "cache_creation_input_tokens" => cache_creation: Count,
        "cache_creation" => cache_split: CacheSplit<'de>,
        "server_tool_use" => server_tools: ServerTools<'de>,
        "speed" => speed: Text<'de>,
        "service_tier" => service_tier: Text<'de>,
        "inference_geo" => inference_geo: Text<'de>,
        "iterations" => iterations: Iterations<'de>,
    }
}

lenient_object! {
    /// `usage.cache_creation`.
    CacheSplit {
        "ephemeral_5m_input_tokens" => five_minutes: Count,
        "ephemeral_1h_input_tokens" => one_hour: Count,
    }
}

lenient_object! {
    /// `usage.server_tool_use`.
    ServerTools {
        "web_search_requests" => searches: Count,
        "web_fetch_requests" => fetches: Count,
    }
}

lenient_object! {
    /// A content block.
    Block {
        "type" => kind: Text<'de>,
        "text" => text: Text<'de>,
        "thinking" => thinking: Text<'de>,
        "id" => id: Text<'de>,
        "name" => name: Text<'de>,
        "input" => input: Raw<'de>,
        "tool_use_id" => tool_use_id: Text<'de>,
        "content" => content: Content<'de>,
        "is_error" => is_error: bool,
    }
}

lenient_object! {
    /// `message` where it is an object.
    MessageObject {
        "id" => id: Text<'de>,
        "model" => model: Text<'de>,
        "content" => content: Blocks<'de>,
        "usage" => usage: Usage<'de>,
    }
}

impl<'de> Shape<'de> for Box<Envelope<'de>> {
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let field = Envelope::from_map(map)?;
        Ok(Field { value: field.value.map(Box::new), odd: field.odd })
    }
}

/// `message`: an object, or in odd records its text alone.
#[derive(Clone, Debug)]
pub(super) struct Message<'de> {
    pub(super) object: Box<MessageObject<'de>>,
}

impl<'de> Shape<'de> for Message<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        let content = Field::expected(Blocks::Text(v));
        Field::salvaged(Some(Self {
            object: Box::new(MessageObject { content, ..MessageObject::default() }),
        }))
    }
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let field = MessageObject::from_map(map)?;
        Ok(Field { value: field.value.map(|o| Self { object: Box::new(o) }), odd: field.odd })
    }
}

/// `message.content`.
#[derive(Clone, Debug)]
pub(super) enum Blocks<'de> {
    Text(Cow<'de, str>),
    List(Vec<BlockItem<'de>>),
}

impl<'de> Shape<'de> for Blocks<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(Self::Text(v))
    }
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Field<Self>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = seq.next_element::<Field<BlockItem<'de>>>()? {
            list.push(item.value.unwrap_or(BlockItem::Odd));
        }
        Ok(Field::expected(Self::List(list)))
    }
}

/// An entry of `message.content`.
#[derive(Clone, Debug)]
pub(super) enum BlockItem<'de> {
    Block(Box<Block<'de>>),
    Text(Cow<'de, str>),
    Odd,
}

impl<'de> Shape<'de> for BlockItem<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(Self::Text(v))
    }
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let field = Block::from_map(map)?;
        Ok(Field { value: field.value.map(|b| Self::Block(Box::new(b))), odd: field.odd })
    }
}

/// A text, or the texts of a list of text blocks joined by line feeds.
#[derive(Clone, Debug)]
pub(super) struct Content<'de>(pub(super) Cow<'de, str>);

impl<'de> Shape<'de> for Content<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(Self(v))
    }
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Field<Self>, A::Error> {
        let mut joined: Option<Cow<'de, str>> = None;
        while let Some(item) = seq.next_element::<Field<TextBlock<'de>>>()? {
            let text = item
                .value
                .filter(|block| block.kind.value.as_deref() == Some("text"))
                .and_then(|block| block.text.value);
            let Some(text) = text else { continue };
            match &mut joined {
                None => joined = Some(text),
                Some(all) => {
                    let all = all.to_mut();
                    all.push('\n');
                    all.push_str(&text);
                }
            }
        }
        Ok(Field::expected(Self(joined.unwrap_or_default())))
    }
}

lenient_object! {
    /// A block of a tool result's content.
    TextBlock {
        "type" => kind: Text<'de>,
        "text" => text: Text<'de>,
    }
}

/// `usage.iterations`.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterations<'de>(pub(super) Vec<Usage<'de>>);

impl<'de> Shape<'de> for Iterations<'de> {
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Field<Self>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = seq.next_element::<Field<Usage<'de>>>()? {
            list.extend(item.value);
        }
        Ok(Field::expected(Self(list)))
    }
}

/// Any JSON value as it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'de>(pub(super) &'de RawValue);

impl<'de> Deserialize<'de> for Field<Raw<'de>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|raw| Self::expected(Raw(raw)))
    }
}

/// A line's next JSON value: a record, or something else.
#[derive(Debug)]
pub(super) struct Piece<'de>(pub(super) Option<Box<Envelope<'de>>>);

impl<'de> Deserialize<'de> for Piece<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Field::<Box<Envelope<'de>>>::deserialize(deserializer).map(|field| Self(field.value))
    }
}
