//! What Claude Code says of tool calls: what a result means, what closes a call, who launched an agent.
//!
//! `docs/DEFINITIONS.md`, "Calls and their results".

use std::collections::BTreeMap;

use super::calls::{Closings, close, matched, result_id};
use super::event::Event;
use super::harness_text::INTERRUPTED;
use super::json::Node;
use super::ledger::Ledger;
use super::prompts::{interruptions, prompts};
use super::run_files::RunFiles;
use super::tasks::tasks;
use super::tool_call::{Call, CallState};

/// Starts of a result's text that say that the person or a rule refused the call.
const DENIALS: [&str; 3] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "Permission to use ",
];

/// What may stand before the text of an error that the client wrote.
const TOOL_ERROR: &str = "<tool_use_error>";

/// Starts of an error's text that say that the client gave the call up because of another one.
const CANCELLATIONS: [&str; 3] = [
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "Error: Streaming fallback - tool execution discarded",
];

/// All counted calls with the states in which they end, in ledger order.
pub(super) fn calls<'a>(ledger: &'a Ledger, run: &RunFiles) -> Vec<Call<'a>> {
    let matched = matched(&ledger.events, |_, result| state_by_result(ledger, result));
    let mut calls = matched.clone();
    close(&mut calls, &closings(ledger, run, &matched), &tasks(ledger, &matched));
    calls
}

/// What closes the calls of the run.
pub(super) fn closings<'a>(
    ledger: &'a Ledger,
    run: &RunFiles,
    calls: &'a [Call<'a>],
) -> Closings<'a> {
    let stops = prompts(ledger).into_iter().filter(|prompt| !prompt.beside_result);
    let prompts = stops.map(|prompt| prompt.record);
    let stops = prompts.chain(interruptions(ledger)).collect();
    let thread = |at: usize| ledger.records[at].agent.as_deref();
    Closings::new(stops, thread, calls, launching_calls(ledger, run))
}

/// "A call with a matched result is ..."
fn state_by_result(ledger: &Ledger, result: &Event) -> CallState {
    let denial = ledger.records[result.record].node().string("toolDenialKind");
    let text = &result.text;
    let is_denial = DENIALS.iter().any(|start| text.starts_with(start));
    if denial.as_deref() == Some("interrupted") || text.starts_with(INTERRUPTED) {
        CallState::Interrupted
    } else if denial.is_some() || (result.is_error && is_denial) {
        CallState::Denied
    } else if result.is_error && is_cancelled(text) {
        CallState::Cancelled
    } else if result.is_error {
        CallState::Failed
    } else {
        CallState::Succeeded
    }
}

/// "Its text, without a `<tool_use_error>` and white space before it, starts with ..."
fn is_cancelled(text: &str) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix(TOOL_ERROR).unwrap_or(text).trim_start();
    CANCELLATIONS.iter().any(|start| text.starts_with(start))
}

/// "The launching call of agent X is `parentToolUseID` of its progress records, or its records'
/// `parent_tool_use_id`, or `toolUseId` of the `agent-X.meta.json` beside its file, or the call of the first
/// result whose record's `toolUseResult.agentId` is X."
fn launching_calls(ledger: &Ledger, run: &RunFiles) -> BTreeMap<String, String> {
    let mut launching = BTreeMap::new();
    for record in &ledger.records {
        let call = record.wrapper.as_ref().and_then(|wrapper| wrapper.launching_call.clone());
        if let Some((agent, call)) = record.agent.clone().zip(call) {
            launching.entry(agent).or_insert(call);
        }
    }
    for record in &ledger.records {
        if let Some((agent, call)) =
            record.agent.clone().zip(record.node().id("parent_tool_use_id"))
        {
            launching.entry(agent).or_insert(call);
        }
    }
    for (agent, call) in &run.launching_calls {
        launching.entry(agent.clone()).or_insert_with(|| call.clone());
    }
    for event in &ledger.events {
        let told = ledger.records[event.record].node().get("toolUseResult").filter(Node::is_object);
        let agent = told.and_then(|told| told.id("agentId"));
        if let Some((agent, call)) = agent.zip(result_id(event)) {
            launching.entry(agent).or_insert_with(|| call.to_owned());
        }
    }
    launching
}
