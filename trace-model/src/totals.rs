//! The numbers of a run under the names that reports, tests and `tracefold fold --json` use.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;

use crate::adapter::Format;
use crate::event::EventKind;
use crate::fold::{RunState, Spending, TaskCounts, Tokens};
use crate::reader::ReadStats;

/// Tokens as reports list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TokenTotals {
    /// Neither read from nor written to the cache.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Written to the cache.
    pub cache_creation: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl From<&Tokens> for TokenTotals {
    fn from(tokens: &Tokens) -> Self {
        let Tokens { input, output, cache_creation, cache_read, .. } = *tokens;
        Self { input, output, cache_creation, cache_read }
    }
}

/// The totals of a run. What each counts is set down in `docs/DEFINITIONS.md`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// The transcript's format.
    pub detected: &'static str,
    /// Times a person wrote.
    pub prompts: u64,
    /// API calls.
    pub calls: u64,
    /// Their tokens.
    pub tokens: TokenTotals,
    /// Their tokens by model.
    pub by_model: BTreeMap<String, TokenTotals>,
    /// What the priced calls cost, in dollars.
    pub cost_usd: Decimal,
    /// The same in units of each call's input price.
    #[serde(serialize_with = "as_number")]
    pub cost_in_input_price_units: Decimal,
    /// Whether there are tokens without a price.
    pub unpriced_tokens_reported: bool,
    /// How many.
    pub unpriced_tokens: u64,
    /// The same by reason.
    pub unpriced: BTreeMap<String, u64>,
    /// Tokens that are in no call, because only the client's sums in the end state them.
    pub unattributed_tokens: TokenTotals,
    /// What the client stated as the cost of all, in dollars; never part of `cost_usd`.
    pub stated_cost_usd: Option<Decimal>,
    /// By how much `cost_usd` is above that.
    pub cost_above_stated_usd: Option<Decimal>,
    /// Calls whose recorded output is that of the stream's start.
    pub unfinished_usage: u64,
    /// The output tokens, those of such calls estimated.
    pub estimated_output_tokens: u64,
    /// The cost with these, in dollars.
    pub estimated_usd: Decimal,
    /// Whether `cost_usd` is a lower bound: some usage is unfinished.
    pub cost_is_lower_bound: bool,
    /// Whether the estimate is one too: some reasoning left no trace of its length.
    pub estimate_is_lower_bound: bool,
    /// Calls whose list of requests does not fit their usage.
    pub unreconciled_iterations: u64,
    /// Listed requests of an unknown type, by type.
    pub unknown_iterations: BTreeMap<String, u64>,
    /// Calls in fast mode.
    pub fast_calls: u64,
    /// Calls with more than 200,000 input tokens.
    pub over_200k_calls: u64,
    /// Web searches by the provider.
    pub web_search_requests: u64,
    /// Web fetches by the provider.
    pub web_fetch_requests: u64,
    /// Tokens as a plain sum over records.
    pub naive_tokens: TokenTotals,
    /// Naive over counted tokens, to three digits; none without tokens.
    pub naive_inflation: Option<String>,
    /// Cost that old clients recorded themselves, in dollars, where they did; never part of `cost_usd`.
    pub recorded_cost_usd: Option<Decimal>,
    /// Calls that the recorded cost is of.
    pub recorded_cost_calls: u64,
    /// Failures of the model's endpoint.
    pub errors: u64,
    /// Requests tried again.
    pub retries: u64,
    /// Compactions.
    pub compactions: u64,
    /// Subagents.
    pub subagents: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Results that answered one.
    pub results: u64,
    /// Results whose call is not in the run.
    pub orphan_results: u64,
    /// Second and later results of a call.
    pub duplicate_results: u64,
    /// Second and later calls of an id.
    pub duplicate_calls: u64,
    /// Results that came after their call was interrupted.
    pub late_results: u64,
    /// Calls in flight.
    pub open_tool_calls: u64,
    /// Calls that succeeded.
    pub succeeded_calls: u64,
    /// Calls that failed.
    pub failed_calls: u64,
    /// Calls that were refused.
    pub denied_calls: u64,
    /// Calls that were interrupted.
    pub interrupted_calls: u64,
    /// Calls that the client gave up because of another one.
    pub cancelled_calls: u64,
    /// Calls that nothing can answer any more: their agent is over.
    pub abandoned_calls: u64,
    /// Agents and commands that were launched into the background.
    pub background_tasks: TaskCounts,
    /// Turns that are no longer part of the conversation.
    pub turns_taken_back: u64,
    /// Events by kind.
    pub events_by_kind: BTreeMap<&'static str, u64>,
    /// Events that repeat one.
    pub duplicates: u64,
    /// Events of unknown kind.
    pub unknown: u64,
    /// Records whose parent is nowhere.
    pub orphans: u64,
    /// Facts in force.
    pub facts: u64,
    /// Lines that are not wholly made of records.
    pub bad_lines: u64,
    /// Bytes of an unfinished last line.
    pub pending_bytes: u64,
    /// Fields of an odd JSON type.
    pub degraded_fields: u64,
}

