//! The parts of a Claude Code record that tracefold reads, as written in the JSON.

use std::borrow::Cow;

use serde::de::SeqAccess;

use crate::adapter::lenient::{
    Amount, AnyField, Count, Field, Instant, ObjectOnly, Shape, TextOnly, lenient_object,
};

use crate::json::Key;

type Text<'de> = Cow<'de, str>;

lenient_object! {
    /// A whole record.
    Envelope {
        "type" => kind: Field<Text<'de>>,
        "subtype" => subtype: Field<Text<'de>>,
        "uuid" => uuid: Field<Text<'de>>,
        "parentUuid" => parent: Field<Text<'de>>,
        "timestamp" => timestamp: Field<Instant>,
        "sessionId" => session: Field<Text<'de>>,
        "session_id" => stream_session: Field<Text<'de>>,
        "isSidechain" => sidechain: Field<bool>,
        "isMeta" => meta: Field<bool>,
        "isSynthetic" => synthetic: Field<bool>,
        "isCompactSummary" => compact_summary: Field<bool>,
        "isVisibleInTranscriptOnly" => transcript_only: Field<bool>,
        "isApiErrorMessage" => api_error: Field<bool>,
        "agentId" => agent: Field<Text<'de>>,
        "parent_tool_use_id" => parent_tool_use: Field<Text<'de>>,
        "sourceToolUseID" => source_tool_use: Field<Text<'de>>,
        "toolUseResult" => tool_use_result: ObjectOnly<ToolUseResult<'de>>,
        "permissionMode" => permission_mode: Field<Text<'de>>,
        "content" => content: TextOnly<'de>,
        "requestId" => request_id: Field<Text<'de>>,
        "message" => message: Field<Message<'de>>,
        "data" => data: Field<Progress<'de>>,
        "parentToolUseID" => launched_by: Field<Text<'de>>,
        "attachment" => attachment: Field<Attachment<'de>>,
        "toolDenialKind" => denial: Field<Text<'de>>,
        "origin" => origin: Field<Origin<'de>>,
        "compactMetadata" => compact_metadata: Field<CompactMetadata<'de>>,
        "cwd" => cwd: Field<Text<'de>>,
        "version" => version: Field<Text<'de>>,
        "gitBranch" => branch: Field<Text<'de>>,
        "summary" => summary: Field<Text<'de>>,
        "aiTitle" => ai_title: Field<Text<'de>>,
        "customTitle" => custom_title: Field<Text<'de>>,
        "costUSD" => cost: Field<Amount<'de>>,
        "modelUsage" => model_usage: Field<ModelUsages<'de>>,
        "total_cost_usd" => total_cost: Field<Amount<'de>>,
    }
}

lenient_object! {
    /// `data` of a progress record.
    Progress {
        "type" => kind: Field<Text<'de>>,
        "agentId" => agent: Field<Text<'de>>,
        "message" => message: Field<Box<Envelope<'de>>>,
        "hookEvent" => hook_event: Field<Text<'de>>,
    }
}

lenient_object! {
    /// `toolUseResult` where it is an object; tools put anything there, so nothing in it is odd.
    ToolUseResult {
        "status" => status: Field<Text<'de>>,
        "agentId" => agent: Field<Text<'de>>,
        "taskId" => task_id_camel: Field<Text<'de>>,
        "task_id" => task_id: Field<Text<'de>>,
        "backgroundTaskId" => background_task: Field<Text<'de>>,
        "task" => task: Field<TaskStanding<'de>>,
    }
}

lenient_object! {
    /// `toolUseResult.task`.
    TaskStanding {
        "task_id" => id: Field<Text<'de>>,
        "status" => status: Field<Text<'de>>,
    }
}

lenient_object! {
    /// `attachment` of an attachment record.
    Attachment {
        "type" => kind: Field<Text<'de>>,
        "prompt" => prompt: Field<Content<'de>>,
        "commandMode" => command_mode: Field<Text<'de>>,
        "origin" => origin: Field<Origin<'de>>,
    }
}

