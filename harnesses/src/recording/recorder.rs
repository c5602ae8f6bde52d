//! The recorder: a run's transcript, record by record.

use serde::Serialize;
use serde_json::Value;
use trace_model::adapter::FileRole;
use trace_model::ids::Sha256;

use super::records::{
    AssistantMessage, Block, CacheCreation, Envelope, Title, UsageRecord, UserMessage, sorted,
};
use crate::usage::TokenUsage;

/// Seconds since 1970 of a record's first moment: 2026-11-29T00:00:00Z, the day of the built-in price
/// table, so that a record is priced by it.
pub const EPOCH: i64 = 1_795_910_400;

/// Seconds from one turn to the next. Below any cache's lifetime, as a worker's steps are.
pub const STEP_SECONDS: u64 = 6;

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

/// A transcript that is being written.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// How the transcript is read.
    role: FileRole,
    bytes: Vec<u8>,
    /// The digest of the run's name, in hex: ids are derived from it.
    digest: String,
    session_id: String,
    model: String,
    records: u64,
    turns: u64,
    parent: Option<String>,
    /// The id of the call that has no result yet.
    open: Option<String>,
}

impl Recorder {
    /// An empty record, before the run begins.
    pub fn new(label: &RunLabel) -> Self {
        let name = label.session.as_bytes();
        let digest = Sha256::of_parts(&[b"tracefold/recording/1\0", name]).to_string();
        let session_id = uuid(&digest, u64::MAX);
        let mut recorder = Self {
            role: FileRole::default(),
            bytes: Vec::new(),
            digest,
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

    /// A record that takes over what another client wrote: nothing is written into it but by
    /// [`Recorder::copy`].
    pub fn copying(role: FileRole) -> Self {
        Self {
            role,
            bytes: Vec::new(),
            digest: String::new(),
            session_id: String::new(),
            model: String::new(),
            records: 0,
            turns: 0,
            parent: None,
            open: None,
        }
    }

    /// Takes over the next bytes that another client wrote.
    pub fn copy(&mut self, records: &[u8]) {
        self.bytes.extend_from_slice(records);
    }

    /// How the transcript is read.
    pub fn role(&self) -> &FileRole {
        &self.role
    }

    /// Records what the worker was told to do.
    pub fn goal(&mut self, text: &str) {
        self.user(text, None);
    }

    /// Records a worker turn: what else it said, the call (tool and arguments), and the tokens of both. Its
    /// result, if it made a call, is recorded by [`Recorder::result`].
    pub fn turn(&mut self, said: &str, call: Option<(&str, &Value)>, usage: TokenUsage) {
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
        let uuid = uuid(&self.digest, self.records);
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
        format!("{prefix}_{}{number:08}", &self.digest[..16])
    }
}

/// A UUID (version 8, RFC 9562) of a session's record.
fn uuid(digest: &str, record: u64) -> String {
    let of_session = &digest[16..32];
    let of_record = format!("{:016x}", (0x8000 << 48) | (record & (u64::MAX >> 2)));
    format!(
        "{}-{}-8{}-{}-{}",
        &of_session[..8],
        &of_session[8..12],
        &of_session[13..],
        &of_record[..4],
        &of_record[4..]
    )
}
