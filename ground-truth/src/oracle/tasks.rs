//! Background tasks: agents and commands that a call launched and that go on by themselves.
//!
//! `docs/DEFINITIONS.md`, "Background tasks".

use std::collections::BTreeMap;

use super::event::Event;
use super::harness_text::filled_element;
use super::json::Node;
use super::ledger::{Ledger, text_of};
use super::task::{TaskKind, TaskReport, TaskState, Tasks, enter};
use super::tool_call::{Call, CallState};

/// The tools whose succeeded calls stop a task.
const STOPPERS: [&str; 3] = ["TaskStop", "KillShell", "KillBash"];

/// The start of the first line of a receipt of a command, and what stands in it before the task's id.
const COMMAND: &str = "Command ";
const BACKGROUND: &str = "background";
const COMMAND_ID: &str = "with ID: ";

/// The first line of a receipt of an agent, a point at its end aside, and the start of the line with its id.
const AGENT: &str = "Async agent launched successfully";
const AGENT_ID: &str = "agentId: ";

/// "Other words say nothing."
fn state_of(word: &str) -> Option<TaskState> {
    match word {
        "completed" => Some(TaskState::Completed),
        "failed" => Some(TaskState::Failed),
        "killed" | "stopped" | "cancelled" | "canceled" => Some(TaskState::Stopped),
        _ => None,
    }
}

/// The tasks at the end of the run. Of the calls, only their results and the states these give are used.
pub(super) fn tasks(ledger: &Ledger, calls: &[Call]) -> Tasks {
    let answered: BTreeMap<usize, &Call> =
        calls.iter().filter_map(|call| Some((call.result?.0, call))).collect();
    let mut tasks = Tasks::default();
    for (at, event) in ledger.events.iter().enumerate() {
        let of_result = answered.get(&at).map(|call| reports_in_result(ledger, call, event));
        let said = of_result.unwrap_or_else(|| reports_in_notifications(ledger, event));
        for said in said {
            enter(&mut tasks, at, said);
        }
    }
    tasks
}

/// What the first result of a call says: that a task was launched, how one stands, or that one was stopped.
fn reports_in_result(ledger: &Ledger, call: &Call, result: &Event) -> Vec<TaskReport> {
    let record = ledger.records[result.record].node();
    let told = record.get("toolUseResult").filter(Node::is_object);
    let mut said = Vec::new();
    if let Some((kind, id)) = receipt(told.as_ref(), &result.text).filter(|_| !result.is_error) {
        let call_id = call.id().unwrap_or_default().to_owned();
        said.push(TaskReport::Launched {
            id,
            kind,
            call: call_id,
            in_main: call.event.agent.is_none(),
        });
    }
    if let Some(task) = told.and_then(|told| told.get("task")) {
        let state = task.string("status").and_then(|word| state_of(&word));
        said.extend(task.id("task_id").zip(state).map(|(id, state)| is(id, state)));
    }
    if STOPPERS.contains(&call.tool()) && call.state == Some(CallState::Succeeded) {
        let keys = ["task_id", "shell_id", "bash_id"];
        let id = call.event.input.as_ref().and_then(|input| input.first_text(&keys));
        said.extend(id.map(|id| is(id.to_owned(), TaskState::Stopped)));
    }
    said
}

fn is(id: String, state: TaskState) -> TaskReport {
    TaskReport::Is { id, state, summary: String::new() }
}

/// The kind and id of the task of which a result is a receipt, by the three ways in their order.
fn receipt(told: Option<&Node>, text: &str) -> Option<(TaskKind, String)> {
    let Some(told) = told else {
        return receipt_by_text(text);
    };
    let keys = ["agentId", "taskId", "task_id"];
    let is_launched = told.string("status").is_some_and(|status| status.ends_with("_launched"));
    if let Some(id) = told.value().first_text(&keys).filter(|_| is_launched) {
        let is_agent = told.value().first_text(&keys[..1]).is_some();
        let kind = if is_agent { TaskKind::Agent } else { TaskKind::Command };
        return Some((kind, id.to_owned()));
    }
    let command = told.value().first_text(&["backgroundTaskId"])?;
    Some((TaskKind::Command, command.to_owned()))
}

