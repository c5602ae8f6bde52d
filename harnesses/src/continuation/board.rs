//! The CONTINUE scoreboard: its header and aggregates.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use corpus_gen::tasks::TaskSpec;
use scoreboards::measures::{AggregateKey, LabelKey, continuation as measures};
use scoreboards::{
    AggregateSpec, Answerer, Corpus, Decimal, Instrument, IntervalSpec, Provenance, Role, Row,
    Scoreboard, ScoreboardBuilder, Spend,
};

use super::grid::{Cell, GridConfig};
use super::rows;
use super::run::RunRow;
use crate::common::{CommonArgs, price_date, today};

pub(super) fn build(
    common: &CommonArgs,
    config: &GridConfig,
    runs: &BTreeMap<Cell, RunRow>,
    remarks: Vec<String>,
) -> anyhow::Result<Scoreboard> {
    let mut header =
        Provenance::new(Instrument::Continue, today(common), env!("CARGO_PKG_VERSION"));
    header.command = common.command();
    header.corpora = corpora(runs.keys().map(|cell| cell.task));
    header.protocol = config.facts();
    header.price_table = Some(price_date(&config.priced.prices)?);
    header.notes = remarks;
    header.answerer = Some(Answerer {
        role: Role::Worker,
        provider: config.provider.clone(),
        model_asked: config.model.clone(),
        models_returned: models(runs),
    });
    for view in runs.keys().filter_map(|cell| cell.arm.view()) {
        let stamp = view.renderer();
        let stamp = scoreboards::Renderer {
            name: stamp.name.to_owned(),
            version: stamp.version.to_string(),
            fingerprint: stamp.fingerprint,
        };
        header.renderers.insert(rows::renderer_key(view), stamp);
    }
    if config.is_model() {
        header.spend = spend(runs);
    }
    let row = |(cell, run): (&Cell, &RunRow)| rows::row(cell.arm, cell.task, &config.model, run);
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(runs.iter().map(row).collect::<Vec<Row>>());
    declare(&mut builder, common.seed);
    builder.finish().context("the CONTINUE scoreboard cannot be built")
}

fn corpora(tasks: impl Iterator<Item = TaskSpec>) -> Vec<Corpus> {
    let mut seeds: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for task in tasks {
        let id = format!("tasks/{}/{}", task.family, task.horizon);
        seeds.entry(id).or_default().insert(task.seed);
    }
    let corpus = |(id, seeds): (String, BTreeSet<u64>)| Corpus {
        id,
        manifest_sha256: None,
        seeds: seeds.into_iter().collect(),
    };
    seeds.into_iter().map(corpus).collect()
}

fn models(runs: &BTreeMap<Cell, RunRow>) -> BTreeMap<String, u64> {
    let mut models = BTreeMap::new();
    for (model, calls) in runs.values().flat_map(|run| &run.models) {
        *models.entry(model.clone()).or_default() += calls;
    }
    models
}

fn spend(runs: &BTreeMap<Cell, RunRow>) -> Spend {
    let mut spend = Spend::default();
    for run in runs.values() {
        let counts = &run.counts;
        spend.calls += counts.steps + counts.helper_calls;
        spend.input_tokens += counts.input + counts.helper_input;
        spend.output_tokens += counts.output + counts.helper_output;
        spend.cache_read_tokens += counts.cache_read;
        spend.cache_write_tokens += counts.cache_write;
        let tokens = counts.input + counts.output + counts.cache_read + counts.cache_write;
        match run.dollars {
            Some(dollars) => spend.dollars += dollars.amount(),
            None => spend.unpriced_tokens += tokens,
        }
        match run.helper_dollars {
            Some(dollars) => spend.dollars += dollars.amount(),
            None => spend.unpriced_tokens += counts.helper_input + counts.helper_output,
        }
    }
    spend
}

/// What labels make a cell.
const CELL: [&LabelKey; 4] =
    [&measures::FAMILY, &measures::HORIZON, &measures::ARM, &measures::WORKER];

fn declare(builder: &mut ScoreboardBuilder, seed: u64) {
    let of_runs = |key: &AggregateKey, method| {
        AggregateSpec::new(key, method).over(&measures::WHAT, measures::What::Run)
    };
    let mean = |key, method| of_runs(key, method).cluster(&measures::TASK);
    let wilson = IntervalSpec::Wilson { level: Decimal::new(95, 2) };
    let success = || measures::SUCCESS.share();
    let dollars = &measures::ALL_DOLLARS;
    let specs = [
        of_runs(&measures::SUCCESS_RATE, success()).interval(IntervalSpec::exact95()),
        of_runs(&measures::SUCCESS_RATE.with_interval("Wilson"), success()).interval(wilson),
        mean(&measures::MEAN_PARTIAL, measures::PARTIAL.mean()),
        mean(&measures::MEAN_DOLLARS, dollars.mean()).interval(IntervalSpec::bca95(seed)),
        mean(&measures::MEAN_HELPER_DOLLARS, measures::HELPER_DOLLARS.mean()),
        of_runs(&measures::DOLLARS_PER_SUCCESS, dollars.per_success(&measures::SUCCESS)),
        mean(&measures::MEAN_STEPS, measures::STEPS.mean()),
        of_runs(&measures::ENDED_AT_STEP_CAP, measures::AT_STEP_CAP.count()),
        mean(&measures::MEAN_ALL_INPUT, measures::ALL_INPUT_TOKENS.mean()),
        mean(&measures::MEAN_INPUT, measures::INPUT_TOKENS.mean()),
        mean(&measures::MEAN_OUTPUT, measures::OUTPUT_TOKENS.mean()),
        mean(&measures::MEAN_CACHE_READ, measures::CACHE_READ_TOKENS.mean()),
        mean(&measures::MEAN_CACHE_WRITE, measures::CACHE_WRITE_TOKENS.mean()),
        of_runs(&measures::ALL_RETRIES, measures::RETRIES.sum()),
        of_runs(&measures::ALL_REPEATS, measures::REPEATS.sum()),
        of_runs(&measures::ALL_INJECTED_ERRORS, measures::INJECTED_ERRORS.sum()),
        of_runs(&measures::ALL_PROTOCOL_ERRORS, measures::PROTOCOL_ERRORS.sum()),
    ];
    for spec in specs {
        builder.aggregate_by(&CELL.map(LabelKey::name), spec);
    }
}
