//! The rows of one question's answers, by readers that need no model.

use ground_truth::graders::{Answer, Grade, Grades, RuleSet};
use ground_truth::questions::Question;
use scoreboards::Row;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{BLIND, GradedMeasures, MECHANICAL, NO_CONTEXT, What};
use scoreboards::measures::{MeasureKey, Text};
use trace_model::ids::Sha256;

use crate::comprehend::constants::Constants;
use crate::comprehend::mechanical::not_stated;
use crate::comprehend::prepare::PreparedRun;
use crate::comprehend::rule_sets::headline;

/// Characters of an answer that are kept.
const ANSWER_CHARS: usize = 160;

/// A row about something of a run.
pub(super) fn labelled(run: &PreparedRun, id: &str, what: What) -> Row {
    Row::new(format!("{}/{id}", run.name))
        .label(&names::WHAT, what)
        .label(&names::INPUTS, run.inputs())
        .label(&names::CORPUS, &run.corpus)
        .label(&names::RUN, &run.name)
}

/// A question of a run, for the rows of its answers.
pub(super) struct AnswerRows<'a> {
    pub(super) run: &'a PreparedRun,
    pub(super) question: &'a Question,
    /// Number of questions of its type.
    pub(super) types: u64,
    pub(super) rule_sets: &'a [RuleSet],
}

impl AnswerRows<'_> {
    /// `blind` knows one answer for the strict rules and one for the lenient ones.
    pub(super) fn blind(&self, constants: &Constants) -> Row {
        let answers = |rule_set| constants.answer(self.run, self.question, rule_set);
        let (paper, strict) = (answers(RuleSet::Paper1), answers(headline(self.rule_sets)));
        let to = |rule_set: RuleSet| if rule_set.is_strict() { &strict } else { &paper };
        let each = self.rule_sets.iter().map(|it| (*it, to(*it)));
        let grades = Grades::of_each(self.question, each);
        let row = self.graded(self.row(NO_CONTEXT, BLIND, ""), grades.iter());
        let row = self.answer(row, &strict);
        self.text(row, (&names::ANSWER_PAPER, &names::ANSWER_PAPER_SHA256), &paper)
    }

    pub(super) fn mechanical(&self, condition: &str, answer: &Answer, grades: &Grades) -> Row {
        let row = self.row(condition, MECHANICAL, "").renderer(condition);
        let row = self.graded(row, grades.iter());
        let answered = *answer != Answer::Json(not_stated());
        self.answer(row.with(&names::ANSWERED, answered), answer)
    }

    /// The row of an answer, without the answer.
    pub(super) fn row(&self, condition: &str, reader: &str, suffix: &str) -> Row {
        let Self { run, question, types, .. } = self;
        let id = format!("{}/{condition}/{reader}{suffix}", question.id);
        self.of_question(labelled(run, &id, What::Answer), condition, reader).with_ratio(
            &names::WEIGHT,
            1,
            *types,
        )
    }

    /// The labels of a reader's answers to the question under a condition.
    pub(super) fn of_question(&self, row: Row, condition: &str, reader: &str) -> Row {
        row.label(&names::PACK, &self.question.pack)
            .label(&names::QUESTION, self.question.question_type.as_str())
            .label(&names::CONDITION, condition)
            .label(&names::READER, reader)
    }

    /// With the measures that rule sets make of an answer.
    pub(super) fn graded(
        &self,
        row: Row,
        grades: impl IntoIterator<Item = (RuleSet, Grade)>,
    ) -> Row {
        grades.into_iter().fold(row, |row, (rule_set, Grade { score, reason })| {
            let keys = GradedMeasures::of(rule_set);
            let reason = serde_json::to_value(reason).unwrap_or_default();
            row.with_ratio(&keys.score, score.num, score.den)
                .with_ratio(&keys.loss, score.den - score.num, score.den)
                .with_ratio(&keys.weighted, score.num, score.den * self.types)
                .with(&keys.reason, reason.as_str().unwrap_or_default())
        })
    }

    /// The answer: its start, or of a named transcript its digest.
    pub(super) fn answer(&self, row: Row, answer: &Answer) -> Row {
        self.text(row, (&names::ANSWER, &names::ANSWER_SHA256), answer)
    }

    fn text(
        &self,
        row: Row,
        (start, digest): (&MeasureKey<Text>, &MeasureKey<Text>),
        answer: &Answer,
    ) -> Row {
        let text = match answer {
            Answer::Json(value) => value.to_string(),
            Answer::Text(text) => text.clone(),
        };
        if self.run.private {
            return row.with(digest, Sha256::of(&text).to_string());
        }
        let kept: String = text.chars().take(ANSWER_CHARS).collect();
        let cut = if kept.len() < text.len() { "…" } else { "" };
        row.with(start, kept + cut)
    }
}
