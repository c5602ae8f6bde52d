//! The FIDELITY scoreboard: its rows and aggregates.

use anyhow::Context as _;
use corpus_gen::GENERATOR_VERSION;
use scoreboards::{
    AggregateSpec, Condition, Instrument, IntervalSpec, Measure, Method, Provenance, Row,
    Scoreboard, ScoreboardBuilder,
};
use trace_model::fold::FoldConfig;

use super::measure::{FieldResult, RunResult, TamperResult};
use crate::common::{CommonArgs, price_date, today};
use crate::inputs::corpora;

pub(super) fn build(
    common: &CommonArgs,
    config: &FoldConfig,
    runs: &[RunResult],
    tamperings: &[TamperResult],
    remarks: Vec<String>,
) -> anyhow::Result<Scoreboard> {
    let mut builder = ScoreboardBuilder::new(provenance(common, config, runs)?);
    for run in runs {
        builder.row(run_row(run));
        builder.rows(run.fields.iter().map(|(name, field)| field_row(run, name, field)));
    }
    builder.rows(tamperings.iter().flat_map(tamper_rows));
    declare(&mut builder, common.seed);
    for remark in remarks {
        builder.note(remark);
    }
    builder.finish().context("the FIDELITY scoreboard cannot be built")
}

fn provenance(
    common: &CommonArgs,
    config: &FoldConfig,
    runs: &[RunResult],
) -> anyhow::Result<Provenance> {
    let day = today(common);
    let mut header = Provenance::new(Instrument::Fidelity, day, env!("CARGO_PKG_VERSION"));
    header.command = common.command();
    header.corpora = corpora(runs.iter().map(|run| &run.identity));
    let statistics: Vec<&str> = config.facts.statistics.iter().map(|s| s.name()).collect();
    let protocol = [
        ("corpus.generator_version", GENERATOR_VERSION.to_string()),
        ("fold.facts.statistics", statistics.join(" ")),
        ("fold.facts.tracked", config.facts.tracked.to_string()),
        ("definitions", "docs/DEFINITIONS.md".to_owned()),
    ];
    header.protocol = protocol.map(|(name, value)| (name.to_owned(), value)).into();
    header.price_table = Some(price_date(&config.prices)?);
    Ok(header)
}

fn run_row(run: &RunResult) -> Row {
    let count = |is: fn(&FieldResult) -> bool| run.fields.values().filter(|f| is(f)).count() as u64;
    Row::new(&run.name)
        .label("what", "run")
        .label("corpus", &run.corpus)
        .label("run", &run.name)
        .count("bytes", run.bytes)
        .count("events", run.events)
        .count("fields", run.fields.len() as u64)
        .count("mismatches", count(|field| !field.equal))
        .count("truth_mismatches", count(|field| field.truth == Some(false)))
        .measure("naive_tokens", Measure::Tokens(run.naive))
        .measure("deduplicated_tokens", Measure::Tokens(run.deduplicated))
        .measure("inflation", Measure::score_ratio(run.naive, run.deduplicated))
}

fn field_row(run: &RunResult, name: &str, field: &FieldResult) -> Row {
    let flag = |known: Option<bool>, reason: &str| match known {
        Some(value) => Measure::Flag(value),
        None => Measure::Missing { reason: reason.to_owned() },
    };
    let row = Row::new(format!("{}/{name}", run.name))
        .label("what", "field")
        .label("corpus", &run.corpus)
        .label("run", &run.name)
        .label("field", name)
        .flag("equal", field.equal)
        .measure("truth", flag(field.truth, "not in the truth"))
        .measure("caught", flag(field.caught, "not exercised"));
    let Some([fold, oracle, truth]) = &field.values else { return row };
    row.text("fold", fold).text("oracle", oracle).text("generator", truth)
}

fn tamper_rows(tampering: &TamperResult) -> impl Iterator<Item = Row> + '_ {
    let name = tampering.name;
    tampering.caught.iter().map(move |(field, caught)| {
        Row::new(format!("tampering/{name}/{field}"))
            .label("what", "tampering")
            .label("tampering", name)
            .label("field", *field)
            .flag("caught", *caught)
            .count("differing", tampering.differing)
    })
}

fn share(name: &str, measure: &str, what: &str) -> AggregateSpec {
    let method = Method::Share { measure: measure.to_owned(), is: Condition::Flag(true) };
    AggregateSpec::new(name, method).over("what", what).interval(IntervalSpec::exact95())
}

/// The aggregate over all fields, then over each corpus, then over each field.
fn declare(builder: &mut ScoreboardBuilder, seed: u64) {
    let field = |name: &str, measure: &str| share(name, measure, "field").cluster("run");
    let inflation = || {
        let (num, den) = ("naive_tokens".to_owned(), "deduplicated_tokens".to_owned());
        AggregateSpec::new("naive inflation", Method::RatioOfSums { num, den })
            .over("what", "run")
            .cluster("run")
            .interval(IntervalSpec::bca95(seed))
    };
    let largest = Method::Max { measure: "inflation".to_owned() };
    builder
        .aggregate(field("equal", "equal"))
        .aggregate(field("equal to the truth", "truth"))
        .aggregate(field("fault caught", "caught"))
        .aggregate(share("tampering caught", "caught", "tampering").cluster("tampering"))
        .aggregate(AggregateSpec::new("runs", Method::Rows).over("what", "run"))
        .aggregate(inflation())
        .aggregate(AggregateSpec::new("largest inflation", largest).over("what", "run"))
        .aggregate_by(&["corpus"], AggregateSpec::new("runs", Method::Rows).over("what", "run"))
        .aggregate_by(&["corpus"], inflation())
        .aggregate_by(&["corpus"], field("equal", "equal"))
        .aggregate_by(&["corpus"], field("equal to the truth", "truth"))
        .aggregate_by(&["field"], field("equal", "equal"))
        .aggregate_by(&["field"], field("fault caught", "caught"))
        .aggregate_by(&["field"], share("tampering caught", "caught", "tampering"));
}
