//! Questions, each with its truth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::spec::{AnswerKind, GraderKind, Scope};
use super::types::QuestionType;
use crate::answers::Truth;

/// One question about one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The pack's name with its version.
    pub pack: String,
    /// The question type.
    #[serde(rename = "type")]
    pub question_type: QuestionType,
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
    /// The question type.
    #[serde(rename = "type")]
    pub question_type: QuestionType,
    /// Why it has no truth in the run.
    pub why: String,
}

/// A pack's questions about one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionSet {
    /// The pack's name with its version.
    pub pack: String,
    /// Preamble for readers.
    pub preamble: String,
    /// The seed of the choices.
    pub seed: u64,
    /// The questions in the pack's order.
    pub questions: Vec<Question>,
    /// The types that were not asked, in the pack's order.
    pub left_out: Vec<LeftOut>,
}