lenient_object! {
    /// Where a prompt came from.
    Origin { "kind" => kind: Field<Text<'de>> }
}

lenient_object! {
    /// `compactMetadata` of a compaction boundary.
    CompactMetadata { "trigger" => trigger: Field<Text<'de>> }
}

lenient_object! {
    /// `usage` of a message, or an entry of its `iterations`.
    Usage {
        "type" => kind: Field<Text<'de>>,
        "model" => model: Field<Text<'de>>,
        "input_tokens" => input: Field<Count>,
        "output_tokens" => output: Field<Count>,
        "cache_read_input_tokens" => cache_read: Field<Count>,
        "cache_creation_input_tokens" => cache_creation: Field<Count>,
        "cache_creation" => cache_split: Field<CacheSplit<'de>>,
        "server_tool_use" => server_tools: Field<ServerTools<'de>>,
        "speed" => speed: Field<Text<'de>>,
        "service_tier" => service_tier: Field<Text<'de>>,
        "inference_geo" => inference_geo: Field<Text<'de>>,
        "iterations" => iterations: Field<Iterations<'de>>,
    }
}

lenient_object! {
    /// `usage.cache_creation`.
    CacheSplit {
        "ephemeral_5m_input_tokens" => five_minutes: Field<Count>,
        "ephemeral_1h_input_tokens" => one_hour: Field<Count>,
    }
}

lenient_object! {
    /// `usage.server_tool_use`.
    ServerTools {
        "web_search_requests" => searches: Field<Count>,
        "web_fetch_requests" => fetches: Field<Count>,
    }
}

lenient_object! {
    /// An entry of `modelUsage`.
    ModelUsage {
        "inputTokens" => input: Field<Count>,
        "outputTokens" => output: Field<Count>,
        "cacheReadInputTokens" => cache_read: Field<Count>,
        "cacheCreationInputTokens" => cache_creation: Field<Count>,
        "webSearchRequests" => searches: Field<Count>,
    }
}

/// `modelUsage` of a `result` record: by model.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelUsages<'de>(pub(super) Vec<(Text<'de>, ModelUsage<'de>)>);

impl<'de> Shape<'de> for ModelUsages<'de> {
    fn from_map<A: serde::de::MapAccess<'de>>(mut map: A) -> Result<Field<Self>, A::Error> {
        let mut list: Vec<(Text<'de>, ModelUsage<'de>)> = Vec::new();
        while let Some((Key(name), entry)) = map.next_entry::<Key<'de>, Field<ModelUsage<'de>>>()? {
            // Of a repeated key the last value counts.
            list.retain(|(known, _)| *known != name);
            list.extend(entry.value.map(|entry| (name, entry)));
        }
        Ok(Field::expected(Self(list)))
    }
    fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
        self.0.iter().for_each(|(_, entry)| entry.collect_odd_within(odd));
    }
}

lenient_object! {
    /// A content block.
    Block {
        "type" => kind: Field<Text<'de>>,
        "text" => text: Field<Text<'de>>,
        "thinking" => thinking: Field<Text<'de>>,
        "signature" => signature: Field<Text<'de>>,
        "id" => id: Field<Text<'de>>,
        "name" => name: Field<Text<'de>>,
        "input" => input: AnyField<'de>,
        "tool_use_id" => tool_use_id: Field<Text<'de>>,
        "content" => content: Field<Content<'de>>,
        "is_error" => is_error: Field<bool>,
    }
}

lenient_object! {
    /// `message` where it is an object.
    MessageObject {
        "id" => id: Field<Text<'de>>,
        "model" => model: Field<Text<'de>>,
        "content" => content: Field<Blocks<'de>>,
        "stop_reason" => stop_reason: Field<Text<'de>>,
        "usage" => usage: Field<Usage<'de>>,
    }
}

impl<'de> Shape<'de> for Box<Envelope<'de>> {
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let mut envelope = Self::default();
        envelope.fill(map)?;
        Ok(Field::expected(envelope))
    }
    fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
        (**self).collect_odd_within(odd);
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
        let mut object = Box::<MessageObject<'_>>::default();
        object.fill(map)?;
        Ok(Field::expected(Self { object }))
    }
    fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
        self.object.collect_odd_within(odd);
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
    fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
        let Self::List(items) = self else { return };
        for item in items {
            match item {
                BlockItem::Block(block) => block.collect_odd_within(odd),
                BlockItem::Text(_) | BlockItem::Odd => odd.push("content[]"),
            }
        }
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
        let mut block = Box::<Block<'_>>::default();
        block.fill(map)?;
        Ok(Field::expected(Self::Block(block)))
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
        "type" => kind: Field<Text<'de>>,
        "text" => text: Field<Text<'de>>,
    }
}

/// `usage.iterations`: its entries with their places in the list, leaving out those that are not objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterations<'de>(pub(super) Vec<(u32, Usage<'de>)>);

impl<'de> Shape<'de> for Iterations<'de> {
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Field<Self>, A::Error> {
        let mut list = Vec::new();
        let mut at = 0_u32;
        while let Some(item) = seq.next_element::<Field<Usage<'de>>>()? {
            list.extend(item.value.map(|entry| (at, entry)));
            at = at.saturating_add(1);
        }
        Ok(Field::expected(Self(list)))
    }
    fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
        self.0.iter().for_each(|(_, entry)| entry.collect_odd_within(odd));
    }
}
