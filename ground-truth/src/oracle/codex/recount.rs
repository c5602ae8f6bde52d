//! The recount of a run, every field.

use std::collections::{BTreeMap, BTreeSet};

use super::super::api;
use super::super::calls::{self, Closings};
use super::super::changes::{TrackedValue, tracked};
use super::super::event::Event;
use super::super::facts;
use super::super::json::Node;
use super::super::parse::Kind;
use super::super::recount::Recount;
use super::super::run_files::RunFiles;
use super::super::tally;
use super::super::task::Tasks;
use super::super::tool_call::{Call, CallState};
use super::ledger::Ledger;
use super::person::{Prompt, interruptions, prompts, turns};
use super::record::Record;
use super::tasks::tasks;
use super::usage;

/// Recounts a run of Codex CLI's.
pub(crate) fn recount(run: &RunFiles) -> Recount {
    let ledger = Ledger::of(run);
    let events: &[Event] = &ledger.events;
    let prompts = prompts(&ledger);
    let turns = turns(&ledger, &prompts);
    let in_force = turns.in_force();
    let mut prompts_in_force = (1..).zip(&prompts).filter(|(turn, _)| in_force.contains(turn));
    let matched = matched(&ledger);
    let tasks = tasks(&ledger, &matched);
    let closings = closings(&ledger, &prompts, &matched, &tasks);
    let mut all = matched.clone();
    calls::close(&mut all, &closings, &tasks);
    let usage = usage::calls(&ledger);
    let facts = facts::facts(&all, &turns);
    Recount {
        lines: ledger.lines,
        records: ledger.records.len() as u64,
        bad_lines: ledger.bad_lines,
        pending_partial_lines: ledger.pending_partial_lines,
        events: events.len() as u64,
        events_by_kind: tally::events_by_kind(events),
        subagents: tally::subagents(events),
        errors: tally::of_kind(events, "error"),
        retries: ledger.records.iter().filter(|record| is_retry(record)).count() as u64,
        compactions: tally::of_kind(events, "compaction"),
        unknown: tally::of_kind(events, "unknown"),
        prompts: prompts.len() as u64,
        goal: prompts_in_force.next().map(|(_, prompt)| prompt.text.clone()),
        latest_request: prompts.last().map(|prompt| prompt.text.clone()),
        turns: turns.lines(),
        turns_taken_back: turns.taken_back(),
        cwd: stated(&ledger, cwd),
        branch: stated(&ledger, branch),
        model: tracked(usage.models.iter().filter_map(|(at, model)| {
            let is_main = ledger.records[*at].in_main();
            is_main.then(|| (ledger.first_event_of(*at), model.clone()))
        })),
        permission_mode: stated(&ledger, permission_mode),
        interruptions: interruptions(&ledger).len() as u64,
        tool_calls: all.len() as u64,
        calls_without_id: all.iter().filter(|call| call.id().is_none()).count() as u64,
        duplicate_calls: calls::duplicate_calls(events, &all),
        results: calls::results(&all),
        duplicate_results: calls::duplicate_results(events, &all),
        late_results: calls::late_results(&closings, &all),
        orphan_results: calls::orphan_results(events, &all),
        succeeded_calls: calls::in_state(&all, CallState::Succeeded),
        failed_calls: calls::in_state(&all, CallState::Failed),
        denied_calls: calls::in_state(&all, CallState::Denied),
        interrupted_calls: calls::in_state(&all, CallState::Interrupted),
        cancelled_calls: calls::in_state(&all, CallState::Cancelled),
        abandoned_calls: calls::in_state(&all, CallState::Abandoned),
        open_tool_calls: calls::in_state(&all, CallState::InFlight),
        open_call_ids: calls::open_call_ids(&all),
        dangling: calls::dangling(&all),
        per_tool: calls::per_tool(&all),
        per_tool_failed: calls::per_tool_failed(&all),
        background_tasks: (tasks.by_id.iter())
            .map(|(id, task)| (id.clone(), task.to_string()))
            .collect(),
        files_read: calls::files_read(&all, &turns),
        files_written: calls::files_written(&all),
        last_error: calls::last_error(&all, &tasks),
        calls: usage.calls.len() as u64,
        tokens: api::total(&usage.calls, &[]),
        by_model: api::by_model(&usage.calls, &[]),
        over_200k_calls: api::over_200k_calls(&usage.calls),
        naive_tokens: usage.naive,
        deduplicated_tokens: api::total_without_iterations(&usage.calls),
        aggregates: facts::aggregates(&facts),
        facts,
        api_calls: usage.calls,
        // What Codex CLI has nothing of.
        ..Recount::default()
    }
}

/// All counted calls, with the states that their results give them.
pub(super) fn matched(ledger: &Ledger) -> Vec<Call<'_>> {
    calls::matched(&ledger.events, |at, _| ledger.outcomes[&at])
}

/// What closes calls: the prompts and interruptions of their thread, and the end of their agent.
pub(super) fn closings<'a>(
    ledger: &'a Ledger,
    prompts: &[Prompt],
    calls: &'a [Call<'a>],
    tasks: &Tasks,
) -> Closings<'a> {
    let mut stops: BTreeSet<usize> = prompts.iter().map(|prompt| prompt.record).collect();
    stops.extend(interruptions(ledger));
    let thread = |at: usize| ledger.records[at].agent.as_deref();
    let mut launching = BTreeMap::new();
    for call in calls.iter().filter_map(Call::id) {
        if let Some(agent) = tasks.agents.get(call) {
            launching.entry(agent.clone()).or_insert_with(|| call.to_owned());
        }
    }
    Closings::new(stops, thread, calls, launching)
}

fn is_retry(record: &Record) -> bool {
    record.is_own() && record.is("event_msg", "stream_error")
}

/// What own records of the main thread state.
fn stated(ledger: &Ledger, of: fn(&Record) -> Option<String>) -> TrackedValue {
    let records = ledger.records.iter().enumerate();
    let own = records.filter(|(_, record)| record.in_main() && record.is_own());
    tracked(own.map(|(at, record)| (ledger.first_event_of(at), of(record))))
}

/// "`cwd` of `session_meta` and `turn_context`."
fn cwd(record: &Record) -> Option<String> {
    let is_stated = matches!(record.kind().as_str(), "session_meta" | "turn_context");
    record.string("cwd").filter(|_| is_stated)
}

/// "`git.branch` of `session_meta`."
fn branch(record: &Record) -> Option<String> {
    let git = record.payload()?.get("git").filter(|_| record.kind() == "session_meta")?;
    git.string("branch")
}

/// "`approval_policy` of `turn_context` (a string, or of an object its first key in byte order), and where
/// `sandbox_policy` is a string, or an object with a string `type` (else `mode`), a comma, a space and that."
fn permission_mode(record: &Record) -> Option<String> {
    let payload = record.payload().filter(|_| record.kind() == "turn_context")?;
    let approval =
        payload.get("approval_policy").and_then(|policy| match &policy.value().kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Object(fields) => fields.keys().next().cloned(),
            _ => None,
        })?;
    let sandbox = payload.get("sandbox_policy").and_then(|policy| sandbox(&policy));
    Some(sandbox.map_or_else(|| approval.clone(), |sandbox| format!("{approval}, {sandbox}")))
}

fn sandbox(policy: &Node) -> Option<String> {
    let text = |key| Some(policy.get(key)?.value().text()?.to_owned());
    policy.value().text().map(str::to_owned).or_else(|| text("type")).or_else(|| text("mode"))
}
