//! Short ways to write records down, and to recount them.

use ground_truth::oracle::{Recount, RunFiles, recount};
use serde_json::{Value, json};

/// Recounts a session file that holds these records, one a line.
pub(crate) fn count(records: &[Value]) -> Recount {
    count_bytes(lines(records))
}

/// Recounts a session file that holds these bytes.
pub(crate) fn count_bytes(bytes: impl Into<Vec<u8>>) -> Recount {
    recount(&RunFiles::from_bytes(vec![("s.jsonl".into(), bytes.into())]))
}

/// Recounts a run of several files, each given by its path and records.
pub(crate) fn count_files(files: &[(&str, &[Value])]) -> Recount {
    let file =
        |(name, records): &(&str, &[Value])| ((*name).to_owned(), lines(records).into_bytes());
    recount(&RunFiles::from_bytes(files.iter().map(file).collect()))
}

/// Records as lines.
pub(crate) fn lines(records: &[Value]) -> String {
    let mut texts: Vec<String> = records.iter().map(Value::to_string).collect();
    texts.push(String::new());
    texts.join("\n")
}

/// A `user` record with this content.
pub(crate) fn user(content: impl Into<Value>) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": content.into()}})
}

/// An `assistant` record with these blocks and no ids.
pub(crate) fn assistant(blocks: impl Into<Value>) -> Value {
    json!({"type": "assistant", "message": {"role": "assistant", "content": blocks.into()}})
}

/// An `assistant` record with one tool call.
pub(crate) fn call(id: &str, tool: &str, input: impl Into<Value>) -> Value {
    assistant(json!([{"type": "tool_use", "id": id, "name": tool, "input": input.into()}]))
}

/// A `user` record with one result.
pub(crate) fn result(id: &str, text: &str) -> Value {
    user(json!([{"type": "tool_result", "tool_use_id": id, "content": text}]))
}

/// A `user` record with one result that is an error.
pub(crate) fn failure(id: &str, text: &str) -> Value {
    user(json!([{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": true}]))
}

/// An `assistant` record that reports an API call.
pub(crate) fn api(message: &str, request: &str, usage: &Value) -> Value {
    json!({
        "type": "assistant",
        "requestId": request,
        "message": {"id": message, "model": "m", "content": [], "usage": usage},
    })
}

/// The record with further fields.
pub(crate) fn with(mut record: Value, fields: &Value) -> Value {
    for (key, value) in fields.as_object().unwrap() {
        record[key] = value.clone();
    }
    record
}

/// The record in a `progress` record of an agent that a call launched.
pub(crate) fn progress(agent: &str, launching_call: &str, inner: &Value) -> Value {
    json!({
        "type": "progress",
        "parentToolUseID": launching_call,
        "data": {"type": "agent_progress", "agentId": agent, "message": inner},
    })
}

/// Owned texts.
pub(crate) fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(|&text| text.to_owned()).collect()
}
