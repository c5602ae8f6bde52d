//! The shapes of the records that are written.

use serde::Serialize;
use serde_json::{Map, Value};

/// A record of the conversation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Envelope<'a, M> {
    pub(super) parent_uuid: Option<&'a str>,
    pub(super) is_sidechain: bool,
    pub(super) user_type: &'static str,
    pub(super) cwd: &'static str,
    pub(super) session_id: &'a str,
    pub(super) version: &'static str,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) message: M,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) is_meta: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<String>,
    pub(super) uuid: &'a str,
    pub(super) timestamp: String,
}

/// The session's title.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Title<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(rename = "customTitle")]
    pub(super) text: &'a str,
    pub(super) session_id: &'a str,
}

/// What a person, the harness or a tool says.
#[derive(Serialize)]
pub(super) struct UserMessage<C> {
    pub(super) role: &'static str,
    pub(super) content: C,
}

/// What the worker says.
#[derive(Serialize)]
pub(super) struct AssistantMessage<'a> {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) role: &'static str,
    pub(super) model: &'a str,
    pub(super) content: Vec<Block<'a>>,
    pub(super) stop_reason: &'static str,
    pub(super) usage: UsageRecord,
}

/// A content block.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Block<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: Value,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

/// `message.usage`.
#[derive(Serialize)]
pub(super) struct UsageRecord {
    pub(super) input_tokens: u64,
    pub(super) cache_creation_input_tokens: u64,
    pub(super) cache_read_input_tokens: u64,
    pub(super) cache_creation: CacheCreation,
    pub(super) output_tokens: u64,
}

/// `message.usage.cache_creation`.
#[derive(Serialize)]
pub(super) struct CacheCreation {
    pub(super) ephemeral_5m_input_tokens: u64,
    pub(super) ephemeral_1h_input_tokens: u64,
}

/// A value with its keys sorted at every depth, whatever order the parser was built to keep.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_unstable_by_key(|entry| entry.0);
            let entries = entries.into_iter().map(|(key, value)| (key.clone(), sorted(value)));
            Value::Object(entries.collect::<Map<String, Value>>())
        }
        Value::Array(list) => Value::Array(list.iter().map(sorted).collect()),
        other => other.clone(),
    }
}