impl Totals {
    /// The totals of a run, from its state and from what reading it came across.
    pub fn of(state: &RunState, reading: &ReadStats) -> Self {
        let spending = state.spending();
        let tools = state.tool_totals();
        let (recorded, recorded_cost_calls) = state.recorded_cost();
        let estimates = state.estimates();
        Self {
            detected: reading.format.map_or("unknown", Format::name),
            prompts: state.conversation().prompts(),
            calls: spending.calls,
            tokens: (&spending.tokens).into(),
            by_model: by_model(state),
            cost_usd: spending.dollars.normalize(),
            cost_in_input_price_units: spending.input_price_units.normalize(),
            unpriced_tokens_reported: spending.unpriced_tokens > 0,
            unpriced_tokens: spending.unpriced_tokens,
            unpriced: state.unpriced().into_iter().map(|(r, n)| (r.to_owned(), n)).collect(),
            unattributed_tokens: (&state.unattributed().0).into(),
            stated_cost_usd: state.stated_cost(),
            cost_above_stated_usd: (state.stated_cost())
                .map(|stated| spending.dollars.saturating_sub(stated).normalize()),
            unfinished_usage: estimates.calls,
            estimated_output_tokens: spending.tokens.output.saturating_add(estimates.output),
            estimated_usd: spending.dollars.saturating_add(estimates.dollars).normalize(),
            cost_is_lower_bound: estimates.calls > 0,
            estimate_is_lower_bound: estimates.untold_calls > 0,
            unreconciled_iterations: state.unreconciled_iterations(),
            unknown_iterations: (state.unknown_iterations().into_iter())
                .map(|(kind, entries)| (kind.to_owned(), entries))
                .collect(),
            fast_calls: spending.fast_calls,
            over_200k_calls: spending.over_200k_calls,
            web_search_requests: spending.web_searches,
            web_fetch_requests: spending.web_fetches,
            naive_tokens: state.naive_tokens().into(),
            naive_inflation: inflation(state),
            recorded_cost_usd: (recorded_cost_calls > 0).then_some(recorded),
            recorded_cost_calls,
            errors: state.count(EventKind::Error),
            retries: state.retries(),
            compactions: state.count(EventKind::Compaction),
            subagents: state.subagents().count() as u64,
            tool_calls: tools.calls,
            results: state.results(),
            orphan_results: state.orphan_results(),
            duplicate_results: state.duplicate_results(),
            duplicate_calls: state.duplicate_calls(),
            late_results: state.late_results(),
            open_tool_calls: state.in_flight_count(),
            succeeded_calls: tools.succeeded,
            failed_calls: tools.failed,
            denied_calls: tools.denied,
            interrupted_calls: tools.interrupted,
            cancelled_calls: tools.cancelled,
            abandoned_calls: tools.abandoned,
            background_tasks: state.background_counts(),
            turns_taken_back: state.turns_taken_back(),
            events_by_kind: EventKind::ALL.iter().map(|k| (k.name(), state.count(*k))).collect(),
            duplicates: state.duplicates(),
            unknown: state.count(EventKind::Unknown),
            orphans: state.orphans(),
            facts: state.fact_count() as u64,
            bad_lines: reading.bad_lines,
            pending_bytes: reading.pending_bytes,
            degraded_fields: reading.degraded_fields.values().sum(),
        }
    }
}

fn by_model(state: &RunState) -> BTreeMap<String, TokenTotals> {
    let models = state.spending_by_model().into_iter();
    models
        .map(|(model, spending): (&str, &Spending)| (model.to_owned(), (&spending.tokens).into()))
        .collect()
}

/// A ratio to three digits, computed in exact decimals.
fn inflation(state: &RunState) -> Option<String> {
    let (naive, counted) = state.inflation();
    let ratio = Decimal::from(naive).checked_div(Decimal::from(counted))?;
    Some(format!("{:.3}", ratio.round_dp(3)))
}

/// As a JSON number: it is a count of units, not money.
fn as_number<S: serde::Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    use rust_decimal::prelude::ToPrimitive;
    match value.to_f64() {
        Some(number) => serializer.serialize_f64(number),
        None => serializer.serialize_none(),
    }
}
