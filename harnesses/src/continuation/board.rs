//! The CONTINUE scoreboard: its header and aggregates.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use corpus_gen::tasks::TaskSpec;
use scoreboards::{
    AggregateSpec, Answerer, Condition, Corpus, Decimal, Instrument, IntervalSpec, Method,
    Provenance, Role, Row, Scoreboard, ScoreboardBuilder, Spend,
};

use super::arms::ArmSpec;
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
    for view in runs.keys().filter_map(|cell| cell.arm.view) {
        let stamp = view.renderer();
        let stamp = scoreboards::Renderer {
            name: stamp.name.to_owned(),
            version: stamp.version.to_string(),
            fingerprint: stamp.fingerprint,
        };
        header.renderers.insert(view.name().to_owned(), stamp);
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

/// Names of aggregates that tables are made from.
pub(super) const SUCCESS: &str = "success";
pub(super) const PARTIAL: &str = "mean partial credit";
pub(super) const DOLLARS: &str = "mean dollars";
pub(super) const PER_SUCCESS: &str = "dollars per success";
pub(super) const STEPS: &str = "mean steps";
pub(super) const AT_CAP: &str = "ended at the step cap";
pub(super) const ALL_INPUT: &str = "mean tokens read";

/// What labels make a cell.
pub(super) const CELL: [&str; 4] = ["family", "horizon", "arm", "worker"];

fn declare(builder: &mut ScoreboardBuilder, seed: u64) {
    let of_runs = |name: &str, method| AggregateSpec::new(name, method).over("what", "run");
    let mean = |name: &str, measure: &str| {
        of_runs(name, Method::Mean { measure: measure.to_owned() }).cluster("task")
    };
    let sum = |measure: &str| of_runs(measure, Method::Sum { measure: measure.to_owned() });
    let share =
        |measure: &str| Method::Share { measure: measure.to_owned(), is: Condition::Flag(true) };
    let wilson = IntervalSpec::Wilson { level: Decimal::new(95, 2) };
    let per_success =
        Method::CostPerSuccess { cost: "all_dollars".to_owned(), success: "success".to_owned() };
    let at_cap =
        Method::CountWhere { measure: "at_step_cap".to_owned(), is: Condition::Flag(true) };
    builder
        .aggregate_by(&CELL, of_runs(SUCCESS, share("success")).interval(IntervalSpec::exact95()))
        .aggregate_by(&CELL, of_runs("success (Wilson)", share("success")).interval(wilson))
        .aggregate_by(&CELL, mean(PARTIAL, "partial"))
        .aggregate_by(&CELL, mean(DOLLARS, "all_dollars").interval(IntervalSpec::bca95(seed)))
        .aggregate_by(&CELL, mean("mean dollars of the arm's own model", "aside_dollars"))
        .aggregate_by(&CELL, of_runs(PER_SUCCESS, per_success))
        .aggregate_by(&CELL, mean(STEPS, "steps"))
        .aggregate_by(&CELL, of_runs(AT_CAP, at_cap))
        .aggregate_by(&CELL, mean(ALL_INPUT, "all_input_tokens"));
    for (name, measure) in TOKENS {
        builder.aggregate_by(&CELL, mean(name, measure));
    }
    for measure in ["retries", "repeats", "injected_errors", "protocol_errors"] {
        builder.aggregate_by(&CELL, sum(measure));
    }
}

/// Mean tokens by class: names and measures.
pub(super) const TOKENS: [(&str, &str); 4] = [
    ("mean uncached input", "input_tokens"),
    ("mean output", "output_tokens"),
    ("mean cache read", "cache_read_tokens"),
    ("mean cache write", "cache_write_tokens"),
];

/// The arms of a scoreboard's cells in the order in which they are listed.
pub(super) fn in_order(arms: &BTreeSet<&str>) -> Vec<&'static ArmSpec> {
    super::arms::ARMS.iter().filter(|arm| arms.contains(arm.name)).collect()
}
