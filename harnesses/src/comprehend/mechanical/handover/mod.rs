//! Answers from the parts of a handover view, treated as complete.

mod items;
mod parts;

use std::collections::BTreeSet;

use ground_truth::questions::QuestionType;
use serde_json::{Value, json};
use trace_model::event::Outcome;

use self::items::{Event, EventKind, File, NamedCall, Turn};
pub(super) use self::parts::{Parts, parse};
use super::input::{Input, naming};
use super::tools::{reads, writes};
use super::values::{list_or_none, pair, yes_or_no};
use crate::comprehend::question::ReaderQuestion;

/// The answer; none where nothing is shown that could be it.
pub(super) fn answer(view: &Parts<'_>, question: &ReaderQuestion<'_>) -> Option<Value> {
    match question.question_type {
        QuestionType::LatestAsk => view.latest.map(Value::from),
        QuestionType::NTurns => view.turn_count.filter(|turns| *turns > 0).map(Value::from),
        QuestionType::TurnRequest => {
            turn_request(view, question.number_param("turn")?).map(Value::from)
        }
        QuestionType::LastWords => last_words(view).map(Value::from),
        QuestionType::TopTool => view.tools.first().map(|(tool, _)| json!(tool)),
        QuestionType::Files => {
            let files: Vec<String> = written(view).map(|file| path(view, file)).collect();
            (!files.is_empty()).then(|| json!(files))
        }
        QuestionType::MostEditedFile => written(view)
            .reduce(|most, file| if file.writes > most.writes { file } else { most })
            .map(|file| json!(path(view, file))),
        QuestionType::WasRead => {
            let read = view.files.iter().filter(|file| file.reads > 0);
            let read: BTreeSet<String> = read.map(|file| path(view, file)).collect();
            Some(yes_or_no(question, |path| read.contains(path)))
        }
        QuestionType::LastError => last_error(view).map(Value::from),
        QuestionType::FirstError => first_error(view).map(Value::from),
        QuestionType::Dangling => {
            // Of a text that shows no calls at all nothing follows.
            let known = !view.leaves_unanswered_out && view.turn_count.is_some();
            let ids: Vec<&str> = view.unanswered.iter().map(|call| call.id).collect();
            (known || !ids.is_empty()).then(|| list_or_none(&ids))
        }
        QuestionType::AfterLastEdit => view.after_edit.as_ref().map(name),
        QuestionType::RefusedCall => refused_call(view),
        QuestionType::SlowestCall => view.slowest.as_ref().map(name),
        QuestionType::TopCommand => view
            .commands
            .iter()
            .reduce(|most, command| if command.runs > most.runs { command } else { most })
            .map(|command| json!(command.text)),
        QuestionType::CallsBeforeTurn => {
            let (tool, turn) = (question.text_param("tool")?, question.number_param("turn")?);
            calls_before_turn(view, tool, turn).map(Value::from)
        }
        QuestionType::FailedInLastTurn => failed_in_last_turn(view),
        QuestionType::BusiestTurn => {
            // Of turns with equally many calls the first counts, so start with the oldest.
            let turns = view.turns.iter().rev().filter(|turn| turn.calls > 0);
            let most = turns.reduce(|most, turn| if turn.calls > most.calls { turn } else { most });
            most.map(|turn| json!([turn.number, turn.calls]))
        }
        QuestionType::Subagents => {
            let names: BTreeSet<&str> = view.subagents.iter().map(|it| it.description).collect();
            (!names.is_empty()).then(|| json!(names))
        }
        QuestionType::SessionMinutes => view.seconds.map(|seconds| json!(seconds / 60)),
        QuestionType::SinceLastUser => view.since_prompt.map(Value::from),
        QuestionType::ModelTokens => {
            let asked = question.text_param("model")?;
            view.models.iter().find(|(model, _)| *model == asked).map(|(_, tokens)| json!(tokens))
        }
        QuestionType::NotStated => pair(question, |about| at_the_end(view, about)),
    }
}

/// A call by its id, which is the surest, or by its tool and main argument.
fn name(call: &NamedCall<'_>) -> Value {
    match call.id {
        Some(id) => json!(id),
        None => json!(naming(call.tool, &call.input)),
    }
}

/// A file's path.
fn path(view: &Parts<'_>, file: &File<'_>) -> String {
    whole(view, file.path)
}

/// A path in full: a relative one is below the folder of the run.
fn whole(view: &Parts<'_>, path: &str) -> String {
    let is_absolute = path.starts_with(['/', '~', '\\']) || path.get(1..2) == Some(":");
    match view.folder.filter(|_| !is_absolute) {
        Some(folder) => format!("{folder}/{path}"),
        None => path.to_owned(),
    }
}

