//! A reply that came, read and graded once by each rule set that asks.

use std::sync::OnceLock;

use ground_truth::graders::{Answer, Grade, RuleSet, grade};
use ground_truth::questions::QuestionSet;

use super::reply::Reply;
use crate::model::Called;

/// What a rule set makes of a reply.
#[derive(Debug)]
struct Reading {
    reply: Reply,
    /// The answer to each question of the set, in order.
    graded: Vec<(Answer, Grade)>,
}

/// The reply to a call about a set of questions.
#[derive(Debug)]
pub(in crate::comprehend) struct ReceivedReply {
    pub(in crate::comprehend) called: Called,
    readings: [OnceLock<Reading>; RuleSet::ALL.len()],
}

impl ReceivedReply {
    pub(in crate::comprehend) fn new(called: Called) -> Self {
        Self { called, readings: Default::default() }
    }

    /// The reply as a rule set reads it.
    pub(in crate::comprehend) fn read(&self, set: &QuestionSet, rule_set: RuleSet) -> &Reply {
        &self.reading(set, rule_set).reply
    }

    /// The answers to the questions of the set, which is the one that was asked, each with its grade.
    pub(in crate::comprehend) fn all_graded(
        &self,
        set: &QuestionSet,
        rule_set: RuleSet,
    ) -> &[(Answer, Grade)] {
        &self.reading(set, rule_set).graded
    }

    /// The answer to the question at a place of the set, with its grade.
    pub(in crate::comprehend) fn graded(
        &self,
        set: &QuestionSet,
        rule_set: RuleSet,
        place: usize,
    ) -> &(Answer, Grade) {
        &self.all_graded(set, rule_set)[place]
    }

    fn reading(&self, set: &QuestionSet, rule_set: RuleSet) -> &Reading {
        let at = RuleSet::ALL.iter().take_while(|it| **it != rule_set).count();
        self.readings[at].get_or_init(|| {
            let reply = Reply::of(&self.called.completion, rule_set);
            let graded = set.questions.iter().map(|question| {
                let answer = reply.answer(question);
                let grade = grade(rule_set, question, &answer);
                (answer, grade)
            });
            let graded = graded.collect();
            Reading { reply, graded }
        })
    }
}
