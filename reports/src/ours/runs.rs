//! CONTINUE scoreboards: one row a run.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use scoreboards::{Measure, Row, Scoreboard};

use super::{label, model, provenance, renderer};
use crate::cell::{ContinueCell, Ended, Identity, Run, Source, Tokens};

/// Labels that say which run it is, not which cell; and those that have a place of their own.
const NOT_SETTINGS: [&str; 14] = [
    "arm",
    "ended",
    "family",
    "horizon",
    "id",
    "links",
    "model",
    "run",
    "seed",
    "task",
    "trace",
    "transcript",
    "what",
    "worker",
];

pub(super) fn cells(board: &Scoreboard) -> (Vec<ContinueCell>, Vec<String>) {
    let mut found: BTreeMap<Identity, ContinueCell> = BTreeMap::new();
    let mut skipped = 0_usize;
    for row in &board.rows {
        let (Some(identity), Some(run)) = (identity(board, row), run(row)) else {
            skipped += 1;
            continue;
        };
        let cell = found.entry(identity.clone()).or_insert_with(|| ContinueCell {
            id: id(board, &identity),
            identity,
            runs: Vec::new(),
            means: None,
            provenance: provenance(board),
        });
        cell.runs.push(run);
    }
    let mut cells: Vec<ContinueCell> = found.into_values().collect();
    for cell in &mut cells {
        cell.runs.sort_by_key(|run| (run.seed.parse::<u64>().ok(), run.seed.clone()));
    }
    distinguish(&mut cells);
    let note = (skipped > 0).then(|| {
        let all = board.rows.len();
        format!(
            "{}: {skipped} of {all} rows are no runs (no arm, family, seed or success)",
            provenance(board)
        )
    });
    (cells, note.into_iter().collect())
}

fn id(board: &Scoreboard, identity: &Identity) -> String {
    format!("{}/{}@{}", board.short_id(), identity.arm, identity.task())
}

/// Cells that differ in settings alone would have one id.
fn distinguish(cells: &mut [ContinueCell]) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for cell in cells.iter() {
        *times.entry(cell.id.clone()).or_default() += 1;
    }
    for cell in cells.iter_mut().filter(|cell| times.get(&cell.id).is_some_and(|&n| n > 1)) {
        let settings: Vec<String> =
            cell.identity.protocol.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cell.id = format!("{}/{}/{}", cell.id, cell.identity.renderer, settings.join(","));
    }
}

fn identity(board: &Scoreboard, row: &Row) -> Option<Identity> {
    let arm = label(row, &["arm"])?;
    let horizon = label(row, &["horizon", "links"]).and_then(|text| text.parse().ok());
    let mut protocol = board.provenance.protocol.clone();
    for (name, value) in &row.labels {
        if !NOT_SETTINGS.contains(&name.as_str()) {
            protocol.insert(name.clone(), value.clone());
        }
    }
    let cached = if arm.contains("cached") || arm.contains("one-block") { "yes" } else { "no" };
    protocol.entry("cached".to_owned()).or_insert_with(|| cached.to_owned());
    if let Some(rate) = protocol.get("bench.error_rate").and_then(|rate| rate.parse::<f64>().ok()) {
        let errors = if rate > 0.0 { "yes" } else { "no" };
        protocol.entry("errors".to_owned()).or_insert_with(|| errors.to_owned());
    }
    Some(Identity {
        source: Source::Ours,
        arm: arm.to_owned(),
        family: label(row, &["family"])?.to_owned(),
        horizon,
        model: label(row, &["worker", "model"]).map_or_else(|| model(board), str::to_owned),
        renderer: renderer(board, row),
        protocol,
        grader: "end state is right".to_owned(),
    })
}

fn run(row: &Row) -> Option<Run> {
    let seed = label(row, &["seed", "task"])?;
    let ended = match row.measures.get("success").or_else(|| row.measures.get("passed"))? {
        Measure::Missing { reason } => Ended::Missing(reason.clone()),
        measure => match measure.number()? {
            score if score == Decimal::ONE => Ended::Success,
            _ => Ended::Failure,
        },
    };
    Some(Run {
        score: number(row, &["partial", "score"]),
        dollars: number(row, &["dollars"]),
        helper_dollars: number(row, &["aside_dollars", "helper_dollars", "curator_dollars"]),
        steps: count(row, &["steps"]),
        refusals: count(row, &["refusals"]),
        tokens: Tokens {
            input: count(row, &["input", "input_tokens"]),
            output: count(row, &["output", "output_tokens"]),
            cache_read: count(row, &["cache_read", "cache_read_tokens"]),
            cache_write: count(row, &["cache_write", "cache_write_tokens"]),
        },
        ..Run::new(seed, ended)
    })
}

fn number(row: &Row, names: &[&str]) -> Option<Decimal> {
    names.iter().find_map(|&name| row.measures.get(name)).and_then(Measure::number)
}

fn count(row: &Row, names: &[&str]) -> Option<u64> {
    number(row, names).and_then(|n| u64::try_from(n).ok())
}
