//! Which grader grades an answer: by the rule set and the kind of truth.

use super::grade::Grade;
use super::reply::Reply;
use super::rules::{RuleSet, Rules};
use super::{duration, each, integer, name, not_stated, path, quotation, set, strict2, yes_no};
use crate::answers::{Answer, Truth};
use crate::questions::Question;

/// Grades an answer to a question.
#[must_use]
pub fn grade(rule_set: RuleSet, question: &Question, answer: &Answer) -> Grade {
    grade_reply(rule_set, question, &Reply::of(answer))
}

pub(super) fn grade_reply(rule_set: RuleSet, question: &Question, reply: &Reply) -> Grade {
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
        Truth::Each { parts } => each::grade(rules, parts, reply, of_truth),
    }
}
