//! How the run went: counts, times, tools, models, spending, turns, subagents, the last events and words.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Scope;
use super::lines::{event, growing, head, tool};
use super::work::below_folder;
use crate::fold::{Episode, Prompt, RunState, RunTurn, ToolTally};
use crate::text::{grouped, one_line};
use crate::view::handover::part::{Part, share};
use crate::view::handover::worth;
use crate::view::words::{outcome_name, source_name};
use crate::view::worker::{counts_line, spent_line};

/// Tools shown at most.
const TOOLS: usize = 40;
/// Characters of an event's text, of what a turn asked for, and of what it came to.
const EVENT_CHARS: usize = 160;
const REQUEST_CHARS: usize = 140;
const CONCLUSION_CHARS: usize = 110;
/// How many of the newest turns say what they came to.
const CONCLUDED: usize = 6;
/// Characters of a path.
const PATH_CHARS: usize = 400;

pub(super) fn add<'a>(parts: &mut Vec<Part<'a>>, state: &'a RunState, scope: Scope) {
    parts.push(Part::text(&worth::COUNTS, std::iter::once(counts_line(state))));
    parts.push(Part::text(&worth::SPENT, std::iter::once(spent_line(state))));
    parts.extend(time(state));
    parts.extend(tools(state));
    parts.extend(models(state));
    let told = told_turns(state, scope);
    parts.push(turns(state, &told, scope));
    parts.push(asked(state, told));
    parts.push(subagents(state, scope));
    parts.extend(slowest(state, scope));
    parts.extend(after_edit(state, scope));
    parts.extend(answer(state, scope));
    parts.push(events(state, scope));
}

fn time(state: &RunState) -> Option<Part<'_>> {
    let identity = state.identity();
    let (first, last) = (identity.first_time?, identity.last_time?);
    let seconds = |from: crate::ids::Millis| (last.0 - from.0).max(0) / 1000;
    let mut line = format!("TIME: {} s from {first} to {last}", seconds(first));
    if let Some(asked) = state.handover().last_prompt_time() {
        let _ = write!(line, "; {} s of them since the last user turn", seconds(asked));
    }
    Some(Part::text(&worth::TIME, std::iter::once(line)))
}

fn tools(state: &RunState) -> Option<Part<'_>> {
    let mut tools: Vec<(&String, &ToolTally)> = state.main_tools().iter().collect();
    if tools.is_empty() {
        return None;
    }
    let main: u64 = tools.iter().map(|(_, tally)| tally.calls).sum();
    let by_subagents = match state.tool_totals().calls - main {
        0 => String::new(),
        calls => format!("; and {calls} calls by subagents"),
    };
    tools.sort_by_key(|(name, tally)| (Reverse(tally.calls), *name));
    let all = tools.len() as u64;
    let used: Vec<String> = tools.iter().map(|(name, tally)| tool_use(name, tally)).collect();
    // The most used one, then all.
    let steps = [1, TOOLS].into_iter().filter(move |most| *most == 1 || all > 1);
    let lines = steps.map(move |most| {
        let shown = &used[..used.len().min(most)];
        let share = share(shown.len() as u64, all);
        format!("TOOLS by calls of the main thread ({share}): {}{by_subagents}", shown.join(", "))
    });
    Some(Part::text(&worth::TOOLS, lines))
}

fn tool_use(name: &str, tally: &ToolTally) -> String {
    let failed = match tally.failed {
        0 => String::new(),
        failed => format!(" ({failed} failed)"),
    };
    format!("{} {}{failed}", tool(name), tally.calls)
}

fn models(state: &RunState) -> Option<Part<'_>> {
    let mut models: Vec<_> = state.spending_by_model().into_iter().collect();
    if models.is_empty() {
        return None;
    }
    models.sort_by_key(|(name, spent)| (Reverse(spent.tokens.output), *name));
    let shown = models.iter().take(12).map(|(name, spent)| {
        format!("{} {}", one_line(name, 80, None), grouped(spent.tokens.output))
    });
    let shown: Vec<String> = shown.collect();
    let share = share(shown.len() as u64, models.len() as u64);
    let line = format!("MODELS by output tokens ({share}): {}", shown.join("; "));
    Some(Part::text(&worth::MODELS, std::iter::once(line)))
}

