//! What is open or went wrong: alerts, calls without a result, background tasks, failures, refused calls.

use std::collections::BTreeSet;

use super::Scope;
use super::lines::{event, growing, head, tool};
use crate::fold::{BackgroundTask, Failure, Refusal, RunState};
use crate::ids::Seq;
use crate::text::one_line;
use crate::view::handover::part::Part;
use crate::view::handover::worth;
use crate::view::words::outcome_name;
use crate::view::worker::{describe, describe_task};

/// Characters of a call's input, and of what a tool said.
const TEXT_CHARS: usize = 160;

pub(super) fn add<'a>(parts: &mut Vec<Part<'a>>, state: &'a RunState, scope: Scope) {
    parts.push(alerts(state));
    parts.push(cleared_alerts(state, scope));
    parts.push(unanswered(state));
    parts.push(background(state, scope));
    parts.extend(last_error(state, scope));
    parts.push(open_failures(state));
    parts.push(mended_failures(state, scope));
    parts.extend(first_error(state, scope));
    parts.push(refused(state, scope));
}

fn alerts(state: &RunState) -> Part<'_> {
    let active = state.active_anomalies();
    let total = active.len() as u64;
    let lines = active.into_iter().map(|alert| {
        let message = one_line(&alert.message(), TEXT_CHARS, None);
        format!("- {} since event {}: {message}", alert.kind, alert.raised_at)
    });
    Part::lines(&worth::ALERTS, total, "", lines)
}

fn cleared_alerts(state: &RunState, scope: Scope) -> Part<'_> {
    let all = state.cleared_anomalies().len() as u64 + state.dropped_anomalies();
    let over = state
        .cleared_anomalies()
        .rev()
        .filter(move |alert| scope.shows(crate::ids::Seq(alert.raised_at)));
    let words = over.map(|alert| format!("{} at event {}", alert.kind, alert.raised_at));
    Part::words(&worth::CLEARED_ALERTS, all, ", newest first", words)
}

fn unanswered(state: &RunState) -> Part<'_> {
    let dangling = state.dangling();
    let total = dangling.len() as u64;
    let lines = dangling.into_iter().map(|call| format!("- {}", describe(call, TEXT_CHARS)));
    Part::lines(&worth::UNANSWERED, total, "", lines)
}

/// Background work, running and finished.
fn background(state: &RunState, scope: Scope) -> Part<'_> {
    let is_shown = |task: &&BackgroundTask| {
        task.is_running() || scope.shows(task.ended_at.unwrap_or(task.launched_at))
    };
    let mut tasks: Vec<&BackgroundTask> = state.background_tasks().filter(is_shown).collect();
    tasks.sort_by_key(|task| (!task.is_running(), std::cmp::Reverse(task.launched_at), &task.id));
    let running = state.background_counts().running;
    let total = tasks.len() as u64;
    let about = format!(", {running} running; running and newest first");
    let lines = tasks.into_iter().map(|task| format!("- {}", describe_task(task, TEXT_CHARS)));
    let worth = if running > 0 { &worth::BACKGROUND } else { &worth::BACKGROUND_ENDED };
    Part::lines(worth, total, about, lines)
}

fn last_error(state: &RunState, scope: Scope) -> Option<Part<'_>> {
    let last = state.last_error()?;
    let is_news = state.failures().next_back().is_none_or(|failure| scope.shows(failure.at));
    let text = growing("LAST ERROR: ".to_owned(), &last.text, last.chars);
    is_news.then(|| Part::text(&worth::LAST_ERROR, text))
}

fn describe_failure(failure: &Failure) -> String {
    let (input, text) = (head(&failure.input, 100), head(&failure.text, TEXT_CHARS));
    format!("{} {} {input}: {text}", event(failure.at), tool(&failure.tool))
}

/// The failures after which the same call has not succeeded.
fn open_failures(state: &RunState) -> Part<'_> {
    let open = state.failures().rev();
    let open: Vec<_> =
        open.filter(|failure| state.handover().mended(failure.at).is_none()).collect();
    let kept = state.failures().len() as u64;
    let about = match state.failure_count() {
        all if all > kept => format!(", newest first; of the last {kept} of {all} failures"),
        _ => ", newest first".to_owned(),
    };
    let total = open.len() as u64;
    Part::lines(&worth::OPEN_FAILURES, total, about, open.into_iter().map(describe_failure))
}

fn mended_failures(state: &RunState, scope: Scope) -> Part<'_> {
    let mended = state
        .failures()
        .rev()
        .filter_map(|failure| Some((failure, state.handover().mended(failure.at)?)));
    let mended: Vec<_> = mended.filter(|(_, by)| scope.shows(*by)).collect();
    let total = mended.len() as u64;
    let lines = mended
        .into_iter()
        .map(|(failure, by)| format!("{}; succeeded at event {by}", describe_failure(failure)));
    Part::lines(&worth::MENDED_FAILURES, total, ", newest first", lines)
}

fn first_error(state: &RunState, scope: Scope) -> Option<Part<'_>> {
    let first = state.handover().first_failure().filter(|first| scope.shows(first.at))?;
    let is_last = state.failures().next_back().is_some_and(|last| last.at == first.at);
    let label = format!("FIRST ERROR (event {}): ", first.at);
    Some(if is_last {
        Part::text(&worth::FIRST_ERROR, std::iter::once(format!("{label}the last error")))
    } else {
        Part::text(&worth::FIRST_ERROR, growing(label, &first.text.text, first.text.chars))
    })
}

/// What the agent was not allowed to do, or was stopped in.
fn refused(state: &RunState, scope: Scope) -> Part<'_> {
    let kept = state.handover().refusals();
    let dropped = state.handover().refusal_count() - kept.len() as u64;
    // An interrupted call without a result is shown as such, with all that stands here.
    let open: BTreeSet<Seq> = state.dangling().into_iter().map(|call| call.issued_at).collect();
    let is_shown = |refusal: &&Refusal| scope.shows(refusal.at) && !open.contains(&refusal.call_at);
    let refusals: Vec<&Refusal> = kept.iter().rev().filter(is_shown).collect();
    let total = refusals.len() as u64 + dropped;
    let lines = refusals.into_iter().map(|refusal| {
        let said = match refusal.reason.chars {
            0 => String::new(),
            _ => format!("; the person said: {}", head(&refusal.reason, 300)),
        };
        format!(
            "- event {} {} {} [{}]: {}{said}",
            refusal.call_at,
            outcome_name(refusal.outcome),
            tool(&refusal.tool),
            one_line(refusal.id.as_deref().unwrap_or("-"), 80, None),
            head(&refusal.input, TEXT_CHARS)
        )
    });
    Part::lines(&worth::REFUSED, total, ", newest first", lines)
}