/// The receipt that a result's text alone is.
fn receipt_by_text(text: &str) -> Option<(TaskKind, String)> {
    let first = text.lines().next()?;
    let of_command = first
        .strip_prefix(COMMAND)
        .and_then(|rest| rest.split_once(BACKGROUND))
        .and_then(|(_, rest)| rest.split_once(COMMAND_ID));
    if let Some((_, after)) = of_command {
        let id = up_to_space(after);
        let id = id.strip_suffix('.').unwrap_or(id);
        return (!id.is_empty()).then(|| (TaskKind::Command, id.to_owned()));
    }
    if first.strip_suffix('.').unwrap_or(first) != AGENT {
        return None;
    }
    let mut ids = text.lines().filter_map(|line| line.strip_prefix(AGENT_ID)).map(up_to_space);
    let id = ids.find(|id| !id.is_empty())?;
    Some((TaskKind::Agent, id.to_owned()))
}

fn up_to_space(text: &str) -> &str {
    text.split(char::is_whitespace).next().unwrap_or_default()
}

/// What the notifications say with which an event's text starts, if it is one that can hold them.
fn reports_in_notifications(ledger: &Ledger, event: &Event) -> Vec<TaskReport> {
    let record = &ledger.records[event.record];
    let node = record.node();
    let kind = record.kind().unwrap_or_default();
    let attachment = node.get("attachment");
    let text = match kind.as_str() {
        "user" if event.kind == "message" => event.text.clone(),
        "attachment" => match attachment {
            Some(it) if it.string("type").as_deref() == Some("queued_command") => {
                text_of(&it, "prompt")
            }
            _ => return Vec::new(),
        },
        "queue-operation" => match node.get("content").and_then(|it| it.value().text()) {
            Some(text) => text.to_owned(),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    if event.duplicate { Vec::new() } else { notifications(&text) }
}

/// The elements `<task-notification>` with which a text starts, one after the other.
fn notifications(text: &str) -> Vec<TaskReport> {
    let mut said = Vec::new();
    let mut rest = text.trim_start();
    while let Some((element, after)) = rest
        .strip_prefix("<task-notification>")
        .and_then(|inner| inner.split_once("</task-notification>"))
    {
        let state = filled_element(element, "status").and_then(state_of);
        if let Some((id, state)) = filled_element(element, "task-id").zip(state) {
            let summary = filled_element(element, "summary").unwrap_or_default().to_owned();
            said.push(TaskReport::Is { id: id.to_owned(), state, summary });
        }
        rest = after.trim_start();
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_can_be_a_receipt() {
        let id = |text| receipt_by_text(text).map(|(kind, id)| (kind == TaskKind::Agent, id));
        let command = |id: &str| Some((false, id.to_owned()));
        let agent = |id: &str| Some((true, id.to_owned()));
        assert_eq!(id("Command running in background with ID: b41"), command("b41"));
        assert_eq!(id("Command running in background with ID: b41. Output: /x"), command("b41"));
        assert_eq!(id("Command was manually backgrounded by user with ID: b5"), command("b5"));
        assert_eq!(id("Command was moved to the background with ID: b.4.\r\nx"), command("b.4"));
        assert_eq!(id("Async agent launched successfully.\nagentId: a7 (internal)"), agent("a7"));
        assert_eq!(
            id("Async agent launched successfully\nx\nagentId: a7\nagentId: b"),
            agent("a7")
        );
        for text in [
            "",
            "x\nCommand running in background with ID: b41",
            "The Command running in background with ID: b41",
            "Command running in background with ID: ",
            "Command running in background",
            "Async agent launched successfully!\nagentId: a7",
            "Async agent launched successfully.\n agentId: a7",
            "Async agent launched successfully.",
            "agentId: a7\nAsync agent launched successfully.",
        ] {
            assert_eq!(id(text), None, "{text}");
        }
    }

    #[test]
    fn notifications_stand_at_a_texts_start() {
        let told = |text: &str| -> Vec<String> {
            let said = notifications(text).into_iter();
            said.map(|said| match said {
                TaskReport::Is { id, state, summary } => format!("{id} {state:?} {summary}"),
                TaskReport::Launched { .. } => "launched".to_owned(),
            })
            .collect()
        };
        let one = |id: &str, status: &str| {
            format!(
                "<task-notification>\n<task-id> {id} </task-id><status>{status}\n</status></task-notification>"
            )
        };
        let two = format!(" \n{} \n{} and more", one("a", "completed"), one("b", "killed"));
        assert_eq!(told(&two), ["a Completed ", "b Stopped "]);
        let between = format!("{}{}{}", one("a", "waiting"), one("", "failed"), one("c", "failed"));
        assert_eq!(told(&between), ["c Failed "]);
        let summary = "<task-notification><summary> it\n broke </summary><status>failed</status><task-id>a</task-id></task-notification>";
        assert_eq!(told(summary), ["a Failed it\n broke"]);
        assert!(told(&format!("see {}", one("a", "failed"))).is_empty());
        assert!(told("<task-notification><task-id>a</task-id><status>failed</status>").is_empty());
    }
}
