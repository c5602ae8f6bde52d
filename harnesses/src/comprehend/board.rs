//! The COMPREHEND scoreboard: its header and aggregates.

use anyhow::Context as _;
use ground_truth::graders::RuleSet;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{BLIND, GradedMeasures, MECHANICAL, What};
use scoreboards::measures::{AggregateKey, LabelKey};
use scoreboards::{
    AggregateSpec, Answerer, BootstrapKind, Decimal, Instrument, IntervalSpec, Method, Provenance,
    Role, Scoreboard, ScoreboardBuilder, Spend,
};

use super::constants::Constants;
use super::model_reader::reader::Reader;
use super::model_reader::replies::Replies;
use super::rows::{Grading, rows};
use super::rule_sets::headline;
use super::setup::Setup;
use crate::common::{CommonArgs, today};
use crate::inputs::corpora;
use crate::usage::TokenUsage;

/// A run that was asked: what its scoreboard is made from.
pub(super) struct AskedRun<'a> {
    pub(super) setup: &'a Setup,
    /// What the model replied, if one was asked.
    pub(super) replies: Option<&'a Replies>,
    pub(super) rule_sets: &'a [RuleSet],
}

/// Grades and makes the scoreboard.
pub(super) fn build(asked: &AskedRun<'_>, common: &CommonArgs) -> anyhow::Result<Scoreboard> {
    let setup = asked.setup;
    let constants = Constants::find(&setup.runs, asked.rule_sets, common.jobs())?;
    let model = setup.reader.as_ref().zip(asked.replies);
    let grading = Grading { rule_sets: asked.rule_sets, constants: &constants, model };
    let mut builder = ScoreboardBuilder::new(provenance(asked, common)?);
    builder.rows(rows(&setup.runs, &grading));
    declare(&mut builder, asked, common.seed);
    builder.finish().context("the COMPREHEND scoreboard cannot be built")
}

