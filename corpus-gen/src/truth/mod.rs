//! What a generated run is known to hold, counted while it is written: never by reading it again. The
//! definitions are those of the page on definitions in the documentation. `Truth` is for whoever
//! compares; [`tally`] is what the writer of records feeds.

pub(crate) mod background;
pub(crate) mod facts;
pub(crate) mod held;
pub(crate) mod stated;
pub(crate) mod sum;
pub(crate) mod tally;
pub(crate) mod turns;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::run::pretty;

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
    /// Records whose parent is no record of the run.
    pub orphans: u64,
    /// Events by kind, without duplicates.
    pub events_by_kind: BTreeMap<String, u64>,
    /// Events that repeat an earlier one.
    pub duplicates: u64,
    /// Lines that hold something that is no record.
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
    pub cwd: Option<Held>,
    /// The main thread's branch.
    pub branch: Option<Held>,
    /// The main thread's model.
    pub model: Option<Held>,
    /// The permission mode.
    pub permission_mode: Option<Held>,
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

/// The newest of several values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The value.
    pub value: String,
    /// The first event of the record that stated it first after another value, or at all: counted from
    /// 0 over the whole ledger, duplicates included.
    pub since: u64,
    /// How often a value followed another one.
    pub changes: u64,
}

/// The truth as it is written beside a run of the profile `varied`.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    truth: &'a Truth,
    #[serde(flatten)]
    shapes: &'a Shapes,
}

/// What is known of the main thread without its subagents.
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

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Uncached input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Written to the cache.
    pub cache_creation: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    pub(crate) fn add(&mut self, other: Tokens) {
        self.input += other.input;
        self.output += other.output;
        self.cache_creation += other.cache_creation;
        self.cache_read += other.cache_read;
    }

    /// What `self` has above `other`, number by number.
    pub(crate) fn above(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_sub(other.input),
            output: self.output.saturating_sub(other.output),
            cache_creation: self.cache_creation.saturating_sub(other.cache_creation),
            cache_read: self.cache_read.saturating_sub(other.cache_read),
        }
    }

    /// The larger of both, number by number.
    pub(crate) fn largest(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_creation: self.cache_creation.max(other.cache_creation),
            cache_read: self.cache_read.max(other.cache_read),
        }
    }
}

/// Tokens written to the cache, by how long they live.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheWrites {
    /// Five minutes.
    pub five_minutes: u64,
    /// One hour.
    pub one_hour: u64,
}

/// Aggregates of the facts of one key, over all sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFacts {
    /// Facts.
    pub n: u64,
    /// Facts whose value is a number.
    pub n_numeric: u64,
    /// Exact sum of the numbers, as a decimal without needless zeros.
    pub sum: String,
}
