//! The COMPREHEND scoreboard: its header and aggregates.

use anyhow::Context as _;
use ground_truth::graders::RuleSet;
use scoreboards::{
    AggregateSpec, Answerer, BootstrapKind, Condition as Is, Decimal, Instrument, IntervalSpec,
    Method, Provenance, Role, Scoreboard, ScoreboardBuilder, Spend,
};

use super::args::{BLIND, MECHANICAL};
use super::blind::Constants;
use super::model_reader::{Reader, Replies};
use super::rows::{Graded, headline, measure_of, rows};
use super::setup::Setup;
use crate::common::{CommonArgs, today};
use crate::inputs::corpora;
use crate::usage::TokenUsage;

/// What a scoreboard is made from.
pub(super) struct Made<'a> {
    pub(super) setup: &'a Setup,
    /// What the model replied, if one was asked.
    pub(super) replies: Option<&'a Replies>,
    pub(super) rule_sets: &'a [RuleSet],
}

/// Grades and makes the scoreboard.
pub(super) fn build(made: &Made<'_>, common: &CommonArgs) -> anyhow::Result<Scoreboard> {
    let setup = made.setup;
    let constants = Constants::find(&setup.runs, made.rule_sets, common.jobs())?;
    let model = setup.reader.as_ref().zip(made.replies);
    let by = Graded { rule_sets: made.rule_sets, constants: &constants, model };
    let mut builder = ScoreboardBuilder::new(provenance(made, common)?);
    builder.rows(rows(&setup.runs, &by));
    declare(&mut builder, made, common.seed);
    builder.finish().context("the COMPREHEND scoreboard cannot be built")
}

fn provenance(made: &Made<'_>, common: &CommonArgs) -> anyhow::Result<Provenance> {
    let setup = made.setup;
    let mut header = Provenance::new(Instrument::Comprehend, today(common), &setup.code_version);
    header.command = common.command();
    header.corpora = corpora(setup.runs.iter().map(|run| &run.identity));
    header.protocol.clone_from(&setup.protocol);
    header.renderers.clone_from(&setup.renderers);
    for rule_set in made.rule_sets {
        for measure in ["", "_loss", "_weighted", "_reason", "_reader_loss"] {
            let measure = format!("{}{measure}", measure_of(*rule_set));
            header.graders.insert(measure, rule_set.name().to_owned());
        }
    }
    header.question_pack = Some(setup.packs.join(" and "));
    header.notes.clone_from(&setup.remarks);
    match setup.reader.as_ref().zip(made.replies) {
        Some((reader, replies)) => answered_by(&mut header, reader, replies)?,
        None => {
            let readers =
                if setup.mechanical { [MECHANICAL, BLIND].join(" and ") } else { BLIND.to_owned() };
            header.answerer = Some(Answerer {
                role: Role::Reader,
                provider: "none".to_owned(),
                model_asked: readers,
                models_returned: std::collections::BTreeMap::new(),
            });
        }
    }
    Ok(header)
}

fn answered_by(header: &mut Provenance, reader: &Reader, replies: &Replies) -> anyhow::Result<()> {
    header.answerer = Some(Answerer {
        role: Role::Reader,
        provider: reader.provider.to_string(),
        model_asked: reader.model.clone(),
        models_returned: replies.models(),
    });
    let date = reader.price_table.parse();
    header.price_table =
        Some(date.with_context(|| format!("the price table's date `{}`", reader.price_table))?);
    let spent = &replies.spend;
    let writes = |usage: &TokenUsage| usage.cache_write_5m.saturating_add(usage.cache_write_1h);
    header.spend = Spend {
        calls: spent.attempts,
        input_tokens: spent.tokens.input,
        output_tokens: spent.tokens.output,
        cache_read_tokens: spent.tokens.cache_read,
        cache_write_tokens: writes(&spent.tokens),
        dollars: spent.dollars().amount(),
        unpriced_tokens: spent.unpriced_tokens.total(),
    };
    if spent.assumed.amount() > Decimal::ZERO {
        header.notes.push(format!(
            "of the dollars spent {} are assumed, the most that attempts of unknown usage can have cost",
            spent.assumed.amount()
        ));
    }
    let failed = replies.failures.len();
    if failed > 0 {
        header
            .notes
            .push(format!("{failed} calls have no answer: their scores are missing, not zero"));
    }
    Ok(())
}

