//! Which code finds the truth of which question type.

use std::collections::BTreeMap;

use serde_json::Value;

use super::draw::Draw;
use super::pack::QuestionType;
use super::scene::Scene;
use super::truth::Truth;
use super::{asks, calls, files, spans, stated};

/// The truth of a question and the values of its parameters.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) truth: Truth,
    pub(super) params: BTreeMap<String, Value>,
}

impl Found {
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}

impl From<Truth> for Found {
    fn from(truth: Truth) -> Self {
        Self { truth, params: BTreeMap::new() }
    }
}

/// The truth, or why there is none in this run.
pub(super) type Answered = Result<Found, &'static str>;

/// What finds a truth.
pub(super) type FindTruth = fn(&Scene, &QuestionType, &mut Draw) -> Answered;

const TRUTHS: [(&str, FindTruth); 23] = [
    ("after_last_edit", calls::after_last_edit),
    ("busiest_turn", calls::busiest_turn),
    ("calls_before_turn", calls::calls_before_turn),
    ("dangling", calls::dangling),
    ("failed_in_last_turn", calls::failed_in_last_turn),
    ("files", files::files),
    ("first_error", calls::first_error),
    ("last_error", calls::last_error),
    ("last_words", asks::last_words),
    ("latest_ask", asks::latest_ask),
    ("model_tokens", spans::model_tokens),
    ("most_edited_file", files::most_edited_file),
    ("n_turns", asks::n_turns),
    ("not_stated", stated::not_stated),
    ("refused_call", calls::refused_call),
    ("session_minutes", spans::session_minutes),
    ("since_last_user", spans::since_last_user),
    ("slowest_call", spans::slowest_call),
    ("subagents", calls::subagents),
    ("top_command", calls::top_command),
    ("top_tool", calls::top_tool),
    ("turn_request", asks::turn_request),
    ("was_read", files::was_read),
];

/// What finds the truth of a question type.
pub(super) fn truth_of(question: &str) -> Option<FindTruth> {
    TRUTHS.iter().find(|(name, _)| *name == question).map(|(_, find)| *find)
}

/// The question types for which there is a truth, sorted.
pub(super) fn names() -> Vec<&'static str> {
    TRUTHS.iter().map(|(name, _)| *name).collect()
}
