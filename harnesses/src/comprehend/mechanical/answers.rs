//! Answers from what a text shows of a run, treated as complete.

use std::collections::{BTreeMap, BTreeSet};

use ground_truth::questions::QuestionType;
use serde_json::{Value, json};
use trace_model::event::Outcome;

use super::input::naming;
use super::shown::{Call, Shown};
use super::tools::{launches, reads, writes};
use super::values::{list_or_none, most_frequent, pair, yes_or_no};
use crate::comprehend::question::ReaderQuestion;

/// The answer; none where nothing is shown that could be it.
pub(super) fn answer(shown: &Shown, question: &ReaderQuestion<'_>) -> Option<Value> {
    match question.question_type {
        QuestionType::LatestAsk => shown.prompts.last()?.text.as_deref().map(Value::from),
        QuestionType::NTurns => some_count(shown.prompts.len()),
        QuestionType::TurnRequest => turn_request(shown, question),
        QuestionType::LastWords => shown.said.last().map(|text| json!(text)),
        QuestionType::TopTool => {
            most_frequent(shown.calls.iter().map(|call| &call.tool)).map(|it| json!(it.0))
        }
        QuestionType::Files => files(shown),
        QuestionType::MostEditedFile => most_frequent(written(shown)).map(|(path, _)| json!(path)),
        QuestionType::WasRead => Some(was_read(shown, question)),
        QuestionType::LastError => errors(shown).last().map(|text| json!(text)),
        QuestionType::FirstError => errors(shown).next().map(|text| json!(text)),
        QuestionType::Dangling => dangling(shown),
        QuestionType::AfterLastEdit => after_last_edit(shown),
        QuestionType::RefusedCall => {
            let refused = shown.calls.iter().rev().find(|call| shown.was_refused(call));
            refused.map(name)
        }
        QuestionType::SlowestCall => slowest_call(shown),
        QuestionType::TopCommand => top_command(shown),
        QuestionType::CallsBeforeTurn => calls_before_turn(shown, question),
        QuestionType::FailedInLastTurn => failed_in_last_turn(shown),
        QuestionType::BusiestTurn => busiest_turn(shown),
        QuestionType::Subagents => subagents(shown),
        QuestionType::SessionMinutes => {
            let (first, last) = shown.span?;
            Some(json!((last.0 - first.0) / 60_000))
        }
        QuestionType::SinceLastUser => {
            let since = shown.span?.1.0 - shown.prompts.last()?.time?.0;
            Some(json!(since / 1000))
        }
        QuestionType::ModelTokens => {
            shown.output_tokens.get(question.text_param("model")?).map(|output| json!(output))
        }
        QuestionType::NotStated => pair(question, |about| at_the_end(shown, about)),
    }
}

fn some_count(count: usize) -> Option<Value> {
    (count > 0).then(|| json!(count))
}

/// A call by its id, which is the surest, or by its tool and main argument.
fn name(call: &Call) -> Value {
    json!(call.id.clone().unwrap_or_else(|| naming(&call.tool, &call.input)))
}

fn turn_request(shown: &Shown, question: &ReaderQuestion<'_>) -> Option<Value> {
    let turn = question.number_param("turn")?.checked_sub(1)?;
    shown.prompts.get(turn)?.text.as_deref().map(Value::from)
}

/// The paths of succeeded writes, one each.
fn written(shown: &Shown) -> impl Iterator<Item = &str> {
    let edits = shown.calls.iter().filter(|call| is_edit(shown, call));
    edits.filter_map(|call| call.input.path())
}

fn is_edit(shown: &Shown, call: &Call) -> bool {
    writes(&call.tool) && shown.ended(call, Outcome::Succeeded)
}

fn files(shown: &Shown) -> Option<Value> {
    let files: BTreeSet<&str> = written(shown).collect();
    (!files.is_empty()).then(|| json!(files))
}