/// Names of aggregates that tables are made from.
pub(super) const MACRO: &str = "macro average";
pub(super) const ACCURACY: &str = "accuracy";
pub(super) const LOSS: &str = "representation loss";
pub(super) const LEFT_OUT: &str = "left out";
pub(super) const CHARACTERS: &str = "mean characters";
pub(super) const RATIO: &str = "characters over those of raw";
pub(super) const READER_LOSS: &str = "reader loss";
pub(super) const CALLS: &str = "calls";
pub(super) const FAILED: &str = "calls without an answer";
pub(super) const PARSE_FAILURES: &str = "parse failures";
pub(super) const REFUSALS: &str = "refusals";
pub(super) const EMPTY: &str = "empty replies";
pub(super) const CUT_SHORT: &str = "replies cut short";
pub(super) const RETRIES: &str = "retries";
pub(super) const INPUT_TOKENS: &str = "mean input tokens a call";
pub(super) const OUTPUT_TOKENS: &str = "mean output tokens a call";
pub(super) const DOLLARS: &str = "dollars";
pub(super) const INPUT_RATIO: &str = "input tokens over those of raw";
pub(super) const DOLLAR_RATIO: &str = "dollars over those of raw";
pub(super) const FLIPS: &str = "flip rate";

/// The name of pass^k's aggregate.
pub(super) fn pass_k(rule_set: RuleSet, k: u32) -> String {
    by(rule_set, &format!("pass^{k}"))
}

/// An aggregate's name with the rule set that it is by.
pub(super) fn by(rule_set: RuleSet, name: &str) -> String {
    format!("{name}, {rule_set}")
}

fn percentile95(seed: u64) -> IntervalSpec {
    let (kind, level) = (BootstrapKind::Percentile, Decimal::new(95, 2));
    IntervalSpec::Bootstrap { kind, resamples: 10_000, seed, level }
}

/// What each reader scores under each condition, what readers are shown, then corpora and types.
fn declare(builder: &mut ScoreboardBuilder, made: &Made<'_>, seed: u64) {
    let cell = ["inputs", "reader", "condition"];
    let with = |last: &'static str| [&cell[..], &[last]].concat();
    for by_labels in [with("pack"), cell.to_vec()] {
        for &rule_set in made.rule_sets {
            let spec = accuracy(rule_set);
            twice(builder, &by_labels, &spec, seed);
            if by_labels.len() > cell.len() {
                twice(builder, &by_labels, &macro_average(rule_set), seed);
            }
        }
    }
    contexts(builder, seed);
    for &rule_set in made.rule_sets {
        let bca = accuracy(rule_set).interval(IntervalSpec::bca95(seed));
        builder.aggregate_by(&["corpus", "reader", "condition", "pack"], bca.clone());
        builder.aggregate_by(&["inputs", "reader", "condition", "pack", "question"], bca);
    }
    losses(builder, made, seed);
    if let Some(reader) = made.setup.reader.as_ref().filter(|_| made.replies.is_some()) {
        calls(builder, reader, headline(made.rule_sets), seed);
    }
    let left_out = |name: &str, method| AggregateSpec::new(name, method).over("what", "left_out");
    let reasons = Method::MostFrequent { measure: "reason".to_owned(), top: 20 };
    builder
        .aggregate_by(&["inputs", "pack", "question"], left_out(LEFT_OUT, Method::Rows))
        .aggregate_by(&["inputs", "pack"], left_out("why left out", reasons));
}

/// With both bootstrap intervals.
fn twice(builder: &mut ScoreboardBuilder, by: &[&str], spec: &AggregateSpec, seed: u64) {
    builder.aggregate_by(by, spec.clone().interval(percentile95(seed)));
    let name = format!("{} (BCa)", spec.name);
    builder.aggregate_by(
        by,
        AggregateSpec { name, ..spec.clone() }.interval(IntervalSpec::bca95(seed)),
    );
}

fn accuracy(rule_set: RuleSet) -> AggregateSpec {
    let method = Method::Mean { measure: measure_of(rule_set).to_owned() };
    answers(&by(rule_set, ACCURACY), method)
}

/// The mean of the question types' accuracies: each answer weighs one over the questions of its type.
fn macro_average(rule_set: RuleSet) -> AggregateSpec {
    let num = format!("{}_weighted", measure_of(rule_set));
    answers(&by(rule_set, MACRO), Method::RatioOfSums { num, den: "weight".to_owned() })
}

