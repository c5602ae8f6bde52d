//! A run's prompts, messages and calls in order, for the questions.

use jiff::Timestamp;

use super::super::api;
use super::super::calls;
use super::super::event::Event;
use super::super::run_files::RunFiles;
use super::super::timeline::{TimedMessage, TimedResult, Timeline, timed};
use super::ledger::{Ledger, is_persons};
use super::person::prompts;
use super::record::Record;
use super::recount::{closings, matched};
use super::tasks::tasks;
use super::usage;

/// Puts a run of Codex CLI's in order.
pub(crate) fn timeline(run: &RunFiles) -> Timeline {
    let ledger = Ledger::of(run);
    let times: Vec<Option<Timestamp>> = ledger.records.iter().map(Record::time).collect();
    let message = |record: usize, text: String| TimedMessage {
        record,
        agent: ledger.records[record].agent.clone(),
        time: times[record],
        text,
    };
    let is_said = |event: &&Event| {
        let is_agents = !is_persons(&ledger.records[event.record]);
        event.kind == "message" && is_agents && !event.text.trim().is_empty()
    };
    let prompts = prompts(&ledger);
    let matched = matched(&ledger);
    let tasks = tasks(&ledger, &matched);
    let mut all = matched.clone();
    calls::close(&mut all, &closings(&ledger, &prompts, &matched, &tasks), &tasks);
    let known = times.iter().flatten().copied();
    let spoken = ledger.events.iter().filter(is_said);
    Timeline {
        prompts: prompts.into_iter().map(|it| message(it.record, it.text)).collect(),
        messages: spoken.map(|event| message(event.record, event.text.clone())).collect(),
        calls: all.iter().map(|call| timed(call, &times)).collect(),
        failed_tasks: tasks.failures_in_main.into_iter().map(TimedResult::of_task).collect(),
        span: known.clone().min().zip(known.max()),
        by_model: api::by_model(&usage::calls(&ledger).calls, &[]),
    }
}
