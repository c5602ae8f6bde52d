//! What is counted of a run: steps, errors, retries, repeats, tokens, dollars.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use trace_model::pricing::Dollars;

use super::protocol::MAX_PROTOCOL_ERRORS;
use super::worker::Reply;
use crate::workbench::{Action, CallOutcome};

/// What a run did and cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Replies.
    pub steps: u64,
    /// Replies that were not a readable call.
    pub protocol_errors: u64,
    /// Calls with wrong arguments, or of a disabled tool.
    pub validation_errors: u64,
    /// Calls that failed because the schedule said so.
    pub injected_errors: u64,
    /// Calls that failed by themselves, as of a file that is not there.
    pub tool_errors: u64,
    /// Calls equal to the one before, which had failed by the schedule: as the instructions ask.
    pub retries: u64,
    /// Other calls equal to an earlier one of the run.
    pub repeats: u64,
    /// Views compiled, summaries written.
    pub refreshes: u64,
    /// Tokens of the largest context, estimated.
    pub largest_context: u64,
    /// Uncached input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written to the cache.
    pub cache_write: u64,
    /// Calls of an arm's own model.
    #[serde(rename = "aside_calls")]
    pub helper_calls: u64,
    /// Its input.
    #[serde(rename = "aside_input")]
    pub helper_input: u64,
    /// Its output.
    #[serde(rename = "aside_output")]
    pub helper_output: u64,
    /// Its requests that were refused.
    pub refusals: u64,
    /// Requests to a second model about what the first refused.
    pub fallbacks: u64,
    /// Facts dropped because their value is not in their text verbatim.
    pub not_verbatim: u64,
}

/// Counts kept while a run is in progress.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) counts: Counts,
    pub(super) dollars: Option<Dollars>,
    pub(super) models: BTreeMap<String, u64>,
    pub(super) missing: Option<String>,
    unreadable_in_a_row: u32,
    /// Calls of the run so far, but those that add: equal ones of those are not the same.
    seen: BTreeSet<String>,
    /// The last call, if it failed by the schedule.
    to_retry: Option<String>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            counts: Counts::default(),
            dollars: Some(Dollars::ZERO),
            models: BTreeMap::new(),
            missing: None,
            unreadable_in_a_row: 0,
            seen: BTreeSet::new(),
            to_retry: None,
        }
    }
}

impl Tally {
    pub(super) fn paid(&mut self, reply: &Reply) {
        let usage = &reply.usage;
        self.counts.steps += 1;
        self.counts.input += usage.input;
        self.counts.output += usage.output;
        self.counts.cache_read += usage.cache_read;
        self.counts.cache_write += usage.cache_write();
        self.dollars = self.dollars.zip(reply.dollars).map(|(sum, more)| sum + more);
        if let Some(model) = &reply.model {
            *self.models.entry(model.clone()).or_default() += 1;
        }
    }

    /// Counts a reply that was not a readable call; whether the run ends with it.
    pub(super) fn unreadable(&mut self) -> bool {
        self.counts.protocol_errors += 1;
        self.unreadable_in_a_row += 1;
        self.unreadable_in_a_row >= MAX_PROTOCOL_ERRORS
    }

    pub(super) fn called(&mut self, action: Option<&Action>, outcome: CallOutcome) {
        self.unreadable_in_a_row = 0;
        let failed = self.to_retry.take();
        match outcome {
            CallOutcome::Ok => {}
            CallOutcome::InjectedError => self.counts.injected_errors += 1,
            CallOutcome::ValidationError => self.counts.validation_errors += 1,
            CallOutcome::ToolError => self.counts.tool_errors += 1,
        }
        let Some(action) = action else { return };
        let call = action.to_json().to_string();
        if failed.as_ref() == Some(&call) {
            self.counts.retries += 1;
        } else if self.seen.contains(&call) {
            self.counts.repeats += 1;
        }
        if outcome == CallOutcome::InjectedError {
            self.to_retry = Some(call.clone());
        }
        if !matches!(action, Action::Tally { .. }) {
            self.seen.insert(call);
        }
    }
}