fn answers(name: &str, method: Method) -> AggregateSpec {
    AggregateSpec::new(name, method).over("what", "answer").cluster("run")
}

fn contexts(builder: &mut ScoreboardBuilder, seed: u64) {
    let by = ["inputs", "condition"];
    let name = str::to_owned;
    let context = |name: &str, method| {
        AggregateSpec::new(name, method).over("what", "context").cluster("run")
    };
    let mean = |measure: &str| Method::Mean { measure: name(measure) };
    let ratio =
        || Method::RatioOfSums { num: name("characters"), den: name("characters_of_the_baseline") };
    let cut = Method::CountWhere { measure: name("cut"), is: Is::Flag(true) };
    builder
        .aggregate_by(&by, context("transcripts", Method::Rows))
        .aggregate_by(&by, context(CHARACTERS, mean("characters")))
        .aggregate_by(&by, context("mean tokens (estimated)", mean("estimated_tokens")))
        .aggregate_by(&by, context("contexts that were cut", cut))
        .aggregate_by(&by, context(RATIO, ratio()).interval(IntervalSpec::bca95(seed)));
}

/// What is lost between the whole truth and the reader's answers: by the representation, and by the
/// reader who is shown it.
fn losses(builder: &mut ScoreboardBuilder, made: &Made<'_>, seed: u64) {
    let reader = made.setup.reader.as_ref().filter(|_| made.replies.is_some()).map(Reader::label);
    for &rule_set in made.rule_sets {
        let mean = |suffix| Method::Mean { measure: format!("{}{suffix}", measure_of(rule_set)) };
        let mut declare = |name: &str, suffix, by_reader: &str| {
            let loss = answers(&by(rule_set, name), mean(suffix))
                .over("reader", by_reader)
                .interval(IntervalSpec::bca95(seed));
            builder.aggregate_by(&["inputs", "condition", "pack"], loss.clone());
            builder.aggregate_by(&["inputs", "condition", "pack", "question"], loss);
        };
        if made.setup.mechanical {
            declare(LOSS, "_loss", MECHANICAL);
        }
        if let Some(reader) = &reader {
            declare(READER_LOSS, "_reader_loss", reader);
        }
    }
}

/// What a model's calls took, and how steady its answers are.
fn calls(builder: &mut ScoreboardBuilder, reader: &Reader, strict: RuleSet, seed: u64) {
    let over = |what: &str, name: &str, method| {
        AggregateSpec::new(name, method).over("what", what).cluster("run")
    };
    let own = str::to_owned;
    let count = |flag: &str| Method::CountWhere { measure: own(flag), is: Is::Flag(true) };
    let mean = |measure: &str| Method::Mean { measure: own(measure) };
    let sum = |measure: &str| Method::Sum { measure: own(measure) };
    let ratio = |num: &str, den: &str| Method::RatioOfSums { num: own(num), den: own(den) };
    let cell = ["inputs", "reader", "condition"];
    for (name, method) in [
        (CALLS, Method::Rows),
        (FAILED, count("failed")),
        (PARSE_FAILURES, count("parse_failure")),
        (REFUSALS, count("refusal")),
        (EMPTY, count("empty")),
        (CUT_SHORT, count("cut_short")),
        (RETRIES, sum("retries")),
        (INPUT_TOKENS, mean("all_input_tokens")),
        (OUTPUT_TOKENS, mean("output_tokens")),
        (DOLLARS, sum("dollars")),
    ] {
        builder.aggregate_by(&cell, over("call", name, method));
    }
    for (name, method) in [
        (INPUT_RATIO, ratio("all_input_tokens", "input_tokens_of_the_baseline")),
        (DOLLAR_RATIO, ratio("dollars", "dollars_of_the_baseline")),
    ] {
        let spec = over("call", name, method).interval(IntervalSpec::bca95(seed));
        builder.aggregate_by(&cell, spec);
    }
    if reader.repeats > 1 {
        for k in 1..=reader.repeats {
            let pass = over("repeats", &pass_k(strict, k), mean(&format!("pass_{k}")));
            builder.aggregate_by(&["inputs", "reader", "condition", "pack"], pass);
        }
        let flips = Method::Share { measure: own("flips"), is: Is::Flag(true) };
        builder.aggregate_by(
            &["inputs", "reader", "condition", "pack"],
            over("repeats", &by(strict, FLIPS), flips),
        );
    }
}
