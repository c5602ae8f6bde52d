//! The fold's value of every field that the oracle recounts, under the oracle's names.

use std::collections::BTreeMap;

use ground_truth::oracle::FieldValue;
use trace_model::event::EventKind;
use trace_model::fold::{FileUse, RunState, Spending, Statistic, ToolTally};
use trace_model::ids::Seq;

use super::comparable::{Fields, fact_line, of_excerpt, plain};
use crate::folding::Folded;

/// All fields of a folded run.
pub(super) fn fold_fields(folded: &Folded) -> Fields {
    let mut fields = Fields::new();
    let groups = [
        reading(folded),
        conversation(&folded.state),
        calls(&folded.state),
        lists(&folded.state),
        tokens(&folded.state),
        models(&folded.state),
        dollars(&folded.state),
        estimates(&folded.state),
        facts(&folded.state),
        course(&folded.state),
        held(&folded.state),
    ];
    for (name, value) in groups.into_iter().flatten() {
        fields.insert(name.to_owned(), value);
    }
    fields
}

type Named = Vec<(&'static str, FieldValue)>;

fn ints<const N: usize>(counts: [(&'static str, u64); N]) -> Named {
    counts.into_iter().map(|(name, count)| (name, FieldValue::Int(count))).collect()
}

fn reading(folded: &Folded) -> Named {
    let Folded { state, readings, .. } = folded;
    let sum = |of: fn(&trace_model::reader::ReadStats) -> u64| readings.iter().map(of).sum::<u64>();
    let mut fields = ints([
        ("lines", sum(|read| read.lines) - folded.blank_lines),
        ("records", sum(|read| read.records)),
        ("bad_lines", sum(|read| read.bad_lines)),
        ("pending_partial_lines", sum(|read| u64::from(read.pending_bytes > 0))),
        ("events", state.kinds().values().sum()),
        ("duplicates", state.duplicates()),
        ("subagents", state.subagents().count() as u64),
        ("orphans", state.orphans()),
        ("errors", state.count(EventKind::Error)),
        ("retries", state.retries()),
        ("compactions", state.count(EventKind::Compaction)),
        ("unknown", state.count(EventKind::Unknown)),
        ("interruptions", folded.interruptions),
    ]);
    let kinds =
        EventKind::ALL.iter().map(|kind| (kind.name().to_owned(), state.count(*kind).to_string()));
    fields.push(("events_by_kind", FieldValue::Map(kinds.collect())));
    fields
}

fn conversation(state: &RunState) -> Named {
    let said = state.conversation();
    let mut fields = ints([("prompts", said.prompts())]);
    fields.push(("goal", of_excerpt(said.goal().map(|prompt| &prompt.text))));
    fields.push(("latest_request", of_excerpt(said.latest_request().map(|prompt| &prompt.text))));
    fields.push(("last_error", of_excerpt(state.last_error())));
    fields
}

fn calls(state: &RunState) -> Named {
    let ToolTally { calls, succeeded, failed, denied, interrupted, cancelled, abandoned } =
        state.tool_totals();
    let open = state.in_flight_count();
    // Every call with an id is in exactly one state.
    let in_a_state = succeeded + failed + denied + interrupted + cancelled + abandoned + open;
    ints([
        ("tool_calls", calls),
        ("calls_without_id", calls.saturating_sub(in_a_state)),
        ("duplicate_calls", state.duplicate_calls()),
        ("results", state.results()),
        ("duplicate_results", state.duplicate_results()),
        ("late_results", state.late_results()),
        ("orphan_results", state.orphan_results()),
        ("succeeded_calls", succeeded),
        ("failed_calls", failed),
        ("denied_calls", denied),
        ("interrupted_calls", interrupted),
        ("cancelled_calls", cancelled),
        ("open_tool_calls", open),
    ])
}

fn lists(state: &RunState) -> Named {
    let ids = |calls: Vec<&trace_model::fold::OpenCall>| {
        let mut ids: Vec<String> = calls.into_iter().map(|call| call.id.clone()).collect();
        ids.sort_unstable();
        FieldValue::List(ids)
    };
    let paths = |used: fn(&FileUse) -> u64| {
        let files = state.files().iter().filter(|(_, file)| used(file) > 0);
        FieldValue::List(files.map(|(path, _)| path.clone()).collect())
    };
    let tools = |count: fn(&ToolTally) -> u64| {
        let tools = state.tools().iter().filter(|(_, tally)| count(tally) > 0);
        let counts = tools.map(|(tool, tally)| (tool.clone(), count(tally).to_string()));
        FieldValue::Map(counts.collect())
    };
    vec![
        ("open_call_ids", ids(state.in_flight())),
        ("dangling", ids(state.dangling())),
        ("files_read", paths(FileUse::reads)),
        ("files_written", paths(FileUse::writes)),
        ("per_tool", tools(|tally| tally.calls)),
        ("per_tool_failed", tools(|tally| tally.failed)),
    ]
}

fn tokens(state: &RunState) -> Named {
    let Spending { calls, tokens, fast_calls, over_200k_calls, web_searches, web_fetches, .. } =
        state.spending();
    let naive = state.naive_tokens();
    let (_, deduplicated) = state.inflation();
    ints([
        ("calls", *calls),
        ("fast_calls", *fast_calls),
        ("over_200k_calls", *over_200k_calls),
        ("web_search_requests", *web_searches),
        ("web_fetch_requests", *web_fetches),
        ("tokens.input", tokens.input),
        ("tokens.output", tokens.output),
        ("tokens.cache_creation", tokens.cache_creation),
        ("tokens.cache_creation_5m", tokens.cache_creation_5m),
        ("tokens.cache_creation_1h", tokens.cache_creation_1h),
        ("tokens.cache_read", tokens.cache_read),
        ("naive_tokens", naive.total()),
        ("naive_tokens.input", naive.input),
        ("naive_tokens.output", naive.output),
        ("naive_tokens.cache_creation", naive.cache_creation),
        ("naive_tokens.cache_read", naive.cache_read),
        ("deduplicated_tokens", deduplicated),
    ])
}

fn models(state: &RunState) -> Named {
    let by_model = state.spending_by_model();
    let of = |count: fn(&Spending) -> u64| {
        let counts = by_model.iter().map(|(m, spent)| ((*m).to_owned(), count(spent).to_string()));
        FieldValue::Map(counts.collect())
    };
    vec![
        ("by_model.calls", of(|spent| spent.calls)),
        ("by_model.input", of(|spent| spent.tokens.input)),
        ("by_model.output", of(|spent| spent.tokens.output)),
        ("by_model.cache_creation", of(|spent| spent.tokens.cache_creation)),
        ("by_model.cache_creation_5m", of(|spent| spent.tokens.cache_creation_5m)),
        ("by_model.cache_creation_1h", of(|spent| spent.tokens.cache_creation_1h)),
        ("by_model.cache_read", of(|spent| spent.tokens.cache_read)),
    ]
}

fn dollars(state: &RunState) -> Named {
    let Spending { calls, dollars, unpriced_calls, unpriced_tokens, .. } = state.spending();
    let mut fields = ints([
        ("priced_calls", calls.saturating_sub(*unpriced_calls)),
        ("unpriced_calls", *unpriced_calls),
        ("unpriced_tokens", *unpriced_tokens),
    ]);
    fields.push(("dollars", FieldValue::Text(dollars.normalize().to_string())));
    fields
}

fn estimates(state: &RunState) -> Named {
    let (spending, estimates) = (state.spending(), state.estimates());
    let (unattributed, _) = state.unattributed();
    let mut fields = ints([
        ("unattributed_tokens.input", unattributed.input),
        ("unattributed_tokens.output", unattributed.output),
        ("unattributed_tokens.cache_creation", unattributed.cache_creation),
        ("unattributed_tokens.cache_read", unattributed.cache_read),
        ("unreconciled_iterations", state.unreconciled_iterations()),
        ("unfinished_usage", estimates.calls),
        ("estimated_output_tokens", spending.tokens.output.saturating_add(estimates.output)),
        ("estimate_is_lower_bound", u64::from(estimates.untold_calls > 0)),
    ]);
    let usd = spending.dollars.saturating_add(estimates.dollars).normalize();
    let stated = state.stated_cost().map(|cost| cost.normalize().to_string());
    let unknown = state.unknown_iterations().into_iter();
    let unknown = unknown.map(|(kind, entries)| (kind.to_owned(), entries.to_string())).collect();
    fields.extend([
        ("estimated_usd", FieldValue::Text(usd.to_string())),
        ("stated_cost_usd", plain(stated.as_deref())),
        ("unknown_iterations", FieldValue::Map(unknown)),
    ]);
    fields
}

/// Turns and background tasks.
fn course(state: &RunState) -> Named {
    let tasks = state
        .background_tasks()
        .map(|task| (task.id.clone(), format!("{} {}", task.kind.name(), task.state.name())));
    let turns = state.turns().iter().map(|turn| {
        let back = if turn.taken_back_by.is_some() { " taken back" } else { "" };
        format!("{} parent {}{back}", turn.number, turn.parent)
    });
    vec![
        ("abandoned_calls", FieldValue::Int(state.abandoned_count())),
        ("background_tasks", FieldValue::Map(tasks.collect())),
        ("turns", FieldValue::List(turns.collect())),
        ("turns_taken_back", FieldValue::Int(state.turns_taken_back())),
    ]
}

/// What changes within a run.
fn held(state: &RunState) -> Named {
    let it = state.identity();
    let since = |at: Option<Seq>| at.map_or(FieldValue::Absent, |at| FieldValue::Int(at.0));
    vec![
        ("cwd", plain(it.cwd.as_deref())),
        ("cwd_since", since(it.cwd_since)),
        ("cwd_changes", FieldValue::Int(it.cwd_changes)),
        ("branch", plain(it.branch.as_deref())),
        ("branch_since", since(it.branch_since)),
        ("branch_changes", FieldValue::Int(it.branch_changes)),
        ("model", plain(it.model.as_deref())),
        ("model_since", since(it.model_since)),
        ("model_changes", FieldValue::Int(it.model_changes)),
        ("permission_mode", plain(it.permission_mode.as_deref())),
        ("permission_mode_since", since(it.permission_mode_since)),
        ("permission_mode_changes", FieldValue::Int(it.permission_mode_changes)),
    ]
}

fn facts(state: &RunState) -> Named {
    let in_force = state.facts_in_force();
    let line = |fact: &trace_model::fold::FactInForce<'_>| {
        fact_line(fact.source, fact.key, fact.line, fact.digest)
    };
    let aggregates = state.aggregates();
    let mut counts: [BTreeMap<String, String>; 2] = Default::default();
    let mut statistics: BTreeMap<Statistic, BTreeMap<String, String>> = BTreeMap::new();
    for aggregate in &aggregates {
        let key = || aggregate.key.to_owned();
        counts[0].insert(key(), aggregate.facts.to_string());
        counts[1].insert(key(), aggregate.numeric.to_string());
        for (statistic, total) in &aggregate.statistics {
            statistics.entry(*statistic).or_default().insert(key(), total.to_string());
        }
    }
    let [count, numeric] = counts;
    let mut of = |statistic| FieldValue::Map(statistics.remove(&statistic).unwrap_or_default());
    vec![
        ("facts", FieldValue::List(in_force.iter().map(line).collect())),
        ("aggregates.count", FieldValue::Map(count)),
        ("aggregates.numeric", FieldValue::Map(numeric)),
        ("aggregates.sum", of(Statistic::Sum)),
        ("aggregates.min", of(Statistic::Min)),
        ("aggregates.max", of(Statistic::Max)),
        ("aggregates.last", of(Statistic::Last)),
        ("aggregates.alternating", of(Statistic::AlternatingSum)),
    ]
}
