//! The COMPREHEND scoreboard: its header and aggregates.

use anyhow::Context as _;
use corpus_gen::GENERATOR_VERSION;
use ground_truth::graders::RuleSet;
use scoreboards::{
    AggregateSpec, Answerer, BootstrapKind, Condition as Is, Decimal, Instrument, IntervalSpec,
    Method, Provenance, Role, Row, Scoreboard, ScoreboardBuilder,
};
use trace_model::view::flatlog::EVENT_CHARS;

use super::ComprehendArgs;
use super::args::{BLIND, MECHANICAL};
use super::measure::{Measured, Plan};
use super::mechanical::VERSION;
use super::rows::{CHARS_PER_TOKEN, measure_of};
use crate::common::today;
use crate::inputs::corpora;

pub(super) fn build(
    args: &ComprehendArgs,
    plan: &Plan,
    runs: &[Measured],
    rows: Vec<Row>,
    remarks: Vec<String>,
) -> anyhow::Result<Scoreboard> {
    let mut header = provenance(args, plan, runs);
    header.notes = remarks;
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(rows);
    declare(&mut builder, args.common.seed, plan.mechanical);
    builder.finish().context("the COMPREHEND scoreboard cannot be built")
}

fn provenance(args: &ComprehendArgs, plan: &Plan, runs: &[Measured]) -> Provenance {
    let day = today(&args.common);
    let mut header = Provenance::new(Instrument::Comprehend, day, env!("CARGO_PKG_VERSION"));
    header.command = args.common.command();
    header.corpora = corpora(runs.iter().map(|run| &run.identity));
    let protocol = [
        ("corpus.generator_version", GENERATOR_VERSION.to_string()),
        ("condition.flatlog.chars", plan.caps.flatlog_chars.to_string()),
        ("condition.flatlog.event_chars", EVENT_CHARS.to_string()),
        ("condition.raw.chars", plan.caps.raw_chars.to_string()),
        ("condition.view", format!("{:?}", plan.caps.view)),
        ("questions.seed", plan.question_seed.to_string()),
        (
            "reader.blind",
            "the best constant answer of each question type that was found".to_owned(),
        ),
        (
            "reader.mechanical",
            format!("version {VERSION}: what is shown is taken for all there is"),
        ),
        ("tokens.estimate", format!("characters / {CHARS_PER_TOKEN}; no tokenizer was run")),
    ];
    header.protocol = protocol.map(|(name, value)| (name.to_owned(), value)).into();
    let stamps = plan.conditions.iter().map(|it| (it.name().to_owned(), it.stamp()));
    header.renderers = stamps.collect();
    for rule_set in RuleSet::ALL {
        for measure in ["", "_loss", "_weighted", "_reason"] {
            let measure = format!("{}{measure}", measure_of(rule_set));
            header.graders.insert(measure, rule_set.name().to_owned());
        }
    }
    let packs: Vec<String> = plan.packs.iter().map(ground_truth::questions::Pack::name).collect();
    header.question_pack = Some(packs.join(" and "));
    let readers =
        if plan.mechanical { [MECHANICAL, BLIND].join(" and ") } else { BLIND.to_owned() };
    header.answerer = Some(Answerer {
        role: Role::Reader,
        provider: "none".to_owned(),
        model_asked: readers,
        models_returned: std::collections::BTreeMap::new(),
    });
    header
}

/// Names of aggregates that tables are made from.
pub(super) const MACRO: &str = "macro average";
pub(super) const ACCURACY: &str = "accuracy";
pub(super) const LOSS: &str = "representation loss";
pub(super) const LEFT_OUT: &str = "left out";
pub(super) const CHARACTERS: &str = "mean characters";
pub(super) const RATIO: &str = "characters over those of raw";

/// An aggregate's name with the rule set that it is by.
pub(super) fn by(rule_set: RuleSet, name: &str) -> String {
    format!("{name}, {rule_set}")
}

fn percentile95(seed: u64) -> IntervalSpec {
    let (kind, level) = (BootstrapKind::Percentile, Decimal::new(95, 2));
    IntervalSpec::Bootstrap { kind, resamples: 10_000, seed, level }
}

/// What each reader scores under each condition, what readers are shown, then corpora and types.
fn declare(builder: &mut ScoreboardBuilder, seed: u64, mechanical: bool) {
    let cell = ["inputs", "reader", "condition"];
    let with = |last: &'static str| [&cell[..], &[last]].concat();
    for by_labels in [with("pack"), cell.to_vec()] {
        for rule_set in [RuleSet::Strict1, RuleSet::Paper1] {
            let spec = accuracy(rule_set);
            twice(builder, &by_labels, &spec, seed);
            if by_labels.len() > cell.len() {
                twice(builder, &by_labels, &macro_average(rule_set), seed);
            }
        }
    }
    contexts(builder, seed);
    for rule_set in [RuleSet::Strict1, RuleSet::Paper1] {
        let bca = accuracy(rule_set).interval(IntervalSpec::bca95(seed));
        builder.aggregate_by(&["corpus", "reader", "condition", "pack"], bca.clone());
        builder.aggregate_by(&["inputs", "reader", "condition", "pack", "question"], bca);
    }
    if mechanical {
        losses(builder, seed);
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

fn losses(builder: &mut ScoreboardBuilder, seed: u64) {
    for rule_set in [RuleSet::Strict1, RuleSet::Paper1] {
        let method = Method::Mean { measure: format!("{}_loss", measure_of(rule_set)) };
        let loss = answers(&by(rule_set, LOSS), method)
            .over("reader", MECHANICAL)
            .interval(IntervalSpec::bca95(seed));
        builder.aggregate_by(&["inputs", "condition", "pack", "question"], loss);
    }
}
