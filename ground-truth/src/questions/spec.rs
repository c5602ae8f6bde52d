//! What a row of the table of question types holds.

use super::draw::Draw;
use super::found::TruthResult;
use super::scene::Scene;
use crate::answers::Tolerance;
use serde::{Deserialize, Serialize};

/// The pack of arXiv 2609.01466.
pub(super) const MONITORING_1: &str = "monitoring/1";

/// The pack of what people ask beyond it.
pub(super) const COVERAGE_1: &str = "coverage/1";

/// Only the truth itself is right.
pub(super) const EXACT: Tolerance = Tolerance { absolute: 0, percent: 0 };

/// Finds the truth of a question in a run, or says why it has none.
pub(super) type FindTruth = fn(&Scene, &QuestionSpec, &mut Draw) -> TruthResult;

/// A row of the table of question types.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuestionSpec {
    /// The name, by which readers answer and scoreboards label rows.
    pub(super) name: &'static str,
    /// The pack that asks it, with its version.
    pub(super) pack: &'static str,
    /// What part of the run it is about.
    pub(super) scope: Scope,
    /// What the reader is asked, with `{parameter}`s.
    pub(super) ask: &'static str,
    /// What the reader is to answer with.
    pub(super) answer: AnswerKind,
    /// How the answer is graded.
    pub(super) grader: GraderKind,
    /// How far from the truth a number may be; `ask` says so.
    pub(super) tolerance: Tolerance,
    /// What finds the truth.
    pub(super) truth: FindTruth,
}

/// What part of a run a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The main thread.
    Main,
    /// The whole run, with its subagents.
    Run,
}

/// What a reader is to answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// One text.
    Text,
    /// One integer.
    Integer,
    /// A list of texts in any order.
    List,
    /// A time span.
    Duration,
    /// A list with one answer for each part, in the order asked for.
    Parts,
}

/// How an answer is graded; `graders` documents each under each rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraderKind {
    /// An integer, exact or within the stated tolerance.
    ExactInteger,
    /// A name or a path.
    ExactString,
    /// A quotation of a text.
    Quotation,
    /// F1 of two sets.
    SetF1,
    /// F1 of two sets, of which the true one may be empty.
    SetF1OrNone,
    /// A time span within the stated tolerance.
    Duration,
    /// Yes or no.
    YesNo,
    /// That the trace does not say.
    NotStated,
    /// Several answers, each graded by its own kind.
    Each,
}
