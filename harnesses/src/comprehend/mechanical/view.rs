//! Answers from the sections of a worker view, treated as complete.

use std::collections::BTreeSet;

use ground_truth::questions::QuestionType;
use serde_json::{Value, json};
use trace_model::event::Outcome;

use super::input::{Input, naming};
use super::sections::{EventKind, Sections};
use super::tools::{launches, reads, writes};
use super::values::{list_or_none, most_frequent, pair, yes_or_no};
use crate::comprehend::question::ReaderQuestion;

/// The answer; none where nothing is shown that could be it.
pub(super) fn answer(view: &Sections<'_>, question: &ReaderQuestion<'_>) -> Option<Value> {
    match question.question_type {
        QuestionType::LatestAsk => view.latest.map(Value::from),
        QuestionType::NTurns => view.turns.filter(|turns| *turns > 0).map(Value::from),
        QuestionType::TurnRequest => {
            turn_request(view, question.number_param("turn")?).map(Value::from)
        }
        QuestionType::LastWords => last_words(view).map(Value::from),
        QuestionType::TopTool => view.tools.first().map(|(tool, _)| json!(tool)),
        QuestionType::Files => {
            let files: Vec<&str> = written(view).map(|(path, _)| path).collect();
            (!files.is_empty()).then(|| json!(files))
        }
        QuestionType::MostEditedFile => written(view)
            .reduce(|most, file| if file.1 > most.1 { file } else { most })
            .map(|(path, _)| json!(path)),
        QuestionType::WasRead => {
            let read: BTreeSet<&str> =
                view.files.iter().filter(|file| file.reads > 0).map(|file| file.path).collect();
            Some(yes_or_no(question, |path| read.contains(path)))
        }
        QuestionType::LastError => view.last_error.map(Value::from),
        QuestionType::FirstError => view.failures.last().map(|text| json!(text)),
        QuestionType::Dangling => {
            let ids: Vec<&str> = view.unanswered.as_ref()?.iter().map(|call| call.id).collect();
            Some(list_or_none(&ids))
        }
        QuestionType::AfterLastEdit => after_last_edit(view).map(Value::from),
        QuestionType::RefusedCall => refused_call(view).map(Value::from),
        QuestionType::TopCommand => {
            let bash = calls(view).filter(|(tool, _)| *tool == "Bash");
            most_frequent(bash.filter_map(|(_, input)| input.text("command"))).map(|it| json!(it.0))
        }
        QuestionType::FailedInLastTurn => {
            let turn = view.episodes.first()?;
            Some(json!([turn.calls, turn.failed, last_calls(view).next()?.0]))
        }
        QuestionType::BusiestTurn => {
            // Of turns with equally many calls the first counts, so start with the oldest.
            let turns = view.episodes.iter().rev().filter(|turn| turn.calls > 0);
            let most = turns.reduce(|most, turn| if turn.calls > most.calls { turn } else { most });
            most.map(|turn| json!([turn.turn, turn.calls]))
        }
        QuestionType::Subagents => {
            let launched = calls(view).filter(|(tool, _)| launches(tool));
            let names: BTreeSet<&str> =
                launched.filter_map(|(_, input)| input.text("description")).collect();
            (!names.is_empty()).then(|| json!(names))
        }
        QuestionType::NotStated => pair(question, |about| at_the_end(view, about)),
        // The view holds nothing of these.
        QuestionType::SlowestCall
        | QuestionType::CallsBeforeTurn
        | QuestionType::SessionMinutes
        | QuestionType::SinceLastUser
        | QuestionType::ModelTokens => None,
    }
}

fn turn_request<'a>(view: &Sections<'a>, turn: usize) -> Option<&'a str> {
    let episode = view.episodes.iter().find(|episode| episode.turn == turn);
    let ends = if turn == 1 { view.goal } else { view.latest.filter(|_| view.turns == Some(turn)) };
    ends.or_else(|| episode.map(|episode| episode.asked))
}

