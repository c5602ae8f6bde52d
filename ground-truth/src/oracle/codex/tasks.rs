//! Background tasks: agents that a call of `spawn_agent` launched.
//!
//! `docs/formats/codex.md`, "Background tasks".

use std::collections::BTreeMap;

use super::super::json::Node;
use super::super::parse::{Json, Kind, first_value};
use super::super::task::{TaskKind, TaskReport, TaskState, Tasks, enter};
use super::super::tool_call::{Call, CallState};
use super::ledger::Ledger;
use super::record::Record;
use super::results::object_of;

/// What stands around what is said of an agent in a message.
const NOTIFICATION: [&str; 2] = ["<subagent_notification>", "</subagent_notification>"];

/// The tasks at the end of the run.
pub(super) fn tasks(ledger: &Ledger, calls: &[Call]) -> Tasks {
    let answered: BTreeMap<usize, &Call> =
        calls.iter().filter_map(|call| Some((call.result?.0, call))).collect();
    let mut tasks = Tasks::default();
    for (at, event) in ledger.events.iter().enumerate() {
        let call = answered.get(&at).filter(|call| at > call.at);
        let reports = match call {
            Some(call) => reports_in_result(ledger, call, &event.text),
            None => notification(&ledger.records[event.record]).into_iter().collect(),
        };
        for report in reports {
            enter(&mut tasks, at, report);
        }
    }
    tasks
}

/// What the first result of a call says.
fn reports_in_result(ledger: &Ledger, call: &Call, text: &str) -> Vec<TaskReport> {
    let Some(object) = object_of(text) else { return Vec::new() };
    match ledger.bare_tool(call.event).as_deref() {
        Some("spawn_agent") if call.state == Some(CallState::Succeeded) => {
            let id = object.first_text(&["agent_id", "task_name"]);
            let launched = |id: &str| TaskReport::Launched {
                id: id.to_owned(),
                kind: TaskKind::Agent,
                call: call.id().unwrap_or_default().to_owned(),
                in_main: call.event.agent.is_none(),
            };
            id.map(launched).into_iter().collect()
        }
        Some("wait_agent" | "wait") => match object.field("status").map(|status| &status.kind) {
            // The keys are in byte order.
            Some(Kind::Object(status)) => {
                status.iter().filter_map(|(id, status)| report(id, status)).collect()
            }
            _ => Vec::new(),
        },
        Some("close_agent") => closed(call.event.input.as_ref(), &object).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// What the result of a `close_agent` call with this input says.
fn closed(input: Option<&Json>, result: &Json) -> Option<TaskReport> {
    let id = input?.first_text(&["target", "id"])?;
    let status = result.field("previous_status").or_else(|| result.field("status"))?;
    match word(status)?.0 {
        "running" | "pending_init" => Some(TaskReport::Is {
            id: id.to_owned(),
            state: TaskState::Stopped,
            summary: String::new(),
        }),
        _ => report(id, status),
    }
}

/// "A status is a string, or an object whose first key (in byte order) is the word": the word, and its value.
fn word(status: &Json) -> Option<(&str, Option<&Json>)> {
    match &status.kind {
        Kind::Text(word) => Some((word, None)),
        Kind::Object(fields) => {
            fields.first_key_value().map(|(word, value)| (word.as_str(), Some(value)))
        }
        _ => None,
    }
}

/// What a status says of an agent; "others say nothing".
fn report(id: &str, status: &Json) -> Option<TaskReport> {
    let (word, value) = word(status)?;
    let state = match word {
        "completed" => TaskState::Completed,
        "errored" => TaskState::Failed,
        "shutdown" | "interrupted" => TaskState::Stopped,
        _ => return None,
    };
    let summary = value.filter(|_| state == TaskState::Failed).and_then(Json::text);
    let summary = summary.unwrap_or_default().trim().to_owned();
    (!id.is_empty()).then(|| TaskReport::Is { id: id.to_owned(), state, summary })
}

/// What a message to the agent says of another agent.
fn notification(record: &Record) -> Option<TaskReport> {
    let is_message = record.is_own() && record.is("response_item", "message");
    let payload = record.payload().filter(|_| is_message)?;
    if payload.string("role").as_deref() != Some("user") {
        return None;
    }
    let text = first_text(&payload)?;
    let [open, close] = NOTIFICATION;
    let (inside, _) = text.trim_start().strip_prefix(open)?.split_once(close)?;
    let object = first_value(inside.trim()).map(|(object, _)| object)?;
    let id = object.first_text(&["agent_path", "agent_id"])?;
    report(id, object.field("status")?)
}

/// The text of a message's first block.
fn first_text(payload: &Node) -> Option<String> {
    let content = payload.get("content")?;
    if let Some(text) = content.value().text() {
        return Some(text.to_owned());
    }
    let blocks = content.items()?;
    let first = blocks.first()?;
    first.value().text().map(str::to_owned).or_else(|| first.string("text"))
}
