//! CONTINUE scoreboards: one row a run.

use std::collections::BTreeMap;

use scoreboards::measures::continuation as names;
use scoreboards::{Measure, Row, Scoreboard};

use super::origin::{model, provenance, renderer};
use crate::cell::{ContinueCell, Ended, Identity, Run, Source, Tokens};

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

/// What makes the run's cell; labels beyond the schema's are settings.
fn identity(board: &Scoreboard, row: &Row) -> Option<Identity> {
    let arm = row.label_of(&names::ARM)?;
    let horizon = row.label_of(&names::HORIZON).and_then(|text| text.parse().ok());
    let mut protocol = board.provenance.protocol.clone();
    for (name, value) in &row.labels {
        if !names::LABELS.iter().any(|label| label.name == name) {
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
        family: row.label_of(&names::FAMILY)?.to_owned(),
        horizon,
        model: row.label_of(&names::WORKER).map_or_else(|| model(board), str::to_owned),
        renderer: renderer(board, row),
        protocol,
        grader: "end state is right".to_owned(),
    })
}

fn run(row: &Row) -> Option<Run> {
    let seed = row.label_of(&names::SEED)?;
    let ended = match row.held(&names::SUCCESS)? {
        Measure::Missing { reason } => Ended::Missing(reason.clone()),
        Measure::Flag(true) => Ended::Success,
        _ => Ended::Failure,
    };
    Some(Run {
        score: row.value(&names::PARTIAL),
        dollars: row.value(&names::DOLLARS),
        helper_dollars: row.value(&names::HELPER_DOLLARS),
        steps: row.value(&names::STEPS),
        refusals: row.value(&names::REFUSALS),
        tokens: Tokens {
            input: row.value(&names::INPUT_TOKENS),
            output: row.value(&names::OUTPUT_TOKENS),
            cache_read: row.value(&names::CACHE_READ_TOKENS),
            cache_write: row.value(&names::CACHE_WRITE_TOKENS),
        },
        ..Run::new(seed, ended)
    })
}
