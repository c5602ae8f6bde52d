//! Graders: how right an answer to a question is. No grader calls a model.
//!
//! There are three rule sets, each with a version that scoreboards record. What one accepts never changes
//! under its name: a change is a new version.
//!
//! - `paper/1` is our reading of the lenient rules of arXiv 2609.01466, for comparison with its figures: a
//!   quotation is right if it is contained in the truth or contains it, however short or long; an integer is
//!   the first one in the text; a name is exact; of a path the file's name is enough; lists score F1, and
//!   nothing at all counts as "none"; several parts score their mean.
//! - `strict/1` accepts no answer that a careful person would reject. A quotation has the words (see
//!   `quotation` for how many, and when they identify the text); an integer is the only one in the answer and
//!   not hedged; a name or path may stand in a short sentence, but no other beside it; a list of which more
//!   than half is wrong scores nothing; of several parts each must be right.
//!
//! - `strict/2` accepts what a careful person accepts, by closed grammars (see `strict2`): an answer of which a
//!   word or sign is not understood is not right. It is the headline of a run.
//!
//! The first two differ in fields of `rules::Rules`. Under all,  white space and case do not matter (but where
//! two paths of a run differ only in case), a Markdown fence and quotation marks around the whole answer are
//! dropped, a list of one item is that item, a list may be a JSON text, `{"answer": X}` is X, `\` and `/`
//! separate paths alike, and look-alike letters of other scripts are other letters.
//!
//! `reply` reads an answer, a module per kind grades it, [`best_constant`] finds the floor. Only the
//! harnesses use this module; it knows the truths of `questions` and nothing of readers.

mod blind;
mod duration;
mod each;
mod integer;
mod name;
mod not_stated;
mod path;
mod quotation;
mod reply;
mod rules;
mod score;
mod set;
mod strict2;
mod text;
mod yes_no;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::questions::{Question, Truth};
use reply::Reply;
use rules::Rules;

pub use blind::{BestConstant, best_constant};
pub use quotation::{RUN_CHARACTERS, RUN_TOKENS};
pub use rules::{RuleSet, UnknownRuleSet};
pub use score::Score;
pub(crate) use text::fold;

/// An answer as it came from a reader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A value out of a structured answer; `null` if the reader gave none.
    Json(Value),
    /// Free text.
    Text(String),
}

/// How right an answer is, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// From 0, wrong, to 1, right.
    pub score: Score,
    /// Why.
    pub reason: Reason,
}

/// Why an answer got its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is right.
    Right,
    /// Some of it is right.
    PartlyRight,
    /// It says something else.
    Wrong,
    /// There is no answer.
    Empty,
    /// It is not what was asked for: no number, no list of that length, a text around it that may mean
    /// anything.
    Unreadable,
    /// It names several where one was asked for.
    Several,
    /// It fits another text of the run as well or better.
    Ambiguous,
    /// More than half of the list is wrong.
    Dump,
}

impl Grade {
    fn right() -> Self {
        Self { score: Score::ONE, reason: Reason::Right }
    }

    fn none(reason: Reason) -> Self {
        Self { score: Score::ZERO, reason }
    }

    fn right_if(right: bool) -> Self {
        if right { Self::right() } else { Self::none(Reason::Wrong) }
    }

    fn partial(score: Score) -> Self {
        let reason = match score {
            Score::ONE => Reason::Right,
            Score::ZERO => Reason::Wrong,
            _ => Reason::PartlyRight,
        };
        Self { score, reason }
    }
}

/// Grades an answer to a question.
#[must_use]
pub fn grade(rule_set: RuleSet, question: &Question, answer: &Answer) -> Grade {
    grade_reply(rule_set, question, &Reply::of(answer))
}

fn grade_reply(rule_set: RuleSet, question: &Question, reply: &Reply) -> Grade {
    match rule_set.rules() {
        Some(rules) => of_truth(&rules, &question.truth, reply),
        None => strict2::grade(question, reply),
    }
}

fn of_truth(rules: &Rules, truth: &Truth, reply: &Reply) -> Grade {
    match truth {
        Truth::Integer { value, tolerance } => integer::grade(rules, *value, *tolerance, reply),
        Truth::Name { accepted, .. } => name::grade(rules, accepted, reply),
        Truth::Path { accepted, known } => path::grade(rules, accepted, known, reply),
        Truth::Quotation { .. } => quotation::grade(rules, truth, reply),
        Truth::Set { items, known, item } => {
            set::grade(rules, items, &set::World::of(items, known, *item), reply)
        }
        Truth::Duration { seconds, unit, tolerance } => {
            duration::grade(rules, *seconds, *unit, *tolerance, reply)
        }
        Truth::YesNo { yes } => yes_no::grade(*yes, reply),
        Truth::NotStated => not_stated::grade(rules, reply),
        Truth::Each { parts } => each::grade(rules, parts, reply),
    }
}
