//! The rows of a reader that is a model: one for each answer of each repeat, one for each item's repeats
//! together, and one for each call. A call without an answer has rows whose measures are missing: what
//! was not measured is not counted as wrong.

use ground_truth::graders::{Answer, RuleSet, Score, grade};
use scoreboards::{Decimal, Measure, Row};
use trace_model::pricing::Priced;

use super::{BASELINE, Measured, Of, headline, labelled, measure_of};
use crate::comprehend::model_reader::{CallId, Reader, Replies, Reply};
use crate::model::repeats::{Share, pass_hat_k};
use crate::model::{Called, StopReason};
use crate::usage::TokenUsage;

/// The answers to one question under each condition, repeat by repeat, and what the repeats show.
pub(super) fn answers(of: &Of<'_>, at: usize, reader: &Reader, replies: &Replies) -> Vec<Row> {
    let strict = headline(of.rule_sets);
    let mut rows = Vec::new();
    for under in &of.run.conditions {
        let mechanical = under.answers.as_ref().and_then(|answers| answers.get(at));
        let mut graded = Vec::new();
        for repeat in 0..reader.repeats {
            let key = call(of.run, &under.condition, &of.question.pack, repeat).key();
            let row = of
                .row(&under.condition, &reader.label(), &format!("/{repeat}"))
                .renderer(&under.condition)
                .label("repeat", repeat.to_string());
            let called = replies.calls.get(&key);
            rows.push(match called {
                Some(called) => {
                    let answer = Reply::of(&called.completion, strict).answer(of.question);
                    graded.push(grade(strict, of.question, &answer).score == Score::ONE);
                    answered(of, row, called, mechanical)
                }
                None => missing(of, row, replies.why_none(&key)),
            });
        }
        if reader.repeats > 1 {
            rows.push(repeats(of, &under.condition, reader, &graded));
        }
    }
    rows
}

/// An answer's row. Each rule set reads the reply in its own way; the answer that is shown is the headline's.
fn answered(of: &Of<'_>, row: Row, called: &Called, mechanical: Option<&Answer>) -> Row {
    let read = |rule_set| Reply::of(&called.completion, rule_set).answer(of.question);
    let mut row = row;
    for &rule_set in of.rule_sets {
        let answer = &read(rule_set);
        row = of.graded(row, rule_set, answer);
        let name = format!("{}_reader_loss", measure_of(rule_set));
        row = match mechanical {
            Some(mechanical) => {
                let score = |answer| ratio(grade(rule_set, of.question, answer).score);
                row.measure(name, Measure::Score(score(mechanical) - score(answer)))
            }
            None => row.missing(name, "reader mechanical does not read this condition"),
        };
    }
    let answer = &read(headline(of.rule_sets));
    let gave_one = *answer != Answer::Json(serde_json::Value::Null);
    of.answer(row.flag("answered", gave_one), "answer", answer)
}

fn missing(of: &Of<'_>, row: Row, why: &str) -> Row {
    let mut row = row.missing("answered", why);
    for &rule_set in of.rule_sets {
        let name = measure_of(rule_set);
        for measure in ["", "_loss", "_weighted", "_reason", "_reader_loss"] {
            row = row.missing(format!("{name}{measure}"), why);
        }
    }
    row
}

fn ratio(score: Score) -> Decimal {
    match Measure::score_ratio(score.num, score.den) {
        Measure::Score(score) => score,
        _ => Decimal::ZERO, // a score's denominator is not zero
    }
}

/// What the repeats of an item show: whether they agree, and how likely `k` of them are all right.
fn repeats(of: &Of<'_>, condition: &str, reader: &Reader, right: &[bool]) -> Row {
    let id = format!("{}/{condition}/{}/repeats", of.question.id, reader.label());
    let mut row = labelled(of.run, &id, "repeats")
        .renderer(condition)
        .label("pack", &of.question.pack)
        .label("question", of.question.question_type.as_str())
        .label("condition", condition)
        .label("reader", reader.label())
        .count("repeats", right.len() as u64)
        .count("right", right.iter().filter(|it| **it).count() as u64);
    let agree = right.windows(2).all(|pair| pair[0] == pair[1]);
    row = if right.len() < 2 {
        row.missing("flips", "fewer than two repeats were answered")
    } else {
        row.flag("flips", !agree)
    };
    for k in 1..=reader.repeats {
        let name = format!("pass_{k}");
        row = match pass_hat_k([right], k) {
            Some(Share { num, den, items: 1.. }) => {
                row.measure(name, Measure::score_ratio(narrow(num), narrow(den)))
            }
            _ => row.missing(name, format!("fewer than {k} repeats were answered")),
        };
    }
    row
}