/// The turns that are part of the conversation, the newest first.
fn told_turns(state: &RunState, scope: Scope) -> Vec<&Episode> {
    let store = state.episodes();
    let live = store.nodes().filter_map(|node| store.live(node));
    let mut turns: Vec<&Episode> = live
        .map(|(_, version)| match state.episode_under_way() {
            // The current episode is shown as it is now, not as its newest version saw it.
            Some(current) if current.number == version.content.number => current,
            _ => &version.content,
        })
        .collect();
    let is_news = |episode: &&Episode| {
        let number = usize::try_from(episode.number).unwrap_or(usize::MAX);
        let next = state.turns().get(number).map(|turn| turn.at);
        next.is_none_or(|next| scope.shows(next))
    };
    turns.retain(is_news);
    turns.reverse();
    turns
}

/// What each turn took: short lines, so that even a small budget has room for all of them. Those that were taken
/// back are among them: their calls were made.
fn turns<'a>(state: &'a RunState, told: &[&'a Episode], scope: Scope) -> Part<'a> {
    let told: BTreeMap<u64, &Episode> = told.iter().map(|told| (told.number, *told)).collect();
    let all = state.turns();
    let is_news = |at: usize| all.get(at + 1).is_none_or(|next| scope.shows(next.at));
    let news = (0..all.len()).rev().filter(|at| is_news(*at)).filter_map(|at| all.get(at));
    let news: Vec<&RunTurn> = news.collect();
    let total = news.len() as u64;
    let lines =
        news.into_iter().map(move |begun| turn(state, begun, told.get(&begun.number).copied()));
    Part::lines(&worth::TURNS, total, ", newest first", lines)
}

fn turn(state: &RunState, begun: &RunTurn, told: Option<&Episode>) -> String {
    let work = state.handover().turn_work(begun.number);
    let mut tools: Vec<(&String, u64)> =
        work.iter().flat_map(|work| &work.calls).map(|(name, calls)| (name, *calls)).collect();
    tools.sort_by_key(|(name, calls)| (Reverse(*calls), *name));
    let calls: u64 = tools.iter().map(|(_, calls)| calls).sum();
    let failed = work.map_or(0, |work| work.failed);
    let status = match told {
        _ if !begun.is_in_force() => "taken back",
        Some(episode) => episode.status.name(),
        None => "over",
    };
    let mut line = format!("- {} {status}: {calls} calls", begun.number);
    for (at, (name, calls)) in tools.iter().enumerate() {
        let before = if at == 0 { " (" } else { ", " };
        let _ = write!(line, "{before}{} {calls}", tool(name));
    }
    let end = if tools.is_empty() { "" } else { ")" };
    let _ = write!(line, "{end}, {failed} failed");
    if let Some(episode) = told {
        let _ = write!(line, ", ${}", episode.dollars.round_dp(4).normalize());
    }
    // What the newest turn does now, in a few words.
    if begun.number == state.conversation().prompts() && calls > 0 {
        let handover = state.handover();
        if let Some(call) = handover.last_call() {
            let _ = write!(line, "; last call: {}", tool(&call.tool));
        }
        if let Some(path) = handover.last_file() {
            let path = below_folder(state, path);
            let _ = write!(line, "; last file: {}", one_line(path, PATH_CHARS, None));
        }
    }
    line
}

/// What each turn asked for and came to.
fn asked<'a>(state: &'a RunState, told: Vec<&'a Episode>) -> Part<'a> {
    let total = told.len() as u64;
    let lines = told.into_iter().enumerate().map(move |(rank, episode)| {
        let concluded = match episode.conclusion.chars {
            _ if rank >= CONCLUDED => String::new(),
            0 => String::new(),
            _ => format!("; concluded: {}", head(&episode.conclusion, CONCLUSION_CHARS)),
        };
        format!("- {}: {}{concluded}", episode.number, request(state, episode))
    });
    Part::lines(&worth::ASKED, total, ", newest first", lines)
}

/// A turn's request; the texts of the goal and of the latest request are not given twice.
fn request(state: &RunState, episode: &Episode) -> String {
    let conversation = state.conversation();
    let began = usize::try_from(episode.number).ok().and_then(|it| it.checked_sub(1));
    let began = began.and_then(|it| state.turns().get(it)).map(|turn| turn.at);
    let is = |prompt: Option<&Prompt>| prompt.is_some_and(|prompt| Some(prompt.at) == began);
    if is(conversation.goal()) {
        "the goal".to_owned()
    } else if is(conversation.latest_request()) {
        "the latest request".to_owned()
    } else {
        one_line(&episode.prompt, REQUEST_CHARS, Some(episode.prompt_chars))
    }
}

fn subagents(state: &RunState, scope: Scope) -> Part<'_> {
    let kept = state.handover().launches();
    let launches: Vec<_> = kept.iter().rev().filter(|launch| scope.shows(launch.at)).collect();
    let total = launches.len() as u64 + state.handover().launch_count() - kept.len() as u64;
    let lines = launches
        .into_iter()
        .map(|launch| format!("{}: {}", event(launch.at), head(&launch.description, 200)));
    Part::lines(&worth::SUBAGENTS, total, ", by description, newest first", lines)
}

