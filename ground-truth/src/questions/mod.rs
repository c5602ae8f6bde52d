//! Questions about a run, as a person who watches it would ask them, with their truth from the oracle.
//!
//! A [`Pack`] is data: what is asked, in which words, how it is graded. [`questions`](questions()) asks a
//! pack of one run. `scene` is the run as the questions see it, `registry` says which function finds the
//! truth of which type (`asks`, `calls`, `files`, `spans`, `stated`), `draw` makes the choices. The
//! graders and the harnesses use this module. It knows nothing of views or readers.

mod asks;
mod calls;
mod draw;
mod files;
mod pack;
mod registry;
mod scene;
mod spans;
mod stated;
mod truth;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::oracle::RunFiles;
use draw::Draw;
use scene::Scene;

pub use pack::{
    AnswerKind, GraderKind, ItemKind, PACK_NAMES, Pack, PackError, QuestionType, Scope, Subject,
};
pub use truth::{Part, Tolerance, Truth, Unit};

/// One question about one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The pack's name with its version.
    pub pack: String,
    /// The question type's name.
    #[serde(rename = "type")]
    pub question_type: String,
    /// The pack and the type: what tells the question from the others about the same run.
    pub id: String,
    /// What the reader is asked.
    pub text: String,
    /// What the reader is to answer with.
    pub answer_kind: AnswerKind,
    /// How the answer is graded.
    pub grader: GraderKind,
    /// What part of the run it is about.
    pub scope: Scope,
    /// The values of the parameters in the text, for a reader that does not read English.
    pub params: BTreeMap<String, Value>,
    /// The truth.
    pub truth: Truth,
}

/// A question type that was not asked of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The question type's name.
    #[serde(rename = "type")]
    pub question_type: String,
    /// Why it has no truth in the run.
    pub why: String,
}

/// A pack's questions about one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionSet {
    /// The pack's name with its version.
    pub pack: String,
    /// What a reader is told before the questions.
    pub preamble: String,
    /// The seed of the choices.
    pub seed: u64,
    /// The questions in the pack's order.
    pub questions: Vec<Question>,
    /// The types that were not asked, in the pack's order.
    pub left_out: Vec<LeftOut>,
}

/// Asks a pack of a run. What a question is about, where there is a choice, follows from the run's content
/// and the seed.
#[must_use]
pub fn questions(run: &RunFiles, pack: &Pack, seed: u64) -> QuestionSet {
    ask(&Scene::of(run), draw::run_key(run, seed), pack, seed)
}

/// Asks several packs of a run, which is read once. The same as asking one after the other.
#[must_use]
pub fn question_sets(run: &RunFiles, packs: &[Pack], seed: u64) -> Vec<QuestionSet> {
    let scene = Scene::of(run);
    let key = draw::run_key(run, seed);
    packs.iter().map(|pack| ask(&scene, key, pack, seed)).collect()
}

fn ask(scene: &Scene, key: [u8; 32], pack: &Pack, seed: u64) -> QuestionSet {
    let mut set = QuestionSet {
        pack: pack.name(),
        preamble: pack.preamble.clone(),
        seed,
        questions: Vec::new(),
        left_out: Vec::new(),
    };
    for kind in &pack.types {
        let mut draw = Draw::new(key, &format!("{}/{}", set.pack, kind.name));
        let find = registry::truth_of(&kind.name);
        let found =
            find.map_or(Err("no code finds its truth"), |find| find(scene, kind, &mut draw));
        match found {
            Ok(found) => set.questions.push(question(&set.pack, kind, found)),
            Err(why) => {
                set.left_out
                    .push(LeftOut { question_type: kind.name.clone(), why: why.to_owned() });
            }
        }
    }
    set
}

fn question(pack: &str, kind: &QuestionType, found: registry::Found) -> Question {
    Question {
        pack: pack.to_owned(),
        question_type: kind.name.clone(),
        id: format!("{pack}/{}", kind.name),
        text: filled(&kind.ask, &found.params),
        answer_kind: kind.answer,
        grader: kind.grader,
        scope: kind.scope,
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