/// A fraction of few repeats is a fraction of small numbers.
fn narrow(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn call(run: &Measured, condition: &str, pack: &str, repeat: u32) -> CallId {
    let own = str::to_owned;
    CallId { run: own(&run.name), condition: own(condition), pack: own(pack), repeat }
}

/// The calls about a run.
pub(super) fn calls(
    run: &Measured,
    reader: &Reader,
    replies: &Replies,
    strict: RuleSet,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for set in run.sets.iter().filter(|set| !set.questions.is_empty()) {
        for under in &run.conditions {
            for repeat in 0..reader.repeats {
                let of = |condition: &str| {
                    replies.calls.get(&call(run, condition, &set.pack, repeat).key())
                };
                let key = call(run, &under.condition, &set.pack, repeat).key();
                let id =
                    format!("call/{}/{}/{}/{repeat}", set.pack, under.condition, reader.label());
                let row = labelled(run, &id, "call")
                    .renderer(&under.condition)
                    .label("pack", &set.pack)
                    .label("condition", &under.condition)
                    .label("reader", reader.label())
                    .label("repeat", repeat.to_string());
                rows.push(match of(&under.condition) {
                    Some(called) => made(row, called, of(BASELINE), strict),
                    None => not_made(row, replies, &key),
                });
            }
        }
    }
    rows
}

const FLAGS: [&str; 4] = ["parse_failure", "refusal", "empty", "cut_short"];
const TOKENS: [&str; 5] = [
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
];

fn made(row: Row, called: &Called, baseline: Option<&Called>, strict: RuleSet) -> Row {
    let completion = &called.completion;
    let reply = Reply::of(completion, strict);
    let flags = [
        matches!(reply, Reply::Unreadable(_)),
        reply == Reply::Refusal,
        reply == Reply::Empty,
        completion.stop == StopReason::Length,
    ];
    let mut row = row.flag("failed", false).count("retries", called.retries() as u64);
    for (name, flag) in FLAGS.into_iter().zip(flags) {
        row = row.flag(name, flag);
    }
    for (name, tokens) in TOKENS.into_iter().zip(by_class(completion.usage.as_ref())) {
        row = row.measure(name, tokens);
    }
    row.measure(
        "input_tokens_of_the_baseline",
        match baseline {
            Some(baseline) => all_input(baseline),
            None => no_baseline(),
        },
    )
    .measure("all_input_tokens", all_input(called))
    .measure("dollars", dollars(called))
    .measure("dollars_of_the_baseline", baseline.map_or_else(no_baseline, dollars))
}

/// A call without an answer was tried again all the same, and its retries count with the others.
fn not_made(row: Row, replies: &Replies, key: &str) -> Row {
    let why = replies.why_none(key);
    let row = row.flag("failed", true);
    let mut row = match replies.failures.get(key) {
        Some(failed) => row.count("retries", failed.retries),
        None => row.missing("retries", why),
    };
    let rest =
        ["input_tokens_of_the_baseline", "all_input_tokens", "dollars", "dollars_of_the_baseline"];
    for name in FLAGS.into_iter().chain(TOKENS).chain(rest) {
        row = row.missing(name, why);
    }
    row
}

fn by_class(usage: Option<&TokenUsage>) -> [Measure; 5] {
    match usage {
        Some(usage) => [
            usage.input,
            usage.output,
            usage.cache_read,
            usage.cache_write_5m.saturating_add(usage.cache_write_1h),
            usage.reasoning,
        ]
        .map(Measure::Tokens),
        None => std::array::from_fn(|_| not_said()),
    }
}

fn all_input(called: &Called) -> Measure {
    called.completion.usage.as_ref().map_or_else(not_said, |it| Measure::Tokens(it.all_input()))
}

fn not_said() -> Measure {
    Measure::Missing { reason: "the endpoint did not say how many tokens it counted".to_owned() }
}

fn no_baseline() -> Measure {
    Measure::Missing { reason: format!("{BASELINE} was not asked, or has no reply") }
}

fn dollars(called: &Called) -> Measure {
    match called.priced.as_ref().and_then(Priced::dollars) {
        Some(dollars) => Measure::Dollars(dollars.amount()),
        None => Measure::Missing { reason: format!("no price is known for {}", called.priced_as) },
    }
}
