//! Builds small transcripts record by record.

use serde_json::{Value, json};

use super::{Folded, fold, fold_with};
use trace_model::fold::FoldConfig;

/// A transcript under way. Every record gets an id, a time a second after the one before, and the
/// session's id; [`Script::with`] replaces what a test wants otherwise.
#[derive(Clone, Default)]
pub(crate) struct Script {
    pieces: Vec<Piece>,
    ids: u64,
    pub(crate) clock: u64,
}

#[derive(Clone)]
enum Piece {
    Record(Value),
    Raw(Vec<u8>),
}

/// The usage of a call: input, output, cache writes, cache reads.
pub(crate) fn usage(input: u64, output: u64, writes: u64, reads: u64) -> Value {
    json!({
        "input_tokens": input,
        "output_tokens": output,
        "cache_creation_input_tokens": writes,
        "cache_read_input_tokens": reads,
    })
}

impl Script {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A record with the common fields, then the given ones.
    pub(crate) fn record(mut self, fields: Value) -> Self {
        self.ids += 1;
        self.clock += 1;
        let (minute, second) = (self.clock / 60, self.clock % 60);
        let mut record = json!({
            "uuid": format!("u{:04}", self.ids),
            "timestamp": format!("2030-01-02T{:02}:{:02}:{second:02}.000Z", 3 + minute / 60, minute % 60),
            "sessionId": "s1",
            "isSidechain": false,
        });
        merge(&mut record, fields);
        self.pieces.push(Piece::Record(record));
        self
    }

    /// Bytes as they are.
    pub(crate) fn raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.pieces.push(Piece::Raw(bytes.as_ref().to_vec()));
        self
    }

    /// Replaces fields of the last record, at any depth; `null` takes one out.
    pub(crate) fn with(mut self, fields: Value) -> Self {
        if let Some(Piece::Record(record)) = self.pieces.last_mut() {
            merge(record, fields);
        }
        self
    }

    /// The last record again, as it is.
    pub(crate) fn again(mut self) -> Self {
        self.pieces.extend(self.pieces.last().cloned());
        self
    }

    pub(crate) fn prompt(self, text: &str) -> Self {
        self.user(json!(text))
    }

    pub(crate) fn user(self, content: Value) -> Self {
        self.record(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    pub(crate) fn interruption(self) -> Self {
        self.user(json!([{"type": "text", "text": "[Request interrupted by user]"}]))
    }

    /// An answer of the model: message and request id, content blocks, usage.
    pub(crate) fn answer(self, message: &str, request: &str, content: Value, usage: Value) -> Self {
        self.record(json!({
            "type": "assistant",
            "requestId": request,
            "message": {
                "id": message,
                "role": "assistant",
                "model": "claude-demo-1",
                "content": content,
                "usage": usage,
            },
        }))
    }

    /// An answer without usage of its own, each an API call of its own.
    pub(crate) fn blocks(self, content: Value) -> Self {
        let id = self.ids + 1;
        self.answer(&format!("m{id}"), &format!("r{id}"), content, usage(1, 1, 0, 0))
    }

    pub(crate) fn says(self, text: &str) -> Self {
        self.blocks(json!([{"type": "text", "text": text}]))
    }

    pub(crate) fn call(self, id: &str, tool: &str, input: Value) -> Self {
        self.blocks(json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]))
    }

    pub(crate) fn result(self, id: &str, text: &str) -> Self {
        self.user(json!([{"type": "tool_result", "tool_use_id": id, "content": text}]))
    }

    pub(crate) fn fails(self, id: &str, text: &str) -> Self {
        let block = json!({
            "type": "tool_result", "tool_use_id": id, "content": text, "is_error": true,
        });
        self.user(json!([block]))
    }

    /// A call and its result.
    pub(crate) fn done(self, tool: &str, input: Value, text: &str) -> Self {
        let id = format!("call{}", self.ids);
        self.call(&id, tool, input).result(&id, text)
    }

    pub(crate) fn read(self, path: &str, text: &str) -> Self {
        self.done("Read", json!({"file_path": path}), text)
    }

    pub(crate) fn read_part(
        self,
        path: &str,
        offset: Option<u64>,
        limit: Option<u64>,
        text: &str,
    ) -> Self {
        let mut input = json!({"file_path": path});
        if let Some(offset) = offset {
            input["offset"] = json!(offset);
        }
        if let Some(limit) = limit {
            input["limit"] = json!(limit);
        }
        self.done("Read", input, text)
    }

    pub(crate) fn bash(self, command: &str, text: &str) -> Self {
        self.done("Bash", json!({"command": command}), text)
    }

    /// One line a record.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Record(record) => {
                    bytes.extend(record.to_string().bytes());
                    bytes.push(b'\n');
                }
                Piece::Raw(raw) => bytes.extend(raw),
            }
        }
        bytes
    }

    /// The records, each as its line without the line feed.
    pub(crate) fn lines(&self) -> Vec<String> {
        let records = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Record(record) => Some(record.to_string()),
            Piece::Raw(_) => None,
        });
        records.collect()
    }

    pub(crate) fn fold(&self) -> Folded {
        fold(&self.bytes())
    }

    pub(crate) fn fold_with(&self, config: FoldConfig) -> Folded {
        fold_with(&self.bytes(), config)
    }
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                if value.is_null() {
                    into.remove(&key);
                } else {
                    merge(into.entry(key).or_insert(Value::Null), value);
                }
            }
        }
        (into, from) => *into = from,
    }
}
