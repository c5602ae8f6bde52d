//! Questions about time and tokens.

use jiff::Timestamp;

use super::draw::Draw;
use super::found::{FoundTruth, TruthResult};
use super::scene::{MOST_TIES, Scene};
use super::spec::QuestionSpec;
use crate::answers::{Truth, Unit};
use crate::oracle::{CallState, TimedCall};

const NO_TIME: &str = "the records state no times";

/// Milliseconds from one time to a later one.
fn between(from: Timestamp, to: Timestamp) -> Option<u64> {
    u64::try_from(to.duration_since(from).as_millis()).ok()
}

pub(super) fn session_minutes(scene: &Scene, spec: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let (first, last) = scene.timeline.span.ok_or(NO_TIME)?;
    duration(spec, Unit::Minutes, between(first, last))
}

pub(super) fn since_last_user(scene: &Scene, spec: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let (_, last) = scene.timeline.span.ok_or(NO_TIME)?;
    let prompt = scene.timeline.prompts.last().ok_or("there is no user turn")?;
    duration(
        spec,
        Unit::Seconds,
        between(prompt.time.ok_or("the last user turn has no time")?, last),
    )
}

fn duration(spec: &QuestionSpec, unit: Unit, milliseconds: Option<u64>) -> TruthResult {
    let seconds = milliseconds.ok_or("the times run backwards")? / 1000;
    Ok(Truth::Duration { seconds, unit, tolerance: spec.tolerance }.into())
}

pub(super) fn slowest_call(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let ended = scene
        .main_calls()
        .filter(|call| matches!(call.state, Some(CallState::Succeeded | CallState::Failed)));
    let timed: Vec<(u64, &TimedCall)> =
        ended.filter_map(|call| Some((lasted(call)?, call))).collect();
    let most = timed.iter().map(|(time, _)| *time).max().ok_or("no call has a time")?;
    let slowest: Vec<_> =
        timed.iter().filter(|(time, _)| *time == most).map(|(_, call)| *call).collect();
    if slowest.len() > MOST_TIES {
        return Err("no call took longer than most others");
    }
    Ok(scene.naming(&slowest).into())
}

/// How long a call took, in milliseconds.
fn lasted(call: &TimedCall) -> Option<u64> {
    let result = call.result.as_ref().filter(|result| result.after_call)?;
    between(call.time?, result.time?)
}

pub(super) fn model_tokens(scene: &Scene, spec: &QuestionSpec, draw: &mut Draw) -> TruthResult {
    let models: Vec<_> = scene
        .timeline
        .by_model
        .iter()
        .map(|(name, totals)| (name, totals.tokens.output))
        .filter(|(_, output)| *output > 0)
        .collect();
    let (name, value) = *draw.one(&models).ok_or("no API call reports output tokens")?;
    let truth = Truth::Integer { value, tolerance: spec.tolerance };
    Ok(FoundTruth::from(truth).with("model", name.clone()))
}
