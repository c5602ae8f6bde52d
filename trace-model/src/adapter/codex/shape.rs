//! The parts of a rollout's records that tracefold reads, as they stand in the JSON.

use std::borrow::Cow;

use serde::de::{Deserialize, MapAccess, SeqAccess};

use crate::adapter::lenient::{
    AnyField, Count, Field, Instant, ObjectOnly, Shape, TextOnly, lenient_object,
};

pub(super) type Text<'de> = Cow<'de, str>;

lenient_object! {
    /// A whole record.
    Envelope {
        "timestamp" => time: Field<Instant>,
        "type" => kind: Field<Text<'de>>,
        "ordinal" => ordinal: Field<Count>,
        "payload" => payload: Field<Box<Payload<'de>>>,
    }
}

lenient_object! {
    /// `payload`: the fields of every type of record. Those that hold something else in some type take any
    /// value.
    Payload {
        "type" => kind: Field<Text<'de>>,
        // Of the thread.
        "id" => id: Field<Text<'de>>,
        "forked_from_id" => forked_from: Field<Text<'de>>,
        "subagent_history_start_ordinal" => history_start: Field<Count>,
        "cli_version" => version: Field<Text<'de>>,
        "cwd" => cwd: Field<Text<'de>>,
        "git" => git: ObjectOnly<Git<'de>>,
        // Of a turn.
        "turn_id" => turn: Field<Text<'de>>,
        "model" => model: TextOnly<'de>,
        "approval_policy" => approval: AnyField<'de>,
        "sandbox_policy" => sandbox: AnyField<'de>,
        "num_turns" => rolled_back: Field<Count>,
        // Of messages.
        "role" => role: TextOnly<'de>,
        "content" => content: AnyField<'de>,
        "summary" => summary: AnyField<'de>,
        "message" => message: TextOnly<'de>,
        "kind" => input_kind: TextOnly<'de>,
        "images" => images: AnyField<'de>,
        "local_images" => local_images: AnyField<'de>,
        "item" => item: ObjectOnly<Item<'de>>,
        "thread_name" => title: TextOnly<'de>,
        // Of calls and their results.
        "name" => name: TextOnly<'de>,
        "namespace" => namespace: TextOnly<'de>,
        "call_id" => call_id: Field<Text<'de>>,
        "arguments" => arguments: AnyField<'de>,
        "input" => input: AnyField<'de>,
        "action" => action: AnyField<'de>,
        "output" => output: AnyField<'de>,
        "tools" => tools: AnyField<'de>,
        "status" => status: TextOnly<'de>,
        "exit_code" => exit_code: AnyField<'de>,
        "success" => success: AnyField<'de>,
        "result" => result: AnyField<'de>,
        // Of usage.
        "info" => info: ObjectOnly<Info<'de>>,
        "usage" => usage: ObjectOnly<Usage<'de>>,
        "response_id" => response: TextOnly<'de>,
        "thread_id" => thread: TextOnly<'de>,
    }
}

impl<'de> Shape<'de> for Box<Payload<'de>> {
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let field = Payload::from_map(map)?;
        Ok(Field { value: field.value.map(Box::new), odd: field.odd })
    }
    fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
        (**self).collect_odd_within(odd);
    }
}

lenient_object! {
    /// `git` of a thread.
    Git { "branch" => branch: Field<Text<'de>> }
}

lenient_object! {
    /// `item` of a completed item.
    Item {
        "type" => kind: Field<Text<'de>>,
        "content" => content: Field<Content<'de>>,
    }
}

lenient_object! {
    /// `info` of a count of tokens.
    Info {
        "total_token_usage" => total: ObjectOnly<Usage<'de>>,
        "last_token_usage" => last: ObjectOnly<Usage<'de>>,
    }
}

lenient_object! {
    /// Tokens. Cached and written ones are part of the input, reasoning is part of the output.
    Usage {
        "input_tokens" => input: Field<Count>,
        "cached_input_tokens" => cached: Field<Count>,
        "cache_write_input_tokens" => written: Field<Count>,
        "output_tokens" => output: Field<Count>,
        "total_tokens" => total: Field<Count>,
    }
}

lenient_object! {
    /// A block of a message, a summary or an output.
    Part {
        "type" => kind: Field<Text<'de>>,
        "text" => text: Field<Text<'de>>,
        "refusal" => refusal: Field<Text<'de>>,
    }
}

/// A text, or a list of blocks.
#[derive(Clone, Debug)]
pub(super) enum Content<'de> {
    Text(Text<'de>),
    Blocks(Vec<Block<'de>>),
}

/// A block of a content.
#[derive(Clone, Debug)]
pub(super) enum Block<'de> {
    Part(Box<Part<'de>>),
    Text(Text<'de>),
    Odd,
}

impl<'de> Shape<'de> for Block<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(Self::Text(v))
    }
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let field = Part::from_map(map)?;
        Ok(Field { value: field.value.map(|part| Self::Part(Box::new(part))), odd: field.odd })
    }
}

impl<'de> Shape<'de> for Content<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(Self::Text(v))
    }
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Field<Self>, A::Error> {
        let mut blocks = Vec::new();
        while let Some(block) = seq.next_element::<Field<Block<'de>>>()? {
            blocks.push(block.value.unwrap_or(Block::Odd));
        }
        Ok(Field::expected(Self::Blocks(blocks)))
    }
}

impl<'de> Content<'de> {
    /// The text; of blocks, the texts of those that are objects and have one, joined by line feeds.
    pub(super) fn into_text(self) -> Text<'de> {
        let blocks = match self {
            Self::Text(text) => return text,
            Self::Blocks(blocks) => blocks,
        };
        let mut texts = blocks.into_iter().filter_map(|block| match block {
            Block::Part(part) => part.text.value,
            Block::Text(_) | Block::Odd => None,
        });
        let Some(mut joined) = texts.next() else { return Cow::Borrowed("") };
        for text in texts {
            let joined = joined.to_mut();
            joined.push('\n');
            joined.push_str(&text);
        }
        joined
    }
}

/// The value of a field that takes any, if it can be read as this; `null` cannot.
pub(super) fn read<'a, T: Shape<'a>>(field: AnyField<'a>) -> Option<T> {
    read_text(field.0?.get())
}

/// A JSON text's value, if it can be read as this.
pub(super) fn read_text<'a, T: Shape<'a>>(json: &'a str) -> Option<T> {
    serde_json::from_str::<Field<T>>(json).ok()?.value
}

/// The value of a field that takes any, by the rules of the parser alone.
pub(super) fn plain<'a, T: Deserialize<'a>>(field: AnyField<'a>) -> Option<T> {
    serde_json::from_str(field.0?.get()).ok()
}
