//! The present: calls in flight, the latest moments, the latest failures.

use maud::{Markup, html};
use trace_model::event::{EventKind, Outcome, Source, TaskState};
use trace_model::fold::{BackgroundTask, Failure, Moment, OpenCall};

use super::subject::Subject;
use crate::text::{TextRenderer, at, duration};

/// Calls in flight shown.
const SHOWN_CALLS: usize = 40;

/// Calls that can still answer, oldest first.
pub(super) fn in_flight(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let calls = subject.state.in_flight();
    html! {
        section #flight aria-labelledby="flight-h" {
            h2 #flight-h { "In flight " span.n { (calls.len()) } }
            @if calls.is_empty() { p.none { "No call is waiting for its result." } }
            ol.rows role="list" {
                @for call in calls.iter().take(SHOWN_CALLS) { li.row { (waiting(subject, call, render)) } }
            }
            @if calls.len() > SHOWN_CALLS { p.cut { "The oldest " (SHOWN_CALLS) " of " (calls.len()) } }
            (background(subject, render))
        }
    }
}

/// Background tasks: running ones first, then failed ones, each newest first.
fn background(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let mut tasks: Vec<&BackgroundTask> = subject.state.background_tasks().collect();
    tasks.sort_by_key(|task| {
        let (over, failed) = (!task.is_running(), task.state == TaskState::Failed);
        (over, !failed, std::cmp::Reverse(task.launched_at))
    });
    let counts = subject.state.background_counts();
    html! {
        @if !tasks.is_empty() {
            h3 #background-h {
                "In the background "
                span.n { (counts.running) " of " (tasks.len()) " running" @if counts.failed > 0 { ", " (counts.failed) " failed" } }
            }
            ol.rows role="list" aria-labelledby="background-h" {
                @for task in tasks.iter().take(SHOWN_CALLS) {
                    li.row.bad[task.state == TaskState::Failed] { (in_background(subject, task, render)) }
                }
            }
            @if tasks.len() > SHOWN_CALLS { p.cut { "The first " (SHOWN_CALLS) " of " (tasks.len()) } }
        }
    }
}

fn in_background(
    subject: &Subject<'_>,
    task: &BackgroundTask,
    render: &TextRenderer<'_>,
) -> Markup {
    let failed = task.state == TaskState::Failed;
    html! {
        div.row-head {
            b.tool { (task.kind.name()) " " code { (render.text(&task.id, 60)) } }
            span class={ "pill " (task_class(task.state)) } { (task.state.name()) }
            @if let (true, Some(age)) = (task.is_running(), subject.age(task.launched)) {
                span.age { (duration(age)) }
            }
        }
        p.when {
            @if task.is_running() { "since event " } @else { "launched at event " }
            (task.launched_at)
            @if let Some(launched) = task.launched { ", " (at(launched)) }
            @if let Some(ended_at) = task.ended_at {
                "; ended at event " (ended_at)
                @if let Some(ended) = task.ended { ", " (at(ended)) }
                @if let (Some(launched), Some(ended)) = (task.launched, task.ended) {
                    ", after " (duration(ended.0.saturating_sub(launched.0)))
                }
            }
        }
        code.input dir="auto" { (render.head(&task.input, 160)) }
        @if task.summary.chars > 0 {
            div class=(if failed { "err" } else { "said" }) dir="auto" { (render.head(&task.summary, 200)) }
        }
    }
}

/// The class of a task's state.
fn task_class(state: TaskState) -> &'static str {
    match state {
        TaskState::Running => "busy",
        TaskState::Completed => "done",
        TaskState::Failed => "bad",
        TaskState::Stopped => "warn",
    }
}