fn slowest(state: &RunState, scope: Scope) -> Option<Part<'_>> {
    // Where no call took any time, none is the slowest.
    let slow = state.handover().slowest_call();
    let slow = slow.filter(|slow| slow.millis > 0 && scope.shows(slow.at))?;
    let id = one_line(slow.id.as_deref().unwrap_or("-"), 80, None);
    let line = format!(
        "SLOWEST CALL (event {}): {} [{id}] {}.{:03} s: {}",
        slow.at,
        tool(&slow.tool),
        slow.millis / 1000,
        slow.millis % 1000,
        head(&slow.input, 300)
    );
    Some(Part::text(&worth::SLOWEST, std::iter::once(line)))
}

fn after_edit(state: &RunState, scope: Scope) -> Option<Part<'_>> {
    let call = state.handover().after_last_edit().filter(|call| scope.shows(call.at))?;
    let id = one_line(call.id.as_deref().unwrap_or("-"), 80, None);
    let (tool, input) = (tool(&call.tool), head(&call.input, 300));
    let line = format!("AFTER THE LAST EDIT (event {}): {tool} [{id}]: {input}", call.at);
    Some(Part::text(&worth::AFTER_EDIT, std::iter::once(line)))
}

fn answer(state: &RunState, scope: Scope) -> Option<Part<'_>> {
    let last = state.handover().answers().back().filter(|answer| scope.shows(answer.at))?;
    let label = format!("LAST ANSWER (event {}): ", last.at);
    Some(Part::text(&worth::ANSWER, growing(label, &last.text.text, last.text.chars)))
}

fn events(state: &RunState, scope: Scope) -> Part<'_> {
    let moments = state.conversation().frontier().rev();
    let moments: Vec<_> = moments.filter(|moment| scope.shows(moment.at)).collect();
    let total = state.conversation().moments();
    let lines = moments.into_iter().map(|moment| {
        let mut line = format!("{} {}", event(moment.at), source_name(moment.source));
        let _ = match (&moment.tool, moment.outcome) {
            (Some(name), Some(outcome)) => {
                write!(line, " {} {}", tool(name), outcome_name(outcome))
            }
            (Some(name), None) => write!(line, " calls {}", tool(name)),
            _ => Ok(()),
        };
        format!("{line}: {}", head(&moment.text, EVENT_CHARS))
    });
    Part::lines(&worth::EVENTS, total, ", oldest first", lines).reversed()
}