/// The files that the main thread wrote, the last used first.
fn written<'v, 'a>(view: &'v Parts<'a>) -> impl Iterator<Item = &'v File<'a>> {
    view.files.iter().filter(|file| file.writes > 0)
}

fn turn_request<'a>(view: &Parts<'a>, turn: usize) -> Option<&'a str> {
    let goal = view.goal.filter(|(number, _)| *number == turn).map(|(_, text)| text);
    let latest = || view.latest.filter(|_| view.turn_count == Some(turn));
    let shown = || view.requests.iter().find(|it| it.turn == turn).map(|it| it.asked);
    goal.or_else(latest).or_else(shown)
}

/// What the agent said last: where the last answer is shown in full, it is the longer text of the same message.
fn last_words<'a>(view: &Parts<'a>) -> Option<&'a str> {
    let said = view.events.iter().rev().filter_map(|event| match event.kind {
        EventKind::AgentSaid(text) if !text.is_empty() => Some((event.at, text)),
        _ => None,
    });
    let answer = view.last_answer.filter(|(_, text)| !text.is_empty());
    let last = said.chain(answer).reduce(|last, it| if it.0 >= last.0 { it } else { last });
    let concluded = || view.requests.iter().find_map(|turn| turn.concluded);
    last.map(|(_, text)| text).or_else(concluded)
}

fn last_error<'a>(view: &Parts<'a>) -> Option<&'a str> {
    let newest = || view.failures.iter().max_by_key(|failure| failure.at);
    view.last_error.or_else(|| newest().map(|failure| failure.text))
}

fn first_error<'a>(view: &Parts<'a>) -> Option<&'a str> {
    let oldest = view.failures.iter().min_by_key(|failure| failure.at);
    view.first_error.or(oldest.map(|failure| failure.text)).or(view.last_error)
}

/// The last call that was denied or interrupted, as far as it is shown.
fn refused_call(view: &Parts<'_>) -> Option<Value> {
    let open = view.unanswered.iter().filter(|call| call.interrupted);
    let open = open.map(|call| (call.at, json!(call.id)));
    let is_refused = |outcome| matches!(outcome, Outcome::Denied | Outcome::Interrupted);
    let refused = view.refusals.iter().filter(|refusal| is_refused(refusal.outcome));
    let refused = refused.map(|refusal| (refusal.at, name(&refusal.call)));
    open.chain(refused).max_by_key(|(at, _)| *at).map(|(_, name)| name)
}

/// Calls of a tool in the turns before one; none unless all of them are shown.
fn calls_before_turn(view: &Parts<'_>, tool: &str, turn: usize) -> Option<usize> {
    let before: Vec<&Turn<'_>> = view.turns.iter().filter(|it| it.number < turn).collect();
    let numbers: BTreeSet<usize> = before.iter().map(|it| it.number).collect();
    if !(1..turn).all(|number| numbers.contains(&number)) {
        return None;
    }
    let of_tool = before.iter().flat_map(|it| &it.by_tool).filter(|(name, _)| *name == tool);
    Some(of_tool.map(|(_, calls)| calls).sum())
}

fn failed_in_last_turn(view: &Parts<'_>) -> Option<Value> {
    let last = view.turns.iter().max_by_key(|turn| turn.number)?;
    Some(json!([last.calls, last.failed, last_tool(view)?]))
}

/// The last calls that are shown, the last one first.
fn last_calls<'v, 'a>(view: &'v Parts<'a>) -> impl Iterator<Item = (&'a str, &'v Input)> {
    view.events.iter().rev().filter_map(|event: &Event<'a>| match &event.kind {
        EventKind::Call(tool, input) => Some((*tool, input)),
        _ => None,
    })
}

fn last_tool<'a>(view: &Parts<'a>) -> Option<&'a str> {
    let told = || view.turns.iter().find_map(|turn| turn.last_tool);
    last_calls(view).next().map(|(tool, _)| tool).or_else(told)
}

/// What the last calls were.
fn at_the_end(view: &Parts<'_>, about: &str) -> Option<Value> {
    match about {
        "last_tool" => last_tool(view).map(Value::from),
        "last_file" => {
            let told = view.turns.iter().find_map(|turn| turn.last_file);
            let mut files = last_calls(view).filter(|(tool, _)| reads(tool) || writes(tool));
            let mut recent = || files.find_map(|(_, input)| input.path()).map(str::to_owned);
            // The files used last come early in their list.
            let listed = || {
                let mut used = view.files.iter().filter(|file| file.reads + file.writes > 0);
                used.next().map(|file| path(view, file))
            };
            told.map(|path| whole(view, path)).or_else(&mut recent).or_else(listed).map(Value::from)
        }
        _ => None,
    }
}
