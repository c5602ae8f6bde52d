//! The recorder: a run's transcript, record by record.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::records::{
    AssistantMessage, Block, CacheCreation, Envelope, Title, UsageRecord, UserMessage, sorted,
};
use super::{EPOCH, STEP_SECONDS};

/// What names a run in its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLabel {
    /// Tells the run from every other: ids are derived from it.
    pub session: String,
    /// What the run is called.
    pub title: String,
    /// The worker's model.
    pub model: String,
}

/// The tokens of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Input that was neither read from a cache nor written to one.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Read from a cache.
    pub cache_read: u64,
    /// Written to one for five minutes.
    pub cache_write_5m: u64,
    /// Written to one for an hour.
    pub cache_write_1h: u64,
}

/// A transcript that is being written.
#[derive(Debug, Clone)]
pub struct Recorder {
    bytes: Vec<u8>,
    session: Vec<u8>,
    session_id: String,
    model: String,
    records: u64,
    turns: u64,
    parent: Option<String>,
    /// The id of the call that has no result yet.
    open: Option<String>,
}

impl Recorder {
    /// The record of a run that has not begun.
    pub fn new(label: &RunLabel) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"tracefold/recording/1\0");
        hash.update(label.session.as_bytes());
        let session = hash.finalize().to_vec();
        let session_id = uuid(&session, u64::MAX);
        let mut recorder = Self {
            bytes: Vec::new(),
            session,
            session_id,
            model: label.model.clone(),
            records: 0,
            turns: 0,
            parent: None,
            open: None,
        };
        let session_id = recorder.session_id.clone();
        let title = &label.title;
        recorder.line(&Title { kind: "custom-title", text: title, session_id: &session_id });
        recorder
    }

    /// Records what the worker was told to do.
    pub fn goal(&mut self, text: &str) {
        self.user(text, None);
    }

    /// Records a turn of the worker: what it said beside its call, the call (tool and arguments), and
    /// the tokens of both. Its result, if it made a call, is recorded by [`Recorder::result`].
    pub fn turn(&mut self, said: &str, call: Option<(&str, &Value)>, usage: Usage) {
        self.turns += 1;
        let turn = self.turns;
        let call_id = self.id("toolu", turn);
        let mut content = Vec::new();
        if !said.is_empty() {
            content.push(Block::Text { text: said });
        }
        if let Some((name, input)) = call {
            content.push(Block::ToolUse { id: &call_id, name, input: sorted(input) });
        }
        let model = self.model.clone();
        let message = AssistantMessage {
            id: self.id("msg", turn),
            kind: "message",
            role: "assistant",
            model: &model,
            content,
            stop_reason: if call.is_some() { "tool_use" } else { "end_turn" },
            usage: UsageRecord {
                input_tokens: usage.input,
                cache_creation_input_tokens: usage.cache_write_5m + usage.cache_write_1h,
                cache_read_input_tokens: usage.cache_read,
                cache_creation: CacheCreation {
                    ephemeral_5m_input_tokens: usage.cache_write_5m,
                    ephemeral_1h_input_tokens: usage.cache_write_1h,
                },
                output_tokens: usage.output,
            },
        };
        let request = self.id("req", turn);
        self.enveloped("assistant", message, None, Some(request));
        self.open = call.is_some().then_some(call_id);
    }

    /// Records the result of the last turn's call. Does nothing where that made none, or its result is
    /// recorded already.
    pub fn result(&mut self, text: &str, is_error: bool) {
        if let Some(call) = self.open.take() {
            let content = [Block::ToolResult { tool_use_id: &call, content: text, is_error }];
            self.enveloped("user", UserMessage { role: "user", content }, None, None);
        }
    }

    /// Records what the harness told the worker of a reply that it could not read.
    pub fn protocol_error(&mut self, text: &str) {
        self.user(text, Some(true));
    }

    /// The transcript so far. It only ever grows.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The transcript.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Turns so far.
    pub fn step(&self) -> u64 {
        self.turns
    }

    /// Logical seconds since the run began, at the start of the next turn.
    pub fn seconds(&self) -> u64 {
        (self.turns + 1) * STEP_SECONDS
    }

    fn user(&mut self, text: &str, is_meta: Option<bool>) {
        self.enveloped("user", UserMessage { role: "user", content: text }, is_meta, None);
    }

    fn enveloped(
        &mut self,
        kind: &'static str,
        message: impl Serialize,
        is_meta: Option<bool>,
        request_id: Option<String>,
    ) {
        let uuid = uuid(&self.session, self.records);
        let (parent, session_id) = (self.parent.take(), self.session_id.clone());
        self.line(&Envelope {
            parent_uuid: parent.as_deref(),
            is_sidechain: false,
            user_type: "external",
            cwd: "/workbench",
            session_id: &session_id,
            version: env!("CARGO_PKG_VERSION"),
            kind,
            message,
            is_meta,
            request_id,
            uuid: &uuid,
            timestamp: self.time(),
        });
        self.records += 1;
        self.parent = Some(uuid);
    }

    /// The moment of the next record: a turn's own, and a second later what answers it.
    fn time(&self) -> String {
        let answers = u64::from(self.open.is_some());
        let seconds = i64::try_from(self.turns * STEP_SECONDS + answers).unwrap_or(i64::MAX);
        // Within jiff's range for any number of turns that a run can have.
        jiff::Timestamp::from_second(EPOCH.saturating_add(seconds))
            .unwrap_or(jiff::Timestamp::MAX)
            .to_string()
    }

    fn line(&mut self, record: &impl Serialize) {
        // A struct of strings, numbers and JSON values always serializes into memory.
        if serde_json::to_writer(&mut self.bytes, record).is_ok() {
            self.bytes.push(b'\n');
        }
    }

    fn id(&self, prefix: &str, number: u64) -> String {
        format!("{prefix}_{}{number:08}", hex(&self.session[..8]))
    }
}

/// A UUID (version 8, RFC 9562) of a session's record.
fn uuid(session: &[u8], record: u64) -> String {
    let mut bytes = [0_u8; 16];
    bytes[..8].copy_from_slice(&session[8..16]);
    bytes[8..].copy_from_slice(&record.to_be_bytes());
    bytes[6] = 0x80 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    let hex = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