fn last_words<'a>(view: &Sections<'a>) -> Option<&'a str> {
    let said = view.events.iter().rev().filter_map(|event| match event.kind {
        EventKind::AgentSaid(text) => Some(text),
        _ => None,
    });
    said.chain(view.episodes.iter().filter_map(|turn| turn.concluded)).find(|text| !text.is_empty())
}

/// The files written, with counts.
fn written<'a>(view: &Sections<'a>) -> impl Iterator<Item = (&'a str, usize)> {
    view.files.iter().filter(|file| file.writes > 0).map(|file| (file.path, file.writes))
}

/// The calls that the view names, the last ones first.
fn last_calls<'v, 'a>(view: &'v Sections<'a>) -> impl Iterator<Item = (&'a str, &'v Input)> {
    view.events.iter().rev().filter_map(|event| match &event.kind {
        EventKind::Call(tool, input) => Some((*tool, input)),
        _ => None,
    })
}

/// All calls that the view names, each once: calls without a result may be among the last events too.
fn calls<'v, 'a>(view: &'v Sections<'a>) -> impl Iterator<Item = (&'a str, &'v Input)> {
    let recent: BTreeSet<u64> = view.events.iter().map(|event| event.at).collect();
    let open = view.unanswered.iter().flatten().filter(move |call| !recent.contains(&call.at));
    last_calls(view).chain(open.map(|call| (call.tool, &call.input)))
}

/// The events of the calls whose results are shown, by the results' positions: the first call of the
/// tool without a result is answered first. A result whose call is not shown has none.
fn answered<'v>(view: &'v Sections<'_>) -> Vec<(usize, Outcome, Option<usize>)> {
    let open: BTreeSet<u64> = view.unanswered.iter().flatten().map(|call| call.at).collect();
    let mut waiting: Vec<(usize, &'v str)> = Vec::new();
    let mut found = Vec::new();
    for (at, event) in view.events.iter().enumerate() {
        match &event.kind {
            EventKind::Call(tool, _) if !open.contains(&event.at) => waiting.push((at, tool)),
            EventKind::Result(tool, outcome) => {
                let call = waiting.iter().position(|(_, waits)| waits == tool);
                found.push((at, *outcome, call.map(|call| waiting.remove(call).0)));
            }
            _ => {}
        }
    }
    found
}

fn after_last_edit(view: &Sections<'_>) -> Option<String> {
    let is_edit = |(at, outcome, _): &&(usize, Outcome, Option<usize>)| {
        *outcome == Outcome::Succeeded
            && matches!(&view.events[*at].kind, EventKind::Result(tool, _) if writes(tool))
    };
    let found = answered(view);
    let edits: Vec<_> = found.iter().filter(is_edit).collect();
    // A call that is cut off came before every call that is shown.
    let from = edits.iter().map(|(_, _, call)| call.map_or(0, |at| at + 1)).max()?;
    view.events.get(from..)?.iter().find_map(|event| match &event.kind {
        EventKind::Call(tool, input) => Some(naming(tool, input)),
        _ => None,
    })
}

/// The last call that was denied or interrupted, as far as it is shown.
fn refused_call(view: &Sections<'_>) -> Option<String> {
    let open = view.unanswered.iter().flatten().filter(|call| call.interrupted);
    let open = open.map(|call| (call.at, call.id.to_owned()));
    let refused = answered(view).into_iter().filter_map(|(_, outcome, call)| {
        let event = view.events.get(call?)?;
        let EventKind::Call(tool, input) = &event.kind else { return None };
        matches!(outcome, Outcome::Denied | Outcome::Interrupted)
            .then(|| (event.at, naming(tool, input)))
    });
    open.chain(refused).max().map(|(_, name)| name)
}

/// What the last calls were.
fn at_the_end(view: &Sections<'_>, about: &str) -> Option<Value> {
    match about {
        "last_tool" => last_calls(view).next().map(|(tool, _)| json!(tool)),
        "last_file" => {
            let mut files = last_calls(view).filter(|(tool, _)| reads(tool) || writes(tool));
            let recent = files.find_map(|(_, input)| input.path());
            // The list of files has the last used first.
            recent.or_else(|| view.files.first().map(|file| file.path)).map(Value::from)
        }
        _ => None,
    }
}
