//! The rows of a reader that is a model: one for each answer of each repeat, one for each item's repeats
//! together, and one for each call. A call without an answer has rows whose measures are missing: what
//! was not measured is not counted as wrong.

use ground_truth::graders::{Answer, Grade, Grades, RuleSet, Score};
use ground_truth::questions::QuestionSet;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{BASELINE, GradedMeasures, What};
use scoreboards::measures::{Flag, MeasureKey, Tokens};
use scoreboards::{Decimal, Measure, Row};
use trace_model::pricing::{Dollars, Priced};

use super::answer::{AnswerRows, labelled};
use crate::comprehend::model_reader::reader::Reader;
use crate::comprehend::model_reader::received::ReceivedReply;
use crate::comprehend::model_reader::replies::{CallId, Replies};
use crate::comprehend::model_reader::reply::Reply;
use crate::comprehend::prepare::PreparedRun;
use crate::comprehend::rule_sets::headline;
use crate::model::repeats::{Share, pass_hat_k};
use crate::model::{Called, StopReason};
use crate::usage::TokenUsage;

/// A model's answers to one question of a set under one condition.
pub(super) struct ModelRows<'a> {
    pub(super) made: &'a AnswerRows<'a>,
    pub(super) set: &'a QuestionSet,
    /// The question's place in the set.
    pub(super) place: usize,
    pub(super) condition: &'a str,
    pub(super) reader: &'a Reader,
    pub(super) replies: &'a Replies,
}

impl ModelRows<'_> {
    /// Adds them repeat by repeat, and what the repeats show.
    pub(super) fn add(&self, mechanical: Option<&Grades>, rows: &mut Vec<Row>) {
        let Self { made, set, place, condition, reader, replies } = self;
        let strict = headline(made.rule_sets);
        let mut right = Vec::new();
        for repeat in 0..reader.repeats {
            let key = call(made.run, condition, &set.pack, repeat).key();
            let row = made
                .row(condition, &reader.label(), &format!("/{repeat}"))
                .renderer(*condition)
                .label(&names::REPEAT, repeat.to_string());
            rows.push(match replies.calls.get(&key) {
                Some(reply) => {
                    let (_, grade) = reply.graded(set, strict, *place);
                    right.push(grade.score == Score::ONE);
                    self.answered(row, reply, mechanical)
                }
                None => missing(made.rule_sets, row, replies.why_none(&key)),
            });
        }
        if reader.repeats > 1 {
            rows.push(self.repeats(&right));
        }
    }

    /// An answer's row. Each rule set reads the reply in its own way; the answer that is shown is the
    /// headline's.
    fn answered(&self, row: Row, reply: &ReceivedReply, mechanical: Option<&Grades>) -> Row {
        let Self { made, set, place, .. } = self;
        let mut row = row;
        for &rule_set in made.rule_sets {
            let (_, grade) = reply.graded(set, rule_set, *place);
            let held = mechanical.and_then(|grades| grades.by(rule_set));
            let loss = held.map(|held| ratio(held) - ratio(*grade));
            row = made.graded(row, [(rule_set, *grade)]).with_known(
                &GradedMeasures::of(rule_set).reader_loss,
                loss.ok_or("reader mechanical does not read this condition"),
            );
        }
        let (answer, _) = reply.graded(set, headline(made.rule_sets), *place);
        let gave_one = *answer != Answer::Json(serde_json::Value::Null);
        made.answer(row.with(&names::ANSWERED, gave_one), answer)
    }

    /// What the repeats of an item show: whether they agree, and how likely `k` of them are all right.
    fn repeats(&self, right: &[bool]) -> Row {
        let Self { made, condition, reader, .. } = self;
        let id = format!("{}/{condition}/{}/repeats", made.question.id, reader.label());
        let row = labelled(made.run, &id, What::Repeats).renderer(*condition);
        let agree = right.windows(2).all(|pair| pair[0] == pair[1]);
        let flips =
            if right.len() < 2 { Err("fewer than two repeats were answered") } else { Ok(!agree) };
        let row = made
            .of_question(row, condition, &reader.label())
            .with(&names::REPEATS, right.len() as u64)
            .with(&names::RIGHT, right.iter().filter(|it| **it).count() as u64)
            .with_known(&names::FLIPS, flips);
        (1..=reader.repeats).fold(row, |row, k| match pass_hat_k([right], k) {
            Some(Share { num, den, items: 1.. }) => {
                row.with_ratio(&names::pass(k), narrow(num), narrow(den))
            }
            _ => row.missing(&names::pass(k), format!("fewer than {k} repeats were answered")),
        })
    }
}

fn missing(rule_sets: &[RuleSet], row: Row, why: &str) -> Row {
    let row = row.missing(&names::ANSWERED, why);
    rule_sets.iter().fold(row, |row, it| GradedMeasures::of(*it).missing(row, why))
}

fn ratio(Grade { score, .. }: Grade) -> Decimal {
    match Measure::score_ratio(score.num, score.den) {
        Measure::Score(score) => score,
        _ => Decimal::ZERO, // a score's denominator is not zero
    }
}

