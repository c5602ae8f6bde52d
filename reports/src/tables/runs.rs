//! The tables of CONTINUE: the definitive comparison, controls, cache accounting, the inventory.

use rust_decimal::Decimal;

use crate::cell::{Cells, ContinueCell, PARTS, PoolError, Source, of_parts};
use crate::measure::{Settings, mean_dollars, mean_tokens};

use super::entry::{Entry, comparisons, estimates, simulated, tokens};
use super::model::{Section, number, table, text};
use super::values::{dollars, fixed, whole};

/// The length of the definitive comparison.
const DEFINITIVE: u32 = 120;

/// Table 2.
pub(super) fn definitive(cells: &Cells, settings: Settings) -> Result<Section, PoolError> {
    let wholes = wholes(cells, DEFINITIVE)?;
    let mut entries = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    published(cells, &wholes, &mut entries, &mut pairs);
    ours(cells, is_definitive, &mut entries, &mut pairs);
    let pairs: Vec<_> = pairs.iter().map(|&(one, base)| (&entries[one], &entries[base])).collect();
    let mut tables = vec![
        estimates("2a-definitive", "120 links: each arm", &entries, cells),
        comparisons("2b-definitive-pairs", "120 links: against full context", &pairs, settings),
    ];
    tables.extend(tokens("2c-definitive-tokens", "120 links: mean tokens and dollars", &entries));
    if !entries.iter().any(|entry| entry.identity.source == Source::Ours) {
        tables[0].notes.push(absent());
    }
    Ok(Section { id: "2", title: "The definitive comparison at 120 links", tables })
}

/// Published wholes of full context and curated at this horizon.
fn wholes(cells: &Cells, horizon: u32) -> Result<Vec<ContinueCell>, PoolError> {
    let mut found = Vec::new();
    for part in &PARTS {
        found.extend(of_parts(cells, part)?);
    }
    found.retain(|cell| {
        cell.identity.horizon == Some(horizon)
            && matches!(cell.identity.arm.as_str(), "full" | "curated")
    });
    Ok(found)
}

fn absent() -> String {
    "no scoreboard given holds runs of ours: `tracefold continue` makes them".to_owned()
}

fn published<'a>(
    cells: &'a Cells,
    wholes: &'a [ContinueCell],
    entries: &mut Vec<Entry<'a>>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let mut add = |cell: Option<&'a ContinueCell>| {
        entries.push(Entry::of(cell?));
        Some(entries.len() - 1)
    };
    let [full, curated] =
        ["full", "curated"].map(|arm| add(wholes.iter().find(|cell| cell.identity.arm == arm)));
    let [shipped, scratchpad, clean, fold, notes] = [
        "v40_poststamp_n30_120",
        "v28_scratchpad_cached_120_n30ext",
        "v41_noerr_shipped_full_120",
        "v41_noerr_shipped_trace_120",
        "v42_scratchpad_noerr_120",
    ]
    .map(|id| add(cells.find(id)));
    for (one, base) in
        [(curated, full), (shipped, full), (scratchpad, full), (fold, clean), (notes, clean)]
    {
        pairs.extend(one.zip(base));
    }
    pairs.extend(notes.zip(fold));
}

fn is_definitive(cell: &ContinueCell) -> bool {
    let of_it =
        ["full", "full-cached", "curated", "curated-cached", "scratchpad", "scratchpad-cached"];
    cell.identity.horizon == Some(DEFINITIVE)
        && cell.identity.family == "chain"
        && of_it.contains(&cell.identity.arm.as_str())
}

/// Cells of ours, each against `full` of the same board, family, horizon and worker.
fn ours<'a>(
    cells: &'a Cells,
    wanted: impl Fn(&ContinueCell) -> bool,
    entries: &mut Vec<Entry<'a>>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let start = entries.len();
    let mine = cells.runs.iter().filter(|cell| cell.identity.source == Source::Ours);
    entries.extend(mine.filter(|cell| wanted(cell)).map(Entry::of));
    for one in start..entries.len() {
        let base = (start..entries.len()).find(|&other| {
            let (a, b) = (&entries[one], &entries[other]);
            b.identity.arm == "full"
                && a.identity.task() == b.identity.task()
                && a.identity.model == b.identity.model
                && a.provenance == b.provenance
        });
        pairs.extend(base.filter(|&base| base != one).map(|base| (one, base)));
    }
}

