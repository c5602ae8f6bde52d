//! The rows of the scoreboard: one for each answer, each context and each question type left out.

mod answer;
mod model;

use std::collections::BTreeMap;

use ground_truth::graders::{Grades, RuleSet};
use scoreboards::Row;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{BASELINE, What};

use super::conditions::CHARS_PER_TOKEN;
use super::constants::Constants;
use super::model_reader::reader::Reader;
use super::model_reader::replies::Replies;
use super::prepare::{PreparedRun, RenderedContext};
use super::rule_sets::headline;
use answer::{AnswerRows, labelled};
use model::ModelRows;

/// How answers are graded, and by whom they are given.
pub(super) struct Grading<'a> {
    pub(super) rule_sets: &'a [RuleSet],
    pub(super) constants: &'a Constants,
    pub(super) model: Option<(&'a Reader, &'a Replies)>,
}

/// All rows of all runs.
pub(super) fn rows(runs: &[PreparedRun], grading: &Grading<'_>) -> Vec<Row> {
    let asked = how_often_asked(runs);
    let mut rows = Vec::new();
    for run in runs {
        rows.extend(left_out(run));
        rows.extend(not_shown(run));
        let baseline = run.context(BASELINE);
        rows.extend(run.conditions.iter().map(|shown| context(run, shown, baseline)));
        let types = |id: &str| asked.get(&(run.inputs(), id)).copied().unwrap_or(1);
        answers(run, types, grading, &mut rows);
        if let Some((reader, replies)) = grading.model {
            rows.extend(model::calls(run, reader, replies, headline(grading.rule_sets)));
        }
    }
    rows
}

/// The rows of every reader's answers to the questions of a run. Each answer is graded once by a rule set.
fn answers(
    run: &PreparedRun,
    types: impl Fn(&str) -> u64,
    grading: &Grading<'_>,
    rows: &mut Vec<Row>,
) {
    let places = run.sets.iter().flat_map(|set| (0..set.questions.len()).map(move |at| (set, at)));
    for (at, (set, place)) in places.enumerate() {
        let question = &set.questions[place];
        let types = types(&question.id);
        let made = AnswerRows { run, question, types, rule_sets: grading.rule_sets };
        rows.push(made.blind(grading.constants));
        for shown in &run.conditions {
            let mechanical = shown.answers.as_ref().and_then(|answers| answers.get(at));
            let mechanical = mechanical.map(|it| (it, Grades::of(question, it, grading.rule_sets)));
            if let Some((answer, grades)) = &mechanical {
                rows.push(made.mechanical(&shown.condition, answer, grades));
            }
            if let Some((reader, replies)) = grading.model {
                let grades = mechanical.as_ref().map(|(_, grades)| grades);
                let condition = &shown.condition;
                let model = ModelRows { made: &made, set, place, condition, reader, replies };
                model.add(grades, rows);
            }
        }
    }
}

/// Questions of each type, by the pool of their runs.
fn how_often_asked(runs: &[PreparedRun]) -> BTreeMap<(&'static str, &str), u64> {
    let mut counts = BTreeMap::new();
    for run in runs {
        for question in run.questions() {
            *counts.entry((run.inputs(), question.id.as_str())).or_default() += 1;
        }
    }
    counts
}

fn left_out(run: &PreparedRun) -> impl Iterator<Item = Row> + '_ {
    run.sets.iter().flat_map(move |set| {
        set.left_out.iter().map(move |left| {
            let id = format!("{}/{}/left-out", set.pack, left.question_type);
            labelled(run, &id, What::LeftOut)
                .label(&names::PACK, &set.pack)
                .label(&names::QUESTION, left.question_type.as_str())
                .with(&names::REASON, left.why.as_str())
        })
    })
}

/// A row for each condition that shows nothing of the run.
fn not_shown(run: &PreparedRun) -> impl Iterator<Item = Row> + '_ {
    run.not_shown.iter().map(move |left| {
        labelled(run, &format!("context/{}/left-out", left.condition), What::NotShown)
            .label(&names::CONDITION, &left.condition)
            .with(&names::REASON, left.why.as_str())
    })
}

fn context(run: &PreparedRun, shown: &RenderedContext, baseline: Option<&RenderedContext>) -> Row {
    let compared = baseline.map(|baseline| baseline.chars);
    labelled(run, &format!("context/{}", shown.condition), What::Context)
        .label(&names::CONDITION, &shown.condition)
        .renderer(&shown.condition)
        .with(&names::CHARACTERS, shown.chars)
        .with(&names::CHARACTERS_OF_THE_WHOLE, shown.of_chars)
        .with(&names::CUT, shown.chars < shown.of_chars)
        .with(&names::REDACTIONS, shown.redactions)
        .with(&names::ESTIMATED_TOKENS, shown.chars.div_ceil(CHARS_PER_TOKEN))
        .with_known(
            &names::CHARACTERS_OF_THE_BASELINE,
            compared.ok_or_else(|| format!("{BASELINE} was not asked for")),
        )
}
