//! The recount of Claude Code's transcripts as a whole.

use jiff::Timestamp;

use super::api;
use super::calls;
use super::changes;
use super::facts;
use super::ledger::{Ledger, Record};
use super::prompts::{interruptions, prompts};
use super::recount::Recount;
use super::run_files::RunFiles;
use super::stated;
use super::tally;
use super::tasks::tasks;
use super::timeline::{TimedMessage, TimedResult, Timeline, timed};
use super::tool_call::CallState;
use super::tools;
use super::turns::Turns;

/// Recounts a run of Claude Code's: every field from its own function.
pub(super) fn recount(run: &RunFiles) -> Recount {
    let ledger = Ledger::of(run);
    let prompts = prompts(&ledger);
    let turns = Turns::of(&ledger, &prompts);
    let in_force = turns.in_force();
    let mut prompts_in_force = (1..).zip(&prompts).filter(|(turn, _)| in_force.contains(turn));
    let calls = tools::calls(&ledger, run);
    let tasks = tasks(&ledger, &calls);
    let api = api::api_calls(&ledger);
    let api_calls = api.calls;
    let unattributed = stated::unattributed(&ledger, &api_calls);
    let facts = facts::facts(&calls, &turns);
    Recount {
        lines: ledger.lines,
        records: ledger.records.len() as u64,
        bad_lines: ledger.bad_lines,
        pending_partial_lines: ledger.pending_partial_lines,
        events: ledger.counted().count() as u64,
        events_by_kind: tally::events_by_kind(&ledger.events),
        duplicates: tally::duplicates(&ledger.events),
        subagents: tally::subagents(&ledger.events),
        orphans: tally::orphans(&ledger),
        errors: tally::of_kind(&ledger.events, "error"),
        retries: tally::retries(&ledger),
        compactions: tally::of_kind(&ledger.events, "compaction"),
        unknown: tally::of_kind(&ledger.events, "unknown"),
        prompts: prompts.len() as u64,
        goal: prompts_in_force.next().map(|(_, prompt)| prompt.text.clone()),
        latest_request: prompts.last().map(|prompt| prompt.text.clone()),
        turns: turns.lines(),
        turns_taken_back: turns.taken_back(),
        cwd: changes::folder(&ledger),
        branch: changes::branch(&ledger),
        model: changes::model(&ledger),
        permission_mode: changes::permission_mode(&ledger),
        interruptions: interruptions(&ledger).len() as u64,
        tool_calls: calls.len() as u64,
        calls_without_id: calls.iter().filter(|call| call.id().is_none()).count() as u64,
        duplicate_calls: calls::duplicate_calls(&ledger.events, &calls),
        results: calls::results(&calls),
        duplicate_results: calls::duplicate_results(&ledger.events, &calls),
        late_results: calls::late_results(&tools::closings(&ledger, run, &calls), &calls),
        orphan_results: calls::orphan_results(&ledger.events, &calls),
        succeeded_calls: calls::in_state(&calls, CallState::Succeeded),
        failed_calls: calls::in_state(&calls, CallState::Failed),
        denied_calls: calls::in_state(&calls, CallState::Denied),
        interrupted_calls: calls::in_state(&calls, CallState::Interrupted),
        cancelled_calls: calls::in_state(&calls, CallState::Cancelled),
        abandoned_calls: calls::in_state(&calls, CallState::Abandoned),
        open_tool_calls: calls::in_state(&calls, CallState::InFlight),
        open_call_ids: calls::open_call_ids(&calls),
        dangling: calls::dangling(&calls),
        per_tool: calls::per_tool(&calls),
        per_tool_failed: calls::per_tool_failed(&calls),
        background_tasks: (tasks.by_id.iter())
            .map(|(id, task)| (id.clone(), task.to_string()))
            .collect(),
        files_read: calls::files_read(&calls, &turns),
        files_written: calls::files_written(&calls),
        last_error: calls::last_error(&calls, &tasks),
        calls: api_calls.len() as u64,
        unreconciled_iterations: api.unreconciled,
        unknown_iterations: api.unknown_iterations,
        tokens: api::total(&api_calls, &unattributed),
        unattributed_tokens: api::total(&[], &unattributed),
        stated_cost_usd: stated::cost(&ledger),
        by_model: api::by_model(&api_calls, &unattributed),
        fast_calls: api::fast_calls(&api_calls),
        over_200k_calls: api::over_200k_calls(&api_calls),
        web_search_requests: api_calls.iter().map(|call| call.web_search_requests).sum(),
        web_fetch_requests: api_calls.iter().map(|call| call.web_fetch_requests).sum(),
        naive_tokens: api::naive_tokens(&ledger),
        deduplicated_tokens: api::total_without_iterations(&api_calls),
        aggregates: facts::aggregates(&facts),
        facts,
        api_calls,
        unattributed,
    }
}

/// Puts a run of Claude Code's in order.
pub(super) fn timeline(run: &RunFiles) -> Timeline {
    let ledger = Ledger::of(run);
    let times: Vec<Option<Timestamp>> = ledger.records.iter().map(time).collect();
    let said = |record: usize, text: String| TimedMessage {
        record,
        agent: ledger.records[record].agent.clone(),
        time: times[record],
        text,
    };
    let spoken = ledger.counted().filter(|event| {
        event.kind == "message"
            && !event.text.trim().is_empty()
            && ledger.records[event.record].is("assistant")
    });
    let calls = tools::calls(&ledger, run);
    let failed_tasks =
        tasks(&ledger, &calls).failures_in_main.into_iter().map(TimedResult::of_task).collect();
    let api_calls = api::api_calls(&ledger).calls;
    let unattributed = stated::unattributed(&ledger, &api_calls);
    let known = times.iter().flatten().copied();
    Timeline {
        prompts: prompts(&ledger).into_iter().map(|it| said(it.record, it.text)).collect(),
        messages: spoken.map(|event| said(event.record, event.text.clone())).collect(),
        calls: calls.iter().map(|call| timed(call, &times)).collect(),
        failed_tasks,
        span: known.clone().min().zip(known.max()),
        by_model: api::by_model(&api_calls, &unattributed),
    }
}

/// The time that a record states.
fn time(record: &Record) -> Option<Timestamp> {
    record.timestamp()?.parse().ok()
}
