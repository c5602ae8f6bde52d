//! Questions about tool calls: which, how many, and how they ended.

use std::collections::BTreeMap;

use super::draw::Draw;
use super::found::{FoundTruth, TruthResult};
use super::scene::{MOST_TIES, Scene, most_frequent, tally, text_field};
use super::spec::QuestionSpec;
use crate::answers::{ItemKind, Part, Tolerance, Truth};
use crate::oracle::{CallState, TimedCall};

const NO_ERROR: &str = "no call of the main agent failed";

pub(super) fn top_tool(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let counts = tally(scene.main_calls().map(|call| call.tool.clone()));
    let (accepted, _) = most_frequent(&counts).ok_or("the main agent called no tool")?;
    Ok(Truth::Name { accepted, known: scene.tools().into_iter().collect() }.into())
}

pub(super) fn last_error(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let mut errors: Vec<String> = errors(scene);
    let last = errors.pop().ok_or(NO_ERROR)?;
    error(last, errors)
}

pub(super) fn first_error(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let mut errors: Vec<String> = errors(scene);
    if errors.is_empty() {
        return Err(NO_ERROR);
    }
    let first = errors.remove(0);
    error(first, errors)
}

fn errors(scene: &Scene) -> Vec<String> {
    scene.failures().iter().map(|result| result.text.clone()).collect()
}

fn error(text: String, others: Vec<String>) -> TruthResult {
    if text.trim().is_empty() {
        return Err("the failed call's result has no text");
    }
    Ok(Truth::quotation(text, others).into())
}

pub(super) fn dangling(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let ids = |calls: Vec<&TimedCall>| -> Vec<String> {
        calls.iter().filter_map(|call| call.id.clone()).collect()
    };
    if scene.main_calls().next().is_none() {
        return Err("the main agent called no tool");
    }
    let items = ids(scene.main_calls().filter(|call| call.result.is_none()).collect());
    let known = ids(scene.timeline.calls.iter().collect());
    Ok(Truth::Set { items, known, item: ItemKind::Id }.into())
}

/// The first call after the last succeeded write, by the order of the calls.
pub(super) fn after_last_edit(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let calls: Vec<&TimedCall> = scene.main_calls().collect();
    let is_edit = |call: &&TimedCall| call.writes && call.state == Some(CallState::Succeeded);
    let last = calls.iter().rposition(is_edit).ok_or("no file was changed")?;
    let next = calls.get(last + 1).ok_or("no call came after the last edit")?;
    Ok(scene.naming(&[next]).into())
}

pub(super) fn refused_call(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let is_refused =
        |call: &&TimedCall| matches!(call.state, Some(CallState::Denied | CallState::Interrupted));
    let last = scene.main_calls().filter(is_refused).last();
    Ok(scene.naming(&[last.ok_or("no call was denied or interrupted")?]).into())
}

pub(super) fn top_command(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let bash = scene.main_calls().filter(|call| call.tool == "Bash");
    let counts = tally(bash.filter_map(|call| text_field(call, "command")));
    let (accepted, most) = most_frequent(&counts).ok_or("no shell command was run")?;
    if most == 1 || accepted.len() > MOST_TIES {
        return Err("no shell command was run more often than most others");
    }
    Ok(Truth::naming(accepted, Vec::new(), counts.into_keys()).into())
}

/// A tool and a turn before which it was called.
pub(super) fn calls_before_turn(
    scene: &Scene,
    spec: &QuestionSpec,
    draw: &mut Draw,
) -> TruthResult {
    let mut counts: BTreeMap<(String, usize), u64> = BTreeMap::new();
    for call in scene.main_calls() {
        for turn in scene.turn_of(call.record).max(1)..scene.timeline.prompts.len() {
            *counts.entry((call.tool.clone(), turn + 1)).or_insert(0) += 1;
        }
    }
    // Small counts are similar in all runs and easy to guess.
    let most = counts.values().copied().max().unwrap_or(0);
    let telling: Vec<_> = counts.iter().filter(|(_, count)| 2 * **count >= most).collect();
    let ((tool, turn), count) =
        *draw.one(&telling).ok_or("no tool was called before a second user turn")?;
    let truth = Truth::Integer { value: *count, tolerance: spec.tolerance };
    Ok(FoundTruth::from(truth).with("tool", tool.clone()).with("turn", *turn))
}

pub(super) fn failed_in_last_turn(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let last = scene.timeline.prompts.last().ok_or("there is no user turn")?;
    let calls: Vec<_> = scene.main_calls().filter(|call| call.record > last.record).collect();
    let tool = &calls.last().ok_or("no tool was called since the last user turn")?.tool;
    let failed = calls.iter().filter(|call| call.state == Some(CallState::Failed)).count();
    let mut parts = integers(&[("calls", calls.len()), ("failed", failed)]);
    parts.push(Part {
        label: "tool".to_owned(),
        truth: Truth::Name {
            accepted: vec![tool.clone()],
            known: scene.tools().into_iter().collect(),
        },
    });
    Ok(Truth::Each { parts }.into())
}

pub(super) fn busiest_turn(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for call in scene.main_calls() {
        *counts.entry(scene.turn_of(call.record)).or_insert(0) += 1;
    }
    counts.remove(&0);
    let most = counts.values().copied().max().ok_or("no tool was called in a user turn")?;
    let turns: Vec<_> = counts.iter().filter(|(_, count)| **count == most).collect();
    match turns.as_slice() {
        [(turn, count)] => {
            Ok(Truth::Each { parts: integers(&[("turn", **turn), ("calls", **count)]) }.into())
        }
        _ => Err("several user turns have as many calls"),
    }
}

pub(super) fn subagents(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let launches: Vec<String> = scene.launches().into_iter().collect();
    if launches.is_empty() {
        return Err("the main agent launched no subagent with a description");
    }
    Ok(Truth::Set { known: launches.clone(), items: launches, item: ItemKind::Phrase }.into())
}

/// Several exact integers.
fn integers(of: &[(&str, usize)]) -> Vec<Part> {
    let part = |(label, value): &(&str, usize)| Part {
        label: (*label).to_owned(),
        truth: Truth::Integer { value: *value as u64, tolerance: Tolerance::default() },
    };
    of.iter().map(part).collect()
}
