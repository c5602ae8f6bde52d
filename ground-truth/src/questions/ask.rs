//! Asks packs of runs.

use std::collections::BTreeMap;

use serde_json::Value;

use super::draw::{Draw, run_key};
use super::found::FoundTruth;
use super::pack::Pack;
use super::question::{LeftOut, Question, QuestionSet};
use super::scene::Scene;
use super::types::QuestionType;
use crate::oracle::RunFiles;

/// Asks a pack of a run. What a question is about, where there is a choice, follows from the run's content
/// and the seed.
#[must_use]
pub fn questions(run: &RunFiles, pack: &Pack, seed: u64) -> QuestionSet {
    ask(&Scene::of(run), run_key(run, seed), pack, seed)
}

/// Asks several packs of a run, which is read once. The same as asking one after the other.
#[must_use]
pub fn question_sets(run: &RunFiles, packs: &[Pack], seed: u64) -> Vec<QuestionSet> {
    let scene = Scene::of(run);
    let key = run_key(run, seed);
    packs.iter().map(|pack| ask(&scene, key, pack, seed)).collect()
}

fn ask(scene: &Scene, key: [u8; 32], pack: &Pack, seed: u64) -> QuestionSet {
    let mut set = QuestionSet {
        pack: pack.name().to_owned(),
        preamble: pack.preamble.to_owned(),
        seed,
        questions: Vec::new(),
        left_out: Vec::new(),
    };
    for kind in pack.types() {
        let mut draw = Draw::new(key, &format!("{}/{kind}", set.pack));
        let spec = kind.spec();
        match (spec.truth)(scene, spec, &mut draw) {
            Ok(found) => set.questions.push(question(kind, found)),
            Err(why) => set.left_out.push(LeftOut { question_type: kind, why: why.to_owned() }),
        }
    }
    set
}

fn question(kind: QuestionType, found: FoundTruth) -> Question {
    let spec = kind.spec();
    Question {
        pack: spec.pack.to_owned(),
        question_type: kind,
        id: format!("{}/{kind}", spec.pack),
        text: filled(spec.ask, &found.params),
        answer_kind: spec.answer,
        grader: spec.grader,
        scope: spec.scope,
        params: found.params,
        truth: found.truth,
    }
}

/// The wording with the parameters' values in the places of their names. Values are not looked at again.
fn filled(ask: &str, params: &BTreeMap<String, Value>) -> String {
    let mut text = String::new();
    let mut rest = ask;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named =
            after.split_once('}').and_then(|(name, after)| Some((params.get(name)?, after)));
        if let Some((value, after)) = named {
            text.push_str(&shown(value));
            rest = after;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text + rest
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parameters_are_filled_in_once() {
        let params =
            BTreeMap::from([("a".to_owned(), json!("{b}")), ("b".to_owned(), json!(["x", 2]))]);
        assert_eq!(filled("{a} and {b}, {c} {", &params), "{b} and x, 2, {c} {");
    }
}
