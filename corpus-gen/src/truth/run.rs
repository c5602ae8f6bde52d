//! The truth about a whole run, as written beside the run.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::facts::KeyFacts;
use super::tokens::{CacheWrites, Tokens};
use super::tracked::TrackedValue;
use crate::json::pretty;

/// Everything that is known of a generated run (its session file and its subagents' files).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// User turns: what a person wrote.
    pub prompts: u64,
    /// The first prompt's text.
    pub goal: Option<String>,
    /// The last prompt's text.
    pub latest_request: Option<String>,
    /// Tool calls, all threads.
    pub tool_calls: u64,
    /// Tool calls by tool name, all threads.
    pub per_tool: BTreeMap<String, u64>,
    /// Results that answer a call.
    pub results: u64,
    /// Results whose call never comes.
    pub orphan_results: u64,
    /// Calls that end as succeeded.
    pub succeeded_calls: u64,
    /// Calls that end as failed.
    pub failed_calls: u64,
    /// Calls that end as denied.
    pub denied_calls: u64,
    /// Calls that end as interrupted.
    pub interrupted_calls: u64,
    /// Calls that are still in flight at the end.
    pub open_tool_calls: u64,
    /// Calls of the main thread without a result, in the order of the calls.
    pub dangling: Vec<Dangling>,
    /// Paths that succeeded reads named.
    pub files_read: BTreeSet<String>,
    /// Paths that succeeded writes named.
    pub files_written: BTreeSet<String>,
    /// Text of the main thread's last failed result.
    pub last_error: Option<String>,
    /// API calls.
    pub calls: u64,
    /// API calls whose context is above 200,000 tokens.
    pub over_200k_calls: u64,
    /// Tokens of all API calls, each counted once.
    pub tokens: Tokens,
    /// Tokens by the model's name as written.
    pub by_model: BTreeMap<String, Tokens>,
    /// The plain sum over all records that report a call: what counting without deduplication gives.
    pub naive_tokens: Tokens,
    /// Cache writes by lifetime; the two add up to `tokens.cache_creation`.
    pub cache_writes: CacheWrites,
    /// API error records.
    pub errors: u64,
    /// Recorded retries.
    pub retries: u64,
    /// Compaction boundaries.
    pub compactions: u64,
    /// Distinct subagents.
    pub subagents: u64,
    /// Records whose parent is not in the run.
    pub orphans: u64,
    /// Events by kind, without duplicates.
    pub events_by_kind: BTreeMap<String, u64>,
    /// Events that repeat an earlier one.
    pub duplicates: u64,
    /// Lines that hold something other than records.
    pub bad_lines: u64,
    /// Aggregates of the facts, by key.
    pub facts: BTreeMap<String, KeyFacts>,
    /// The main thread alone. Only in memory: the file beside a run is about the whole run.
    #[serde(skip)]
    pub main: MainThread,
    /// Receipts, turns, iterations and what changes. Known of every run; written into the file beside
    /// it for the profile `varied` alone, since the older profiles' files stay as they are.
    #[serde(skip)]
    pub shapes: Shapes,
}

/// What the page on definitions says beyond plain counts, as generated. The fields of the other kinds
/// (`goal`, `latest_request`, `last_error`, `files_read`, `facts`, `open_tool_calls`, `tokens` ...)
/// follow the same page: turns taken back, failed tasks, abandoned calls and unattributed tokens are
/// in them already.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shapes {
    /// Calls that the client gave up because of another call.
    pub cancelled_calls: u64,
    /// Calls that nothing can answer any more, since their agent is over.
    pub abandoned_calls: u64,
    /// Background tasks by id: kind and state, as in `agent running` or `command failed`.
    pub background_tasks: BTreeMap<String, String>,
    /// The turns in their order, as in `3 parent 1` or `2 parent 1 taken back`; turn 0 is left out.
    pub turns: Vec<String>,
    /// Turns that are not in force.
    pub turns_taken_back: u64,
    /// The main thread's folder.
    pub cwd: Option<TrackedValue>,
    /// The main thread's branch.
    pub branch: Option<TrackedValue>,
    /// The main thread's model.
    pub model: Option<TrackedValue>,
    /// The permission mode.
    pub permission_mode: Option<TrackedValue>,
    /// Calls whose `usage.iterations` do not tell what the top level holds.
    pub unreconciled_iterations: u64,
    /// Entries of `usage.iterations` of types that are not known, by type.
    pub unknown_iterations: BTreeMap<String, u64>,
    /// Calls that state the output of the stream's start alone. Absent where it depends on the table
    /// of scales: the profile `varied` writes no such call, the older ones may.
    pub unfinished_usage: Option<u64>,
    /// What `modelUsage` states above the calls. It is in `tokens` and `by_model`, and in no call.
    pub unattributed_tokens: Tokens,
    /// `total_cost_usd` of the last `result` record, as written.
    pub stated_cost_usd: Option<String>,
}

/// The truth as it is written beside a run of the profile `varied`.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    truth: &'a Truth,
    #[serde(flatten)]
    shapes: &'a Shapes,
}

/// The truth about the main thread without its subagents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MainThread {
    /// Tool calls by tool name.
    pub per_tool: BTreeMap<String, u64>,
    /// Paths that succeeded writes named.
    pub files_written: BTreeSet<String>,
}

impl Truth {
    /// All events, without duplicates.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events_by_kind.values().sum()
    }

    /// The file beside a run; with the shapes where `shapes` says so.
    pub(crate) fn file(&self, shapes: bool) -> Vec<u8> {
        if shapes { pretty(&Whole { truth: self, shapes: &self.shapes }) } else { pretty(self) }
    }
}

/// A call without a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dangling {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub tool: String,
}
