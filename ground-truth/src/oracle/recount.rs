//! The recount: every field that is counted, for every format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::api_call::{ApiCall, ModelTotals, Tokens, Unattributed};
use super::changes::TrackedValue;
use super::facts::{Aggregate, Fact};

/// Every checkable field of a run. What each means is in `docs/DEFINITIONS.md`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recount {
    /// Lines that are not blank, over all files, without the pending partial ones.
    pub lines: u64,
    /// Records, over all files. A `progress` record and the one unwrapped from it are one.
    pub records: u64,
    /// Lines that hold anything that is no complete JSON object.
    pub bad_lines: u64,
    /// Files that end in a pending partial line.
    pub pending_partial_lines: u64,
    /// Events, duplicates not counted.
    pub events: u64,
    /// Events of each of the nine kinds, duplicates not counted.
    pub events_by_kind: BTreeMap<String, u64>,
    /// Events seen before in the run.
    pub duplicates: u64,
    /// Agents other than `sidechain`.
    pub subagents: u64,
    /// Records whose parent is not in the run.
    pub orphans: u64,
    /// `error` events.
    pub errors: u64,
    /// `system` records of subtype `api_error`.
    pub retries: u64,
    /// `compaction` events.
    pub compactions: u64,
    /// `unknown` events.
    pub unknown: u64,
    /// Prompts: what a person wrote.
    pub prompts: u64,
    /// The whole text of the first prompt in force.
    pub goal: Option<String>,
    /// The last prompt's whole text.
    pub latest_request: Option<String>,
    /// Each turn as `N parent P`, with ` taken back` where it is not in force, in order.
    pub turns: Vec<String>,
    /// How many of them are not in force.
    pub turns_taken_back: u64,
    /// The folder.
    pub cwd: TrackedValue,
    /// The branch.
    pub branch: TrackedValue,
    /// The model.
    pub model: TrackedValue,
    /// The permission mode.
    pub permission_mode: TrackedValue,
    /// Interruptions, in all threads.
    pub interruptions: u64,
    /// Counted tool calls, with and without an id.
    pub tool_calls: u64,
    /// Those without an id, which are in no state.
    pub calls_without_id: u64,
    /// Calls with the id of an earlier call. They are not counted.
    pub duplicate_calls: u64,
    /// Matched results.
    pub results: u64,
    /// Later results of a call that has one.
    pub duplicate_results: u64,
    /// Matched results that came after their call had been interrupted.
    pub late_results: u64,
    /// Results whose call never comes.
    pub orphan_results: u64,
    /// Succeeded calls.
    pub succeeded_calls: u64,
    /// Failed calls.
    pub failed_calls: u64,
    /// Denied calls.
    pub denied_calls: u64,
    /// Interrupted calls.
    pub interrupted_calls: u64,
    /// Cancelled calls.
    pub cancelled_calls: u64,
    /// Abandoned calls.
    pub abandoned_calls: u64,
    /// Calls in flight.
    pub open_tool_calls: u64,
    /// Their ids, sorted.
    pub open_call_ids: Vec<String>,
    /// The ids of the main thread's calls without a matched result, sorted.
    pub dangling: Vec<String>,
    /// Counted calls by tool; a call without a name is under `unknown`.
    pub per_tool: BTreeMap<String, u64>,
    /// Failed calls by tool, for the tools that have any.
    pub per_tool_failed: BTreeMap<String, u64>,
    /// Background tasks by id: kind and state.
    pub background_tasks: BTreeMap<String, String>,
    /// Paths of files read, sorted, each once.
    pub files_read: Vec<String>,
    /// Paths of files written, sorted, each once.
    pub files_written: Vec<String>,
    /// The whole text of the last failure of a call or a background task of the main thread.
    pub last_error: Option<String>,
    /// API calls, with those out of `usage.iterations`.
    pub calls: u64,
    /// Calls whose iterations do not add up to their usage, nor end in it.
    pub unreconciled_iterations: u64,
    /// Entries of iterations of each type that is not a known one; an absent type is empty.
    pub unknown_iterations: BTreeMap<String, u64>,
    /// The tokens of all calls, and the unattributed ones.
    pub tokens: Tokens,
    /// The unattributed tokens alone.
    pub unattributed_tokens: Tokens,
    /// The dollars that the client states, without zeros at the end.
    pub stated_cost_usd: Option<String>,
    /// Calls and tokens by model, with the unattributed ones.
    pub by_model: BTreeMap<String, ModelTotals>,
    /// Calls in fast mode.
    pub fast_calls: u64,
    /// Calls with more than 200,000 tokens of context.
    pub over_200k_calls: u64,
    /// Web searches made by the server.
    pub web_search_requests: u64,
    /// Web pages fetched by the server.
    pub web_fetch_requests: u64,
    /// The plain sum of usage over all records that report a call.
    pub naive_tokens: Tokens,
    /// The tokens of the calls without those out of iterations: what the naive sum is compared with.
    pub deduplicated_tokens: Tokens,
    /// Facts, in their order.
    pub facts: Vec<Fact>,
    /// Their aggregates by key.
    pub aggregates: BTreeMap<String, Aggregate>,
    /// The API calls themselves, in the order of their keys. No field of comparison; [`super::dollars()`]
    /// prices them.
    pub api_calls: Vec<ApiCall>,
    /// What the client states to have used above that, by model. No field of comparison; priced too.
    pub unattributed: Vec<Unattributed>,
}