/// Table 3: what else was tried, against the arm that it isolates a part of.
pub(super) fn controls(cells: &Cells, settings: Settings) -> Section {
    let skip = cells.repetitions();
    let mut entries: Vec<Entry<'_>> = cells
        .runs
        .iter()
        .filter(|cell| cell.identity.source == Source::Published && !cell.runs.is_empty())
        .filter(|cell| !matches!(cell.identity.arm.as_str(), "full" | "curated"))
        .filter(|cell| cell.identity.family == "chain" && !skip.contains_key(cell.id.as_str()))
        .map(Entry::of)
        .collect();
    let shown = entries.len();
    let bases: Vec<(&str, &str)> = vec![
        ("60", "v10/trace@60"),
        ("120", "v40_poststamp_n30_120"),
        ("noerr", "v41_noerr_shipped_trace_120"),
    ];
    let first_base = entries.len();
    entries.extend(bases.iter().filter_map(|(_, id)| cells.find(id)).map(Entry::of));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for one in 0..shown {
        let base = (first_base..entries.len()).find(|&base| {
            let (a, b) = (&entries[one].identity, &entries[base].identity);
            a.horizon == b.horizon && a.setting("errors") == b.setting("errors")
        });
        pairs.extend(base.map(|base| (one, base)));
    }
    let end = entries.len();
    ours(
        cells,
        |cell| !is_definitive(cell) || cell.identity.arm == "full",
        &mut entries,
        &mut pairs,
    );
    let rows: Vec<_> = pairs.iter().map(|&(one, base)| (&entries[one], &entries[base])).collect();
    let mut tables = vec![comparisons(
        "3b-control-pairs",
        "Controls: against the curated arm (published) or full context (ours)",
        &rows,
        settings,
    )];
    // The baselines are in the table of the definitive comparison.
    entries.drain(first_base..end);
    tables.insert(0, estimates("3a-controls", "Controls: each arm", &entries, cells));
    tables.extend(tokens("3c-control-tokens", "Controls: mean tokens and dollars", &entries));
    Section { id: "3", title: "Controls", tables }
}

/// Table 4: what caching changes. Only cells whose cache tokens are known.
pub(super) fn cache(cells: &Cells) -> Section {
    let columns = [
        text("source"),
        text("cell"),
        text("arm"),
        text("task"),
        text("cached"),
        number("runs"),
        number("uncached input"),
        number("output"),
        number("cache reads"),
        number("cache writes"),
        number("read share"),
        number("$ a run"),
        number("of uncached full"),
    ];
    let mut table = table("4-cache", "Mean tokens by class and dollars a run", columns);
    for cell in &cells.runs {
        let [input, output, reads, writes] = mean_tokens(cell);
        let (Some(read), Some(written)) = (reads, writes) else { continue };
        let dollars_a_run = mean_dollars(cell);
        let all = input.unwrap_or_default() + read + written;
        let base = baseline(cells, cell);
        let ratio = dollars_a_run.zip(base).and_then(|(a, b)| a.checked_div(b));
        table.rows.push(vec![
            cell.identity.source.to_string(),
            cell.id.clone(),
            cell.identity.arm.clone(),
            cell.identity.task(),
            cell.identity.setting("cached").to_owned(),
            if cell.runs.is_empty() { "means".to_owned() } else { cell.runs.len().to_string() },
            whole(input),
            whole(output),
            whole(reads),
            whole(writes),
            read.checked_div(all).map_or(String::new(), |d| fixed(d, 3)),
            dollars(dollars_a_run),
            ratio.map_or(String::new(), |d| fixed(d, 3)),
        ]);
    }
    table.notes.push(
        "read share: cache reads of all input; of uncached full: dollars a run over those of the \
         uncached full-context cell of the same source and task"
            .to_owned(),
    );
    let simulated: std::collections::BTreeSet<String> =
        cells.runs.iter().filter_map(|cell| simulated(&cell.identity)).collect();
    table.notes.extend(simulated);
    Section { id: "4", title: "Cache accounting", tables: vec![table.without_empty_columns()] }
}

fn baseline(cells: &Cells, cell: &ContinueCell) -> Option<Decimal> {
    let found = cells.runs.iter().find(|other| {
        other.identity.arm == "full"
            && other.identity.setting("cached") == "no"
            && other.identity.source == cell.identity.source
            && other.identity.task() == cell.identity.task()
            && other.identity.model == cell.identity.model
            && !other.runs.is_empty()
    })?;
    mean_dollars(found)
}

/// Table 5: every cell.
pub(super) fn inventory(cells: &Cells) -> Section {
    let entries: Vec<Entry<'_>> = cells.runs.iter().map(Entry::of).collect();
    let mut table = estimates("5-inventory", "Every CONTINUE cell", &entries, cells);
    for (small, large) in cells.repetitions() {
        table.notes.push(format!("all runs of {small} are also in {large}: count one of the two"));
    }
    Section { id: "5", title: "Cell inventory", tables: vec![table] }
}
