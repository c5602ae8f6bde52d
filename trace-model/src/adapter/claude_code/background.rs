//! What a record says about background tasks: receipts of launches, notifications of ends. Used by the
//! conversion of records.

use std::borrow::Cow;

use crate::event::{Background, Body, Event, Launch, Outcome, TaskKind, TaskReport, TaskState};

use super::harness_text::{content_of, leading_elements};
use super::shape::{Attachment, ToolUseResult};
use crate::adapter::lenient::Field;

/// The element that says how a task ended.
const NOTIFICATION: &str = "task-notification";
/// What the answer of a call starts with that was put into the background, by itself or by hand.
const COMMAND_RECEIPT: &str = "Command ";
/// What the answer of a call that launched an agent starts with.
const AGENT_RECEIPT: &str = "Async agent launched successfully";

/// What the receipts and answers among a record's results say.
pub(super) fn of_results<'a>(
    result: Option<ToolUseResult<'a>>,
    events: &[Event<'a>],
) -> Background<'a> {
    let mut background = Background::default();
    let stated = result.as_ref().map(launched);
    for event in events {
        let Body::ToolResult { outcome, text, .. } = &event.body else { continue };
        // The fold decides by the call's first result; an error launches nothing.
        let launched = match &stated {
            _ if *outcome != Outcome::Succeeded => None,
            Some(stated) => stated.clone(),
            None => launched_by_text(text),
        };
        let launch = launched.map(|(id, kind)| Launch { block: event.block, id, kind });
        background.launches.extend(launch);
    }
    if let Some(result) = result {
        background.launched_agent = non_empty(result.agent);
        background.answer = result.task.value.and_then(|task| {
            let state = task.status.value.as_deref().and_then(state)?;
            Some(TaskReport { id: non_empty(task.id)?, state, summary: Cow::Borrowed("") })
        });
    }
    background
}

fn non_empty(field: Field<Cow<'_, str>>) -> Option<Cow<'_, str>> {
    field.value.filter(|id| !id.is_empty())
}

/// The task that a result's fields say was launched.
fn launched<'a>(result: &ToolUseResult<'a>) -> Option<(Cow<'a, str>, TaskKind)> {
    let string =
        |field: &Field<Cow<'a, str>>| field.value.clone().filter(|id| !id.is_empty() && !field.odd);
    let is_receipt = result.status.value.as_deref().is_some_and(|s| s.ends_with("_launched"));
    let by_status = || {
        string(&result.agent).map(|id| (id, TaskKind::Agent)).or_else(|| {
            let id = string(&result.task_id_camel).or_else(|| string(&result.task_id));
            id.map(|id| (id, TaskKind::Command))
        })
    };
    is_receipt
        .then(by_status)
        .flatten()
        .or_else(|| string(&result.background_task).map(|id| (id, TaskKind::Command)))
}

/// The task that a result's text says was launched, in clients that write no fields.
fn launched_by_text<'a>(text: &Cow<'a, str>) -> Option<(Cow<'a, str>, TaskKind)> {
    let first = text.lines().next()?;
    let (id, kind) = if let Some(rest) = first.strip_prefix(COMMAND_RECEIPT) {
        // "Command running in background with ID: x" and "Command was manually backgrounded by
        // user with ID: x".
        let (before, after) = rest.split_once("with ID: ")?;
        before.contains("background").then_some(())?;
        let id = after.split(char::is_whitespace).next()?;
        (id.strip_suffix('.').unwrap_or(id), TaskKind::Command)
    } else if first.strip_suffix('.').unwrap_or(first) == AGENT_RECEIPT {
        let named = text.lines().find_map(|line| line.strip_prefix("agentId: "))?;
        (named.split(char::is_whitespace).next()?, TaskKind::Agent)
    } else {
        return None;
    };
    (!id.is_empty()).then(|| (Cow::Owned(id.to_owned()), kind))
}

/// What the notifications at the start of texts say.
pub(super) fn reports<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<TaskReport<'static>> {
    let looks_like_one = |text: &&str| text.trim_start().starts_with("<task-notification");
    texts.filter(looks_like_one).flat_map(notifications).collect()
}

fn notifications(text: &str) -> impl Iterator<Item = TaskReport<'static>> {
    leading_elements(text).take_while(|(name, _)| *name == NOTIFICATION).filter_map(
        |(_, notice)| {
            Some(TaskReport {
                id: Cow::Owned(content_of(notice, "task-id")?.to_owned()),
                state: state(content_of(notice, "status")?)?,
                summary: Cow::Owned(content_of(notice, "summary").unwrap_or_default().to_owned()),
            })
        },
    )
}

/// What the notifications of an attachment say.
pub(super) fn reports_of_attachment(attachment: &Attachment<'_>) -> Vec<TaskReport<'static>> {
    if attachment.kind.value.as_deref() != Some("queued_command") {
        return Vec::new();
    }
    reports(attachment.prompt.value.iter().map(|prompt| prompt.0.as_ref()))
}

/// The state that a word of the client means; other words say nothing.
fn state(word: &str) -> Option<TaskState> {
    match word {
        "completed" => Some(TaskState::Completed),
        "failed" => Some(TaskState::Failed),
        "killed" | "stopped" | "cancelled" | "canceled" => Some(TaskState::Stopped),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_text(text: &str) -> Option<(String, TaskKind)> {
        launched_by_text(&Cow::Borrowed(text)).map(|(id, kind)| (id.into_owned(), kind))
    }

    #[test]
    fn receipts_are_told_by_their_text() {
        use TaskKind::{Agent, Command};
        let cases = [
            ("Command running in background with ID: b1. Output: x", Some(("b1", Command))),
            ("Command running in background with ID: b.1", Some(("b.1", Command))),
            ("Command was manually backgrounded by user with ID: b2. Out", Some(("b2", Command))),
            ("Command running in background with ID: ", None),
            ("The Command running in background with ID: b1", None),
            ("ok\nCommand running in background with ID: b1", None),
            ("Async agent launched successfully.\nagentId: a7 (internal)", Some(("a7", Agent))),
            ("Async agent launched successfully\n\nagentId: a7", Some(("a7", Agent))),
            ("Async agent launched successfully. agentId: a7", None),
            ("Async agent launched successfully.", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(id, kind)| (id.to_owned(), kind));
            assert_eq!(by_text(text), expected, "{text}");
        }
    }

    #[test]
    fn notifications_stand_at_the_start_of_a_text() {
        let one = |id: &str, status: &str| {
            format!(
                "<task-notification>\n<task-id> {id} </task-id><status>{status}</status>\
                 <summary> why </summary></task-notification>"
            )
        };
        let of = |text: &str| -> Vec<(String, TaskState)> {
            let all = reports([text].into_iter()).into_iter();
            all.map(|report| (report.id.into_owned(), report.state)).collect()
        };
        let two = format!(" \n{}\n{} and more", one("a", "completed"), one("b", "killed"));
        let expected = [("a", TaskState::Completed), ("b", TaskState::Stopped)];
        assert_eq!(of(&two), expected.map(|(id, state)| (id.to_owned(), state)));
        assert_eq!(of(&format!("see {}", one("a", "failed"))), []);
        assert_eq!(of(&one("a", "running")), [], "other words say nothing");
        assert_eq!(of(&one(" ", "failed")), []);
        assert_eq!(reports([one("a", "failed").as_str()].into_iter())[0].summary, "why");
    }
}
