//! What several rule sets say of one reader's answer, each asked once.

use super::dispatch::grade_reply;
use super::grade::Grade;
use super::reply::Reply;
use super::rules::RuleSet;
use super::score::Score;
use crate::answers::Answer;
use crate::questions::Question;

/// The grades of an answer by several rule sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grades(Vec<(RuleSet, Grade)>);

impl Grades {
    /// Grades an answer by each rule set; the answer is read once.
    #[must_use]
    pub fn of(question: &Question, answer: &Answer, rule_sets: &[RuleSet]) -> Self {
        let reply = Reply::of(answer);
        let graded = |rule_set: &RuleSet| (*rule_set, grade_reply(*rule_set, question, &reply));
        Self(rule_sets.iter().map(graded).collect())
    }

    /// Grades what each rule set reads out of one reply: rule sets differ in what they take for the answer.
    #[must_use]
    pub fn of_each<'a>(
        question: &Question,
        answers: impl IntoIterator<Item = (RuleSet, &'a Answer)>,
    ) -> Self {
        let graded = |(rule_set, answer): (RuleSet, &Answer)| {
            (rule_set, grade_reply(rule_set, question, &Reply::of(answer)))
        };
        Self(answers.into_iter().map(graded).collect())
    }

    /// The grade by a rule set; none if it was not asked.
    #[must_use]
    pub fn by(&self, rule_set: RuleSet) -> Option<Grade> {
        self.0.iter().find(|(it, _)| *it == rule_set).map(|(_, grade)| *grade)
    }

    /// Whether a rule set accepts the answer as fully right.
    #[must_use]
    pub fn is_right(&self, rule_set: RuleSet) -> bool {
        self.by(rule_set).is_some_and(|grade| grade.score == Score::ONE)
    }

    /// The rule sets in the order in which they were asked, each with its grade.
    pub fn iter(&self) -> impl Iterator<Item = (RuleSet, Grade)> + '_ {
        self.0.iter().copied()
    }
}