fn was_read(shown: &Shown, question: &ReaderQuestion<'_>) -> Value {
    let done = shown.calls.iter().filter(|call| shown.ended(call, Outcome::Succeeded));
    let read: BTreeSet<&str> =
        done.filter(|call| reads(&call.tool)).filter_map(|call| call.input.path()).collect();
    yes_or_no(question, |path| read.contains(path))
}

/// The texts of failed results, including results whose calls are cut off.
fn errors(shown: &Shown) -> impl DoubleEndedIterator<Item = &str> {
    let failed = shown.results.iter().filter(|result| result.outcome == Outcome::Failed);
    failed.map(|result| result.text.as_str())
}

fn dangling(shown: &Shown) -> Option<Value> {
    if shown.calls.is_empty() {
        return None;
    }
    let open = shown.calls.iter().filter(|call| shown.result_of(call).is_none());
    let ids: Vec<&str> = open.filter_map(|call| call.id.as_deref()).collect();
    Some(list_or_none(&ids))
}

fn after_last_edit(shown: &Shown) -> Option<Value> {
    let last = shown.calls.iter().rposition(|call| is_edit(shown, call))?;
    shown.calls.get(last + 1).map(name)
}

fn slowest_call(shown: &Shown) -> Option<Value> {
    let lasted = |call: &Call| {
        let result = shown.result_of(call).filter(|result| result.after_call)?;
        let ended = matches!(result.outcome, Outcome::Succeeded | Outcome::Failed);
        ended.then_some(result.time?.0 - call.time?.0)
    };
    let timed = shown.calls.iter().filter_map(|call| Some((lasted(call)?, call)));
    timed.max_by_key(|(time, _)| *time).map(|(_, call)| name(call))
}

fn top_command(shown: &Shown) -> Option<Value> {
    let bash = shown.calls.iter().filter(|call| call.tool == "Bash");
    most_frequent(bash.filter_map(|call| call.input.text("command"))).map(|it| json!(it.0))
}

fn calls_before_turn(shown: &Shown, question: &ReaderQuestion<'_>) -> Option<Value> {
    let tool = question.text_param("tool")?;
    let turn = shown.prompts.get(question.number_param("turn")?.checked_sub(1)?)?;
    let before = shown.calls.iter().filter(|call| call.at < turn.at && call.tool == tool);
    Some(json!(before.count()))
}

fn failed_in_last_turn(shown: &Shown) -> Option<Value> {
    let last = shown.prompts.last()?;
    let calls: Vec<&Call> = shown.calls.iter().filter(|call| call.at > last.at).collect();
    let failed = calls.iter().filter(|call| shown.ended(call, Outcome::Failed)).count();
    Some(json!([calls.len(), failed, calls.last()?.tool]))
}

fn busiest_turn(shown: &Shown) -> Option<Value> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for call in &shown.calls {
        *counts.entry(shown.prompts.partition_point(|turn| turn.at < call.at)).or_default() += 1;
    }
    counts.remove(&0);
    let (turn, calls) = counts.into_iter().rev().max_by_key(|(_, calls)| *calls)?;
    Some(json!([turn, calls]))
}

fn subagents(shown: &Shown) -> Option<Value> {
    let launched = shown
        .calls
        .iter()
        .filter(|call| launches(&call.tool) && !shown.ended(call, Outcome::Denied));
    let names: BTreeSet<&str> =
        launched.filter_map(|call| call.input.text("description")).map(str::trim).collect();
    (!names.is_empty()).then(|| json!(names))
}

/// What the last calls were.
fn at_the_end(shown: &Shown, about: &str) -> Option<Value> {
    match about {
        "last_tool" => shown.calls.last().map(|call| json!(call.tool)),
        "last_file" => {
            let mut calls = shown.calls.iter().rev();
            let path = |call: &Call| {
                call.input
                    .path()
                    .filter(|_| reads(&call.tool) || writes(&call.tool))
                    .map(Value::from)
            };
            calls.find_map(path)
        }
        _ => None,
    }
}
