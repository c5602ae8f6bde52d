//! The main thread's items, in order, with what replay needs of a call's input.
//!
//! `docs/METHODOLOGY.md`, "Items". Made from the same lists as the recount. Used by `replay`.

use std::collections::BTreeSet;

use super::event::Event;
use super::input::Input;
use super::ledger::Ledger;
use super::prompts::prompts;
use super::run_files::{Format, RunFiles};

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// Said by the agent.
    Said,
    /// Put to the agent.
    Put,
    /// The vendor's summary.
    Summary,
    Call,
    Result,
}

/// One item.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) text: String,
    /// Of a call.
    pub(crate) input: Option<Input>,
}

/// The items of a run, and what cuts are found by.
#[derive(Debug, Clone, Default)]
pub(crate) struct Past {
    pub(crate) items: Vec<Item>,
    /// The working folder that is stated first.
    pub(crate) folder: Option<String>,
    /// The position of each prompt's message item.
    pub(crate) prompts: Vec<usize>,
    /// How many items stand before each compaction.
    pub(crate) compactions: Vec<usize>,
}

/// The items of a run.
pub(crate) fn past(run: &RunFiles) -> Past {
    let own_file = own_file(run);
    match run.format {
        Format::ClaudeCode => claude_code(&own_file),
        Format::Codex => super::codex::past(&own_file),
    }
}

/// The run without the files of subagents.
fn own_file(run: &RunFiles) -> RunFiles {
    let transcripts = run.transcripts.iter().take(1).cloned().collect();
    RunFiles { transcripts, ..run.clone() }
}

fn claude_code(run: &RunFiles) -> Past {
    let ledger = Ledger::of(run);
    let record = |event: &Event| &ledger.records[event.record];
    // A command's record is told by a later one to be a prompt: it has no message of its own.
    let typed = prompts(&ledger).into_iter().filter(|prompt| prompt.record == prompt.since);
    let message = |event: &Event| {
        if record(event).node().flag("isCompactSummary") {
            ItemKind::Summary
        } else if record(event).is("assistant") {
            ItemKind::Said
        } else {
            ItemKind::Put
        }
    };
    let mut main = ledger.records.iter().filter(|record| record.in_main());
    let folder = main.find_map(|record| record.node().id("cwd"));
    let prompts: Vec<usize> = typed.map(|prompt| prompt.record).collect();
    of_events(&ledger.events, &prompts, folder, message)
}

/// The items that events give; `prompts` are the records of prompts, `message` says whose a message is.
pub(super) fn of_events(
    events: &[Event],
    prompts: &[usize],
    folder: Option<String>,
    message: impl Fn(&Event) -> ItemKind,
) -> Past {
    let first_calls = first_calls(events);
    let kind = |at: usize| match events[at].kind {
        "message" => Some(message(&events[at])),
        "tool_call" => first_calls.contains(&at).then_some(ItemKind::Call),
        "tool_result" => Some(ItemKind::Result),
        _ => None,
    };
    let counts = |at: usize| !events[at].duplicate && events[at].agent.is_none();
    let placed: Vec<(usize, ItemKind)> =
        (0..events.len()).filter(|at| counts(*at)).filter_map(|at| Some((at, kind(at)?))).collect();
    let message_of = |record: &usize| {
        let is_its = |at: usize| events[at].record == *record && events[at].kind == "message";
        placed.iter().position(|(at, _)| is_its(*at))
    };
    let before = |event: usize| placed.iter().filter(|(at, _)| *at < event).count();
    let compactions =
        (0..events.len()).filter(|at| counts(*at) && events[*at].kind == "compaction");
    Past {
        items: placed.iter().map(|(at, kind)| item(&events[*at], *kind)).collect(),
        folder,
        prompts: prompts.iter().filter_map(message_of).collect(),
        compactions: compactions.map(before).collect(),
    }
}

/// The positions of the calls that are the first of their id in the run, or have none.
fn first_calls(events: &[Event]) -> BTreeSet<usize> {
    let mut ids = BTreeSet::new();
    let calls =
        (0..events.len()).filter(|at| events[*at].kind == "tool_call" && !events[*at].duplicate);
    calls
        .filter(|at| events[*at].call_id.as_ref().is_none_or(|id| ids.insert(id.clone())))
        .collect()
}

fn item(event: &Event, kind: ItemKind) -> Item {
    let input = (kind == ItemKind::Call).then(|| Input::of(event));
    let text = input.as_ref().map_or_else(|| event.text.clone(), |input| input.all.join("\n"));
    Item { kind, text, input }
}