/// A fraction of few repeats is a fraction of small numbers.
fn narrow(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn call(run: &PreparedRun, condition: &str, pack: &str, repeat: u32) -> CallId {
    let own = str::to_owned;
    CallId { run: own(&run.name), condition: own(condition), pack: own(pack), repeat }
}

/// The calls about a run.
pub(super) fn calls(
    run: &PreparedRun,
    reader: &Reader,
    replies: &Replies,
    strict: RuleSet,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for set in run.sets.iter().filter(|set| !set.questions.is_empty()) {
        for shown in &run.conditions {
            let condition = &shown.condition;
            for repeat in 0..reader.repeats {
                let key = |condition: &str| call(run, condition, &set.pack, repeat).key();
                let id = format!("call/{}/{condition}/{}/{repeat}", set.pack, reader.label());
                let row = labelled(run, &id, What::Call)
                    .renderer(condition)
                    .label(&names::PACK, &set.pack)
                    .label(&names::CONDITION, condition)
                    .label(&names::READER, reader.label())
                    .label(&names::REPEAT, repeat.to_string());
                let baseline = || replies.calls.get(&key(BASELINE)).map(|it| &it.called);
                rows.push(match replies.calls.get(&key(condition)) {
                    Some(reply) => made(row, &reply.called, reply.read(set, strict), baseline()),
                    None => not_made(row, replies, &key(condition)),
                });
            }
        }
    }
    rows
}

static FLAGS: [&MeasureKey<Flag>; 4] =
    [&names::PARSE_FAILURE, &names::REFUSAL, &names::EMPTY, &names::CUT_SHORT];
static TOKENS: [&MeasureKey<Tokens>; 5] = [
    &names::INPUT_TOKENS,
    &names::OUTPUT_TOKENS,
    &names::CACHE_READ_TOKENS,
    &names::CACHE_WRITE_TOKENS,
    &names::REASONING_TOKENS,
];

fn made(row: Row, called: &Called, reply: &Reply, baseline: Option<&Called>) -> Row {
    let completion = &called.completion;
    let flags = [
        matches!(reply, Reply::Unreadable(_)),
        *reply == Reply::Refusal,
        *reply == Reply::Empty,
        completion.stop == StopReason::Length,
    ];
    let mut row = row.with(&names::FAILED, false).with(&names::RETRIES, called.retries() as u64);
    for (key, flag) in FLAGS.into_iter().zip(flags) {
        row = row.with(key, flag);
    }
    let usage = completion.usage.as_ref();
    let by_class = usage.map(by_class);
    for (at, key) in TOKENS.into_iter().enumerate() {
        row = row.with_known(key, by_class.map(|tokens| tokens[at]).ok_or(NOT_SAID));
    }
    let of_baseline = baseline.ok_or_else(no_baseline);
    row.with_known(&names::ALL_INPUT_TOKENS, all_input(called))
        .with_known(&names::INPUT_TOKENS_OF_THE_BASELINE, of_baseline.clone().and_then(all_input))
        .with_known(&names::DOLLARS, dollars(called))
        .with_known(&names::DOLLARS_OF_THE_BASELINE, of_baseline.and_then(dollars))
}

/// A call without an answer was retried too, and its retries count.
fn not_made(row: Row, replies: &Replies, key: &str) -> Row {
    let why = replies.why_none(key);
    let row = row
        .with(&names::FAILED, true)
        .with_known(&names::RETRIES, replies.failures.get(key).map(|it| it.retries).ok_or(why));
    let row = FLAGS.into_iter().fold(row, |row, key| row.missing(key, why));
    let row = TOKENS.into_iter().fold(row, |row, key| row.missing(key, why));
    row.missing(&names::INPUT_TOKENS_OF_THE_BASELINE, why)
        .missing(&names::ALL_INPUT_TOKENS, why)
        .missing(&names::DOLLARS, why)
        .missing(&names::DOLLARS_OF_THE_BASELINE, why)
}

/// Tokens by class, as [`TOKENS`] names them.
fn by_class(usage: &TokenUsage) -> [u64; 5] {
    let written = usage.cache_write_5m.saturating_add(usage.cache_write_1h);
    [usage.input, usage.output, usage.cache_read, written, usage.reasoning]
}

const NOT_SAID: &str = "the endpoint did not say how many tokens it counted";

fn all_input(called: &Called) -> Result<u64, String> {
    let usage = called.completion.usage.as_ref();
    usage.map(TokenUsage::all_input).ok_or_else(|| NOT_SAID.to_owned())
}

fn no_baseline() -> String {
    format!("{BASELINE} was not asked, or has no reply")
}

fn dollars(called: &Called) -> Result<Decimal, String> {
    let dollars = called.priced.as_ref().and_then(Priced::dollars);
    let none = || format!("no price is known for {}", called.priced_as);
    dollars.map(Dollars::amount).ok_or_else(none)
}
