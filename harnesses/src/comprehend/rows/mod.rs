//! The rows of the scoreboard: one for each answer, each context and each question type left out.

use std::collections::BTreeMap;

use ground_truth::graders::{Answer, Grade, RuleSet, grade};
use ground_truth::questions::Question;
use scoreboards::{Measure, Row};
use trace_model::ids::Sha256;

use super::args::{BLIND, MECHANICAL};
use super::blind::Constants;
use super::conditions::BASELINE;
use super::measure::{Measured, Under};
use super::model_reader::{Reader, Replies};

mod model;

/// Characters of an answer that are kept.
const ANSWER_CHARS: usize = 160;

/// The characters that a token is taken to have where no tokenizer is run.
pub(super) const CHARS_PER_TOKEN: u64 = 4;

/// The label of `blind`'s condition: it is shown nothing.
pub(super) const NO_CONTEXT: &str = "none";

/// Names of the measures that the rule sets make. The versions of one have the same: the header says which
/// made it, and no board has two.
pub(super) fn measure_of(rule_set: RuleSet) -> &'static str {
    match rule_set {
        RuleSet::Paper1 => "paper",
        RuleSet::Strict1 | RuleSet::Strict2 => "strict",
    }
}

/// The strict rules by which repeats, calls and the answers that rows hold are read.
pub(super) fn headline(rule_sets: &[RuleSet]) -> RuleSet {
    rule_sets.iter().copied().find(|it| it.is_strict()).unwrap_or(RuleSet::STRICT)
}

/// How rows are graded, and by whom they are answered.
pub(super) struct Graded<'a> {
    pub(super) rule_sets: &'a [RuleSet],
    pub(super) constants: &'a Constants,
    pub(super) model: Option<(&'a Reader, &'a Replies)>,
}

/// All rows of all runs.
pub(super) fn rows(runs: &[Measured], by: &Graded<'_>) -> Vec<Row> {
    let asked = how_often_asked(runs);
    let mut rows = Vec::new();
    for run in runs {
        rows.extend(left_out(run));
        let baseline = run.conditions.iter().find(|under| under.condition == BASELINE);
        rows.extend(run.conditions.iter().map(|under| context(run, under, baseline)));
        let questions: Vec<&Question> = run.sets.iter().flat_map(|set| &set.questions).collect();
        for (at, question) in questions.iter().enumerate() {
            let types = asked.get(&(run.inputs(), question.id.as_str())).copied().unwrap_or(1);
            let of = Of { run, question, types, rule_sets: by.rule_sets };
            rows.push(of.blind(by.constants));
            let read = run.conditions.iter().filter_map(|under| {
                let answer = under.answers.as_ref()?.get(at)?;
                Some(of.mechanical(&under.condition, answer))
            });
            rows.extend(read);
            if let Some((reader, replies)) = by.model {
                rows.extend(model::answers(&of, at, reader, replies));
            }
        }
        if let Some((reader, replies)) = by.model {
            rows.extend(model::calls(run, reader, replies, headline(by.rule_sets)));
        }
    }
    rows
}

/// How many questions of each type there are, by what the runs are pooled with.
fn how_often_asked(runs: &[Measured]) -> BTreeMap<(&'static str, &str), u64> {
    let mut counts = BTreeMap::new();
    for run in runs {
        for question in run.sets.iter().flat_map(|set| &set.questions) {
            *counts.entry((run.inputs(), question.id.as_str())).or_default() += 1;
        }
    }
    counts
}

fn labelled(run: &Measured, id: &str, what: &str) -> Row {
    Row::new(format!("{}/{id}", run.name))
        .label("what", what)
        .label("inputs", run.inputs())
        .label("corpus", &run.corpus)
        .label("run", &run.name)
}

