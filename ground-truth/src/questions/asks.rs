//! Questions about what was said: by the person, and by the main agent.

use super::draw::Draw;
use super::found::{FoundTruth, TruthResult};
use super::scene::Scene;
use super::spec::QuestionSpec;
use crate::answers::Truth;

const NO_TURN: &str = "there is no user turn";

pub(super) fn latest_ask(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let mut requests = scene.requests();
    let last = requests.pop().ok_or(NO_TURN)?;
    Ok(Truth::quotation(last, requests).into())
}

pub(super) fn n_turns(scene: &Scene, spec: &QuestionSpec, _: &mut Draw) -> TruthResult {
    match scene.timeline.prompts.len() as u64 {
        0 => Err(NO_TURN),
        value => Ok(Truth::Integer { value, tolerance: spec.tolerance }.into()),
    }
}

/// A turn that is neither the first nor the last.
pub(super) fn turn_request(scene: &Scene, _: &QuestionSpec, draw: &mut Draw) -> TruthResult {
    let mut requests = scene.requests();
    if requests.len() < 3 {
        return Err("there are fewer than three user turns");
    }
    let at = 1 + draw.below(requests.len() - 2);
    let request = requests.remove(at);
    Ok(FoundTruth::from(Truth::quotation(request, requests)).with("turn", at + 1))
}

pub(super) fn last_words(scene: &Scene, _: &QuestionSpec, _: &mut Draw) -> TruthResult {
    let said = scene.timeline.messages.iter().filter(|message| message.agent.is_none());
    let mut said: Vec<String> = said.map(|message| message.text.clone()).collect();
    let last = said.pop().ok_or("the main agent said nothing")?;
    Ok(Truth::quotation(last, said).into())
}
