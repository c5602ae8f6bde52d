//! The oracle's events, calls and prompts in order, with their times: what the truth of a question is
//! read from.
//!
//! The recount says how many; this says which and when. It is made from the same lists as the recount and
//! adds no rule of its own to `docs/DEFINITIONS.md`. Used by `questions`.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::api_call::ModelTotals;
use super::json::canonical;
use super::parse::Json;
use super::tool_call::{Call, CallState};

/// A run in order.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// Prompts: what a person wrote to the main thread.
    pub prompts: Vec<TimedMessage>,
    /// The agents' own messages that are not blank, of all threads, API errors aside.
    pub messages: Vec<TimedMessage>,
    /// Counted calls of all threads.
    pub calls: Vec<TimedCall>,
    /// What is said of background tasks of the main thread where they failed.
    pub failed_tasks: Vec<TimedResult>,
    /// The earliest and the latest time that any record states.
    pub span: Option<(Timestamp, Timestamp)>,
    /// API calls and tokens by model, of all threads, with what is unattributed.
    pub by_model: BTreeMap<String, ModelTotals>,
}

/// Something said by a person or an agent.
#[derive(Debug, Clone)]
pub struct TimedMessage {
    /// The record's position in the run.
    pub record: usize,
    /// None for the main thread.
    pub agent: Option<String>,
    /// When, if the record states an RFC 3339 time.
    pub time: Option<Timestamp>,
    /// The whole text.
    pub text: String,
}

/// A tool call with its result and the state in which it ends.
#[derive(Debug, Clone)]
pub struct TimedCall {
    /// The record's position in the run.
    pub record: usize,
    /// None for the main thread.
    pub agent: Option<String>,
    /// The call's id.
    pub id: Option<String>,
    /// The tool's name; `unknown` for none.
    pub tool: String,
    /// The input.
    input: Option<Json>,
    /// The path that the input names.
    pub path: Option<String>,
    /// Whether the tool is one whose succeeded calls read a file.
    pub reads: bool,
    /// Whether the tool is one whose succeeded calls write a file.
    pub writes: bool,
    /// The state at the end; none for a call without an id.
    pub state: Option<CallState>,
    /// When it was made.
    pub time: Option<Timestamp>,
    /// The matched result.
    pub result: Option<TimedResult>,
}

/// The result of a call.
#[derive(Debug, Clone)]
pub struct TimedResult {
    /// The result's position among the events of the run, by which results are put in order.
    pub at: usize,
    /// Whether it comes after its call, as it should.
    pub after_call: bool,
    /// When it came.
    pub time: Option<Timestamp>,
    /// Its whole text.
    pub text: String,
}

impl TimedResult {
    /// What is said where a background task failed, by its position.
    pub(super) fn of_task((at, text): (usize, String)) -> Self {
        Self { at, after_call: true, time: None, text }
    }
}

impl TimedCall {
    /// Whether the call belongs to the main thread.
    #[must_use]
    pub fn in_main(&self) -> bool {
        self.agent.is_none()
    }

    /// The text of a field of the input that is a string.
    #[must_use]
    pub fn text_field(&self, key: &str) -> Option<&str> {
        self.input.as_ref()?.field(key).and_then(Json::text)
    }

    /// The input as compact JSON with keys sorted at every depth; empty for none.
    #[must_use]
    pub fn input_text(&self) -> String {
        self.input.as_ref().map(canonical).unwrap_or_default()
    }
}

/// A call with the times of its records.
pub(super) fn timed(call: &Call, times: &[Option<Timestamp>]) -> TimedCall {
    TimedCall {
        record: call.event.record,
        agent: call.event.agent.clone(),
        id: call.id().map(str::to_owned),
        tool: call.tool().to_owned(),
        input: call.event.input.clone(),
        path: call.path().map(str::to_owned),
        reads: call.reads(),
        writes: call.writes(),
        state: call.state,
        time: times[call.event.record],
        result: call.result.map(|(at, result)| TimedResult {
            at,
            after_call: at > call.at,
            time: times[result.record],
            text: result.text.clone(),
        }),
    }
}