fn waiting(subject: &Subject<'_>, call: &OpenCall, render: &TextRenderer<'_>) -> Markup {
    let limit = subject.state.config().detectors.stall_millis;
    let age = subject.age(call.time);
    html! {
        div.row-head {
            b.tool { (render.text(&call.tool, 60)) }
            @if !call.is_of_main_thread() { span.tag { "subagent" } }
            @match age {
                Some(age) => span class={ "age" @if age > limit { " late" } } { (duration(age)) },
                None => span.age { "since event " (call.issued_at) },
            }
        }
        code.input dir="auto" { (render.head(&call.input, 160)) }
    }
}

/// The latest messages and actions in the main thread, newest first.
pub(super) fn frontier(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let moments = subject.state.conversation().frontier();
    let (shown, all) = (moments.len(), subject.state.conversation().moments());
    html! {
        section #frontier aria-labelledby="frontier-h" {
            h2 #frontier-h { "Frontier " span.n { @if all > shown as u64 { (shown) " of " (all) } @else { (all) } } }
            @if shown == 0 { p.none { "Nothing was said or done." } }
            ol.rows.trail role="list" {
                @for moment in moments.rev() { li class={ "row " (tone(moment)) } { (happened(moment, render)) } }
            }
        }
    }
}

fn tone(moment: &Moment) -> &'static str {
    match (moment.kind, moment.outcome) {
        (EventKind::Error, _) | (_, Some(Outcome::Failed)) => "bad",
        (_, Some(Outcome::Denied | Outcome::Interrupted | Outcome::Cancelled)) => "warn",
        (EventKind::Message, _) if moment.source == Source::User => "person",
        _ => "",
    }
}

fn happened(moment: &Moment, render: &TextRenderer<'_>) -> Markup {
    html! {
        div.row-head {
            span.who { (who(moment, render)) }
            span.when { "event " (moment.at) }
        }
        div.said dir="auto" { (render.head(&moment.text, 200)) }
    }
}

fn who(moment: &Moment, render: &TextRenderer<'_>) -> Markup {
    let tool = moment.tool.as_deref().unwrap_or_default();
    html! {
        @match (moment.kind, moment.outcome) {
            (EventKind::ToolCall, _) => { "calls " b.tool { (render.text(tool, 60)) } }
            (_, Some(outcome)) => { b.tool { (render.text(tool, 60)) } " " (outcome_word(outcome)) }
            (EventKind::Error, _) => "endpoint error",
            _ => (speaker(moment.source)),
        }
    }
}

/// Who a message is from.
pub(crate) fn speaker(source: Source) -> &'static str {
    match source {
        Source::User => "person",
        Source::Agent => "agent",
        Source::Tool => "tool",
        Source::System => "system",
        Source::Meta => "harness",
    }
}

/// How a call ended, in a word.
pub(super) fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Succeeded => "answered",
        Outcome::Failed => "failed",
        Outcome::Denied => "was denied",
        Outcome::Interrupted => "was interrupted",
        Outcome::Cancelled => "was cancelled",
    }
}

/// The calls that failed last, newest first.
pub(super) fn failures(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let failures = subject.state.failures();
    let (shown, all) = (failures.len(), subject.state.failure_count());
    html! {
        section #failures aria-labelledby="failures-h" {
            h2 #failures-h { "Recent failures " span.n { @if all > shown as u64 { (shown) " of " (all) } @else { (all) } } }
            @if shown == 0 { p.none { "No call failed." } }
            ol.rows role="list" {
                @for one in failures.rev() { li.row.bad data-find="" { (failure(one, render)) } }
            }
        }
    }
}

/// A failed call.
pub(super) fn failure(failure: &Failure, render: &TextRenderer<'_>) -> Markup {
    html! {
        div.row-head {
            b.tool { (render.text(&failure.tool, 60)) }
            span.when {
                "event " (failure.at)
                @if let Some(time) = failure.time { ", " (at(time)) }
            }
        }
        code.input dir="auto" { (render.head(&failure.input, 160)) }
        div.err dir="auto" { (render.head(&failure.text, 300)) }
    }
}