fn left_out(run: &Measured) -> impl Iterator<Item = Row> + '_ {
    run.sets.iter().flat_map(move |set| {
        set.left_out.iter().map(move |left| {
            let id = format!("{}/{}/left-out", set.pack, left.question_type);
            labelled(run, &id, "left_out")
                .label("pack", &set.pack)
                .label("question", left.question_type.as_str())
                .text("reason", &left.why)
        })
    })
}

fn context(run: &Measured, under: &Under, baseline: Option<&Under>) -> Row {
    let compared = match baseline {
        Some(baseline) => Measure::Count(baseline.chars),
        None => Measure::Missing { reason: format!("{BASELINE} was not asked for") },
    };
    labelled(run, &format!("context/{}", under.condition), "context")
        .label("condition", &under.condition)
        .renderer(&under.condition)
        .count("characters", under.chars)
        .count("characters_of_the_whole", under.of_chars)
        .flag("cut", under.chars < under.of_chars)
        .count("redactions", under.redactions)
        .measure("estimated_tokens", Measure::Tokens(under.chars.div_ceil(CHARS_PER_TOKEN)))
        .measure("characters_of_the_baseline", compared)
}

/// A question of a run, and how many there are of its type.
struct Of<'a> {
    run: &'a Measured,
    question: &'a Question,
    types: u64,
    rule_sets: &'a [RuleSet],
}

impl Of<'_> {
    fn blind(&self, constants: &Constants) -> Row {
        let answers = |rule_set| constants.answer(self.run, self.question, rule_set);
        let (paper, strict) = (answers(RuleSet::Paper1), answers(headline(self.rule_sets)));
        let row = self.row(NO_CONTEXT, BLIND, "");
        let row = self.rule_sets.iter().fold(row, |row, rule_set| {
            self.graded(row, *rule_set, if rule_set.is_strict() { &strict } else { &paper })
        });
        self.answer(self.answer(row, "answer", &strict), "answer_paper", &paper)
    }

    fn mechanical(&self, condition: &str, answer: &Answer) -> Row {
        let row = self.row(condition, MECHANICAL, "").renderer(condition);
        let row = self.rule_sets.iter().fold(row, |row, it| self.graded(row, *it, answer));
        let not_stated = *answer == Answer::Json(super::mechanical::not_stated());
        self.answer(row.flag("answered", !not_stated), "answer", answer)
    }

    /// The row of an answer, without the answer.
    fn row(&self, condition: &str, reader: &str, suffix: &str) -> Row {
        let Self { run, question, types, .. } = self;
        labelled(run, &format!("{}/{condition}/{reader}{suffix}", question.id), "answer")
            .label("pack", &question.pack)
            .label("question", question.question_type.as_str())
            .label("condition", condition)
            .label("reader", reader)
            .measure("weight", Measure::score_ratio(1, *types))
    }

    /// With the measures that a rule set makes of an answer.
    fn graded(&self, row: Row, rule_set: RuleSet, answer: &Answer) -> Row {
        let Grade { score, reason } = grade(rule_set, self.question, answer);
        let name = measure_of(rule_set);
        let reason = serde_json::to_value(reason).unwrap_or_default();
        let ratio = Measure::score_ratio;
        row.measure(name, ratio(score.num, score.den))
            .measure(format!("{name}_loss"), ratio(score.den - score.num, score.den))
            .measure(format!("{name}_weighted"), ratio(score.num, score.den * self.types))
            .text(format!("{name}_reason"), reason.as_str().unwrap_or_default())
    }

    /// The answer: its start, or of a named transcript its digest.
    fn answer(&self, row: Row, name: &str, answer: &Answer) -> Row {
        let text = match answer {
            Answer::Json(value) => value.to_string(),
            Answer::Text(text) => text.clone(),
        };
        if self.run.private {
            return row.text(format!("{name}_sha256"), Sha256::of(&text).to_string());
        }
        let start: String = text.chars().take(ANSWER_CHARS).collect();
        let cut = if start.len() < text.len() { "…" } else { "" };
        row.text(name, start + cut)
    }
}