fn provenance(asked: &AskedRun<'_>, common: &CommonArgs) -> anyhow::Result<Provenance> {
    let setup = asked.setup;
    let mut header = Provenance::new(Instrument::Comprehend, today(common), &setup.code_version);
    header.command = common.command();
    header.corpora = corpora(setup.runs.iter().map(|run| &run.identity));
    header.protocol.clone_from(&setup.protocol);
    header.renderers.clone_from(&setup.renderers);
    for rule_set in asked.rule_sets {
        for measure in GradedMeasures::of(*rule_set).names() {
            header.graders.insert(measure.to_owned(), rule_set.name().to_owned());
        }
    }
    header.question_pack = Some(setup.packs.join(" and "));
    header.notes.clone_from(&setup.remarks);
    match setup.reader.as_ref().zip(asked.replies) {
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

/// One reader under one condition.
static CELL: [&LabelKey; 3] = [&names::INPUTS, &names::READER, &names::CONDITION];

/// The same over one pack.
static CELL_OF_PACK: [&LabelKey; 4] =
    [&names::INPUTS, &names::READER, &names::CONDITION, &names::PACK];

/// What each reader scores under each condition, what readers are shown, then corpora and types.
fn declare(builder: &mut ScoreboardBuilder, asked: &AskedRun<'_>, seed: u64) {
    for &rule_set in asked.rule_sets {
        let (accuracy, macro_average) = (accuracy(rule_set), macro_average(rule_set));
        twice(builder, &CELL_OF_PACK, &names::ACCURACY.by(rule_set), &accuracy, seed);
        twice(builder, &CELL_OF_PACK, &names::MACRO_AVERAGE.by(rule_set), &macro_average, seed);
    }
    for &rule_set in asked.rule_sets {
        twice(builder, &CELL, &names::ACCURACY.by(rule_set), &accuracy(rule_set), seed);
    }
    contexts(builder, seed);
    for &rule_set in asked.rule_sets {
        let bca = of(What::Answer, &names::ACCURACY.by(rule_set), accuracy(rule_set))
            .interval(IntervalSpec::bca95(seed));
        let of_corpus = [&names::CORPUS, &names::READER, &names::CONDITION, &names::PACK];
        builder.aggregate_by(&of_corpus, bca.clone());
        builder.aggregate_by(&[&CELL_OF_PACK[..], &[&names::QUESTION]].concat(), bca);
    }
    losses(builder, asked, seed);
    if let Some(reader) = asked.setup.reader.as_ref().filter(|_| asked.replies.is_some()) {
        calls(builder, reader, headline(asked.rule_sets), seed);
    }
    let left_out = |key: &AggregateKey, method| {
        AggregateSpec::new(key, method).over(&names::WHAT, What::LeftOut)
    };
    builder
        .aggregate_by(
            &[&names::INPUTS, &names::PACK, &names::QUESTION],
            left_out(&names::LEFT_OUT, Method::Rows),
        )
        .aggregate_by(
            &[&names::INPUTS, &names::PACK],
            left_out(&names::WHY_LEFT_OUT, names::REASON.most_frequent(20)),
        )
        .aggregate_by(
            &[&names::INPUTS, &names::CONDITION],
            AggregateSpec::new(&names::LEFT_OUT, Method::Rows).over(&names::WHAT, What::NotShown),
        );
}

/// An aggregate over the rows about something, clustered by run.
fn of(what: What, key: &AggregateKey, method: Method) -> AggregateSpec {
    AggregateSpec::new(key, method).over(&names::WHAT, what).cluster(&names::RUN)
}

/// Over answers, with both bootstrap intervals.
fn twice(
    builder: &mut ScoreboardBuilder,
    by: &[&LabelKey],
    key: &AggregateKey,
    method: &Method,
    seed: u64,
) {
    let (kind, level) = (BootstrapKind::Percentile, Decimal::new(95, 2));
    let percentile = IntervalSpec::Bootstrap { kind, resamples: 10_000, seed, level };
    let bca = (&key.with_interval("BCa"), IntervalSpec::bca95(seed));
    for (key, interval) in [(key, percentile), bca] {
        builder.aggregate_by(by, of(What::Answer, key, method.clone()).interval(interval));
    }
}

fn accuracy(rule_set: RuleSet) -> Method {
    GradedMeasures::of(rule_set).score.mean()
}

/// The mean of the question types' accuracies: each answer weighs one over the questions of its type.
fn macro_average(rule_set: RuleSet) -> Method {
    GradedMeasures::of(rule_set).weighted.over(&names::WEIGHT)
}

fn contexts(builder: &mut ScoreboardBuilder, seed: u64) {
    let by = [&names::INPUTS, &names::CONDITION];
    let context = |key: &AggregateKey, method| of(What::Context, key, method);
    let ratio = names::CHARACTERS.over(&names::CHARACTERS_OF_THE_BASELINE);
    let ratio = context(&names::CHARACTER_RATIO, ratio).interval(IntervalSpec::bca95(seed));
    builder
        .aggregate_by(&by, context(&names::TRANSCRIPTS, Method::Rows))
        .aggregate_by(&by, context(&names::MEAN_CHARACTERS, names::CHARACTERS.mean()))
        .aggregate_by(&by, context(&names::MEAN_ESTIMATED_TOKENS, names::ESTIMATED_TOKENS.mean()))
        .aggregate_by(&by, context(&names::CUT_CONTEXTS, names::CUT.count()))
        .aggregate_by(&by, ratio);
}

/// Loss between the whole truth and the reader's answers: by the representation, and by the reader who is shown
/// it.
fn losses(builder: &mut ScoreboardBuilder, asked: &AskedRun<'_>, seed: u64) {
    let reader = asked.setup.reader.as_ref().filter(|_| asked.replies.is_some()).map(Reader::label);
    for &rule_set in asked.rule_sets {
        let mut declare = |key: &AggregateKey, method, by_reader: &str| {
            let loss = of(What::Answer, &key.by(rule_set), method)
                .over(&names::READER, by_reader)
                .interval(IntervalSpec::bca95(seed));
            let by = [&names::INPUTS, &names::CONDITION, &names::PACK, &names::QUESTION];
            builder.aggregate_by(&by[..3], loss.clone());
            builder.aggregate_by(&by, loss);
        };
        let graded = GradedMeasures::of(rule_set);
        if asked.setup.mechanical {
            declare(&names::REPRESENTATION_LOSS, graded.loss.mean(), MECHANICAL);
        }
        if let Some(reader) = &reader {
            declare(&names::READER_LOSS, graded.reader_loss.mean(), reader);
        }
    }
}

/// What a model's calls took, and how steady its answers are.
fn calls(builder: &mut ScoreboardBuilder, reader: &Reader, strict: RuleSet, seed: u64) {
    for (key, method) in [
        (&names::CALLS, Method::Rows),
        (&names::FAILED_CALLS, names::FAILED.count()),
        (&names::PARSE_FAILURES, names::PARSE_FAILURE.count()),
        (&names::REFUSALS, names::REFUSAL.count()),
        (&names::EMPTY_REPLIES, names::EMPTY.count()),
        (&names::REPLIES_CUT_SHORT, names::CUT_SHORT.count()),
        (&names::ALL_RETRIES, names::RETRIES.sum()),
        (&names::MEAN_INPUT_TOKENS, names::ALL_INPUT_TOKENS.mean()),
        (&names::MEAN_OUTPUT_TOKENS, names::OUTPUT_TOKENS.mean()),
        (&names::ALL_DOLLARS, names::DOLLARS.sum()),
    ] {
        builder.aggregate_by(&CELL, of(What::Call, key, method));
    }
    let input = names::ALL_INPUT_TOKENS.over(&names::INPUT_TOKENS_OF_THE_BASELINE);
    let dollars = names::DOLLARS.over(&names::DOLLARS_OF_THE_BASELINE);
    for (key, method) in [(&names::INPUT_RATIO, input), (&names::DOLLAR_RATIO, dollars)] {
        let spec = of(What::Call, key, method).interval(IntervalSpec::bca95(seed));
        builder.aggregate_by(&CELL, spec);
    }
    if reader.repeats > 1 {
        for k in 1..=reader.repeats {
            let pass = of(What::Repeats, &names::pass_hat(k).by(strict), names::pass(k).mean());
            builder.aggregate_by(&CELL_OF_PACK, pass);
        }
        let flips = of(What::Repeats, &names::FLIP_RATE.by(strict), names::FLIPS.share());
        builder.aggregate_by(&CELL_OF_PACK, flips);
    }
}
