//! CONTINUE cells from `cells.csv`, `rows.csv` and `cells_aggregate.csv`.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::error::PublishedError;
use super::records::{AggregateRecord, CellRecord, RowRecord};
use crate::cell::{ContinueCell, Ended, Identity, Means, Run, Source, Tokens};

/// What the cells of all three files share.
const GRADER: &str = "score of 1";
const WORKER: &str = "one worker, not named by run";

/// All cells. A run that two files hold is taken once, and they must agree on it.
pub(super) fn cells(
    cells: &[CellRecord],
    rows: &[RowRecord],
    means: &[AggregateRecord],
) -> Result<Vec<ContinueCell>, PublishedError> {
    let mut found = from_cells(cells);
    check_repeated(&found, rows)?;
    found.extend(from_rows(rows.iter().filter(|row| row.version != REPEATED)));
    found.extend(means.iter().map(from_means));
    for cell in &mut found {
        cell.runs.sort_by_key(|run| (run.seed.parse::<u64>().ok(), run.seed.clone()));
    }
    Ok(found)
}

fn from_cells(records: &[CellRecord]) -> Vec<ContinueCell> {
    let mut found: Vec<ContinueCell> = Vec::new();
    for record in records {
        let id = cell_id(record);
        let run = cell_run(record);
        match found.iter_mut().find(|cell| cell.id == id) {
            Some(cell) => cell.runs.push(run),
            None => found.push(ContinueCell {
                provenance: format!("cells.csv {}", record.run_key),
                id,
                identity: identity(Labels {
                    arm: &record.arm,
                    family: &record.family,
                    links: record.links,
                    renderer: &record.renderer,
                    cached: &record.cached,
                    errors: &record.errors_injected,
                }),
                runs: vec![run],
                means: None,
            }),
        }
    }
    found
}

/// The run key, and the group where a cell has several.
fn cell_id(record: &CellRecord) -> String {
    let key = record.run_key.trim_start_matches("CONTINUE_");
    if record.group.is_empty() { key.to_owned() } else { format!("{key}/{}", record.group) }
}

fn cell_run(record: &CellRecord) -> Run {
    let ended = if record.passed == 1 { Ended::Success } else { Ended::Failure };
    Run {
        score: Some(record.success),
        dollars: record.cost_usd,
        helper_dollars: record.summarizer_cost_usd,
        steps: record.steps,
        tokens: Tokens { cache_read: record.cache_read, ..Tokens::default() },
        ..Run::new(record.seed.as_str(), ended)
    }
}

/// The variant whose runs are in `cells.csv` too.
const REPEATED: &str = "v23";

fn check_repeated(cells: &[ContinueCell], rows: &[RowRecord]) -> Result<(), PublishedError> {
    for row in rows.iter().filter(|row| row.version == REPEATED) {
        let links = row.n_links.unwrap_or_default();
        let id = format!("v23_nscale_{}_{links}", row.policy);
        let twin = cells
            .iter()
            .find(|cell| cell.id == id)
            .and_then(|cell| cell.runs.iter().find(|run| run.seed == row.seed));
        let same =
            twin.is_some_and(|run| run.score == Some(row.success) && run.dollars == row.cost_usd);
        if !same {
            let reason = format!("seed {} of {id} is not as in cells.csv", row.seed);
            return Err(PublishedError::Malformed { file: "rows.csv", reason });
        }
    }
    Ok(())
}

fn from_rows<'a>(records: impl Iterator<Item = &'a RowRecord>) -> Vec<ContinueCell> {
    let mut found: BTreeMap<String, ContinueCell> = BTreeMap::new();
    for record in records {
        let id = row_id(record);
        let cached = cached(record);
        let cell = found.entry(id.clone()).or_insert_with(|| ContinueCell {
            provenance: format!("rows.csv {}", record.version),
            id,
            identity: identity(Labels {
                arm: &record.arm,
                family: &record.family,
                links: record.n_links,
                renderer: "pre_stamp",
                cached,
                errors: "yes",
            }),
            runs: Vec::new(),
            means: None,
        });
        let variant = record.policy.strip_prefix("trace-");
        if let Some(extractor) = variant {
            cell.identity.protocol.insert("extractor".to_owned(), extractor.to_owned());
        }
        if let Some(every) = record.refresh_every.filter(|&every| every > 0) {
            cell.identity.protocol.insert("refresh".to_owned(), every.to_string());
        }
        cell.runs.push(row_run(record));
    }
    found.into_values().collect()
}

/// `v10/full@120`; `/refresh10` where the view is renewed at that interval.
fn row_id(record: &RowRecord) -> String {
    let RowRecord { version, policy, n_links, refresh_every, .. } = record;
    let links = n_links.map_or("none".to_owned(), |n| n.to_string());
    let refresh = match refresh_every {
        Some(every) if *every > 0 => format!("/refresh{every}"),
        _ => String::new(),
    };
    format!("{version}/{policy}@{links}{refresh}")
}

/// What the row's own token counts say; unknown if absent.
fn cached(record: &RowRecord) -> &'static str {
    match (record.cache_read_tokens, record.cache_creation_tokens) {
        (Some(0), Some(0)) => "no",
        (Some(_), Some(_)) => "yes",
        _ => "unknown",
    }
}

fn row_run(record: &RowRecord) -> Run {
    let ended = if record.success == Decimal::ONE { Ended::Success } else { Ended::Failure };
    Run {
        score: Some(record.success),
        dollars: record.cost_usd,
        helper_dollars: record.curator_cost_usd.or(record.summarizer_cost_usd),
        steps: record.steps,
        refusals: record.refusals,
        tokens: Tokens {
            input: record.input_tokens,
            output: record.output_tokens,
            cache_read: record.cache_read_tokens,
            cache_write: record.cache_creation_tokens,
        },
        ..Run::new(record.seed.as_str(), ended)
    }
}

/// Who ran another benchmark than ours: nothing says which renderer it used.
const EXTERNAL: &str = "TAU2";

fn from_means(record: &AggregateRecord) -> ContinueCell {
    let external = record.run_key.starts_with(EXTERNAL);
    let key = record.run_key.trim_start_matches("CONTINUE_");
    ContinueCell {
        id: format!("means/{key}"),
        identity: identity(Labels {
            arm: &record.arm,
            family: &record.family,
            links: record.links,
            renderer: if external { "not stated" } else { "pre_stamp" },
            cached: &record.cached,
            errors: &record.errors_injected,
        }),
        runs: Vec::new(),
        means: Some(Means {
            n: record.n,
            success_rate: record.success_rate,
            dollars: record.mean_cost,
            input_tokens: record.mean_input_tokens,
            cache_read: record.cache_read,
            cache_write: record.cache_write,
        }),
        provenance: format!("cells_aggregate.csv {}", record.run_key),
    }
}

#[derive(Clone, Copy)]
struct Labels<'a> {
    arm: &'a str,
    family: &'a str,
    links: Option<u32>,
    renderer: &'a str,
    cached: &'a str,
    errors: &'a str,
}

fn identity(labels: Labels<'_>) -> Identity {
    let protocol = [("cached", labels.cached), ("errors", labels.errors)];
    Identity {
        source: Source::Published,
        arm: labels.arm.to_owned(),
        family: labels.family.to_owned(),
        horizon: labels.links,
        model: WORKER.to_owned(),
        renderer: labels.renderer.to_owned(),
        protocol: protocol.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
        grader: GRADER.to_owned(),
    }
}
