//! Entries of CONTINUE tables: cells, pooled where they are parts of one, and the panels over them.

use rust_decimal::Decimal;
use scoreboards::Table;
use scoreboards::measures::continuation::MECHANICAL;

use crate::cell::{Cells, ContinueCell, Identity, Run, Source};
use crate::measure::{
    self, Comparison, RunSummary, Settings, Verdict, compare_runs, summarize_cell,
};

use super::model::{number, table, text};
use super::values::{
    cost_per, count, dollar_interval, dollars, fixed, interval, k_of_n, p_value, share, signed,
    whole,
};

/// A line of a table.
pub(super) struct Entry<'a> {
    /// The cell's id, or the name of several.
    pub(super) name: String,
    /// What it is. Of several cells: the first's.
    pub(super) identity: &'a Identity,
    /// Its runs.
    pub(super) runs: Vec<&'a Run>,
    /// Its summary.
    pub(super) summary: RunSummary,
    /// Where it comes from.
    pub(super) provenance: String,
}

impl<'a> Entry<'a> {
    /// One cell.
    pub(super) fn of(cell: &'a ContinueCell) -> Self {
        Self {
            name: cell.id.clone(),
            identity: &cell.identity,
            runs: cell.runs.iter().collect(),
            summary: summarize_cell(cell),
            provenance: cell.provenance.clone(),
        }
    }
}

/// Estimates, with the ceiling and the control that must fail beside each.
pub(super) fn estimates(id: &str, title: &str, entries: &[Entry<'_>], all: &Cells) -> Table {
    let columns = [
        text("source"),
        text("cell"),
        text("arm"),
        text("task"),
        text("worker"),
        text("renderer"),
        text("cached"),
        text("errors"),
        number("k of n"),
        number("rate"),
        text("interval"),
        text("method"),
        number("seeds"),
        number("failed"),
        number("missing"),
        number("ceiling"),
        number("must fail"),
        number("$ a run"),
        number("$ helpers"),
        number("$ a success"),
        text("interval of $ a success"),
        text("provenance"),
    ];
    let mut table = table(id, title, columns);
    for entry in entries {
        let Entry { identity, summary, .. } = entry;
        table.rows.push(vec![
            identity.source.to_string(),
            entry.name.clone(),
            identity.arm.clone(),
            identity.task(),
            identity.model.clone(),
            identity.renderer.clone(),
            identity.setting("cached").to_owned(),
            identity.setting("errors").to_owned(),
            if summary.means_only { String::new() } else { k_of_n(summary.k, summary.n) },
            share(summary.rate),
            interval(&summary.interval),
            summary.interval.kind().to_owned(),
            summary.clusters.to_string(),
            summary.failed.to_string(),
            summary.missing.to_string(),
            ceiling(identity, all),
            must_fail(identity, all),
            dollars(summary.dollars),
            dollars(summary.helper_dollars),
            cost_per(&summary.cost_per_success),
            dollar_interval(&summary.cost_per_success_interval),
            entry.provenance.clone(),
        ]);
        if identity.setting("cached").contains('/') {
            table.notes.push(format!(
                "{} is pooled across cached: {}",
                entry.name,
                identity.setting("cached")
            ));
        }
    }
    notes(&mut table, entries);
    table.without_empty_columns()
}

/// What a table of runs must say about where its bounds come from.
fn notes(table: &mut Table, entries: &[Entry<'_>]) {
    let published = entries.iter().any(|entry| entry.identity.source == Source::Published);
    if published {
        table.notes.push(
            "ceiling: no mechanical worker's runs were published; must fail: the published arm \
             `retrieval` of the same task, which cannot hold a running sum"
                .to_owned(),
        );
    }
    let simulated: std::collections::BTreeSet<String> =
        entries.iter().filter_map(|entry| simulated(entry.identity)).collect();
    table.notes.extend(simulated);
    if entries.iter().any(|entry| entry.identity.source == Source::Ours) {
        table.notes.push(
            "ours, ceiling: the mechanical worker under the same arm; must fail: arm `retrieval`"
                .to_owned(),
        );
    }
}

/// What a reader must know of tokens and dollars that no endpoint charged.
pub(super) fn simulated(identity: &Identity) -> Option<String> {
    let priced_as = identity.protocol.get("dollars.as")?;
    let counted = identity.setting("tokens.counted");
    let model = &identity.model;
    Some(format!(
        "ours, worker {model}: tokens are {counted}; caching and dollars are simulated, priced as \
         {priced_as}"
    ))
}

/// The mechanical worker's rate under the same arm on the same task.
fn ceiling(identity: &Identity, all: &Cells) -> String {
    let is_it = |other: &Identity| {
        other.source == identity.source
            && other.arm == identity.arm
            && other.task() == identity.task()
            && other.model.contains(MECHANICAL)
    };
    rate_of(all, is_it)
}

/// The rate of the control that cannot succeed, for the same worker on the same task.
fn must_fail(identity: &Identity, all: &Cells) -> String {
    let is_it = |other: &Identity| {
        other.source == identity.source
            && other.arm == "retrieval"
            && other.task() == identity.task()
            && other.model == identity.model
    };
    rate_of(all, is_it)
}

fn rate_of(all: &Cells, is_it: impl Fn(&Identity) -> bool) -> String {
    let runs: Vec<&Run> =
        all.runs.iter().filter(|cell| is_it(&cell.identity)).flat_map(|cell| &cell.runs).collect();
    let known: Vec<bool> = runs.iter().filter_map(|run| run.success()).collect();
    let yes = known.iter().filter(|yes| **yes).count();
    share(Decimal::from(yes).checked_div(Decimal::from(known.len())))
}

/// Each entry against the one it is compared with, Holm-adjusted over the whole panel.
pub(super) fn comparisons(
    id: &str,
    title: &str,
    pairs: &[(&Entry<'_>, &Entry<'_>)],
    settings: Settings,
) -> Table {
    let columns = [
        text("source"),
        text("cell"),
        text("against"),
        number("pairs"),
        number("unpaired"),
        number("difference"),
        text("interval"),
        text("method"),
        number("only it"),
        number("only the other"),
        number("p"),
        number("Holm p"),
        number("smallest detectable"),
        text("verdict"),
        text("differs in"),
    ];
    let mut found: Vec<Comparison> =
        pairs.iter().map(|(one, base)| compare_runs(&base.runs, &one.runs, settings)).collect();
    measure::adjust(&mut found.iter_mut().collect::<Vec<_>>(), settings);
    let mut table = table(id, title, columns);
    for ((one, base), comparison) in pairs.iter().zip(&found) {
        table.rows.push(comparison_row(one, base, comparison));
    }
    table.notes.push(format!(
        "pairs share a seed; p is McNemar's exact, adjusted by Holm over the {} rows; smallest \
         detectable: at 0.05 with power 0.8; tied: the interval lies within {} of 0",
        found.len(),
        settings.margin.normalize(),
    ));
    table
}

fn comparison_row(one: &Entry<'_>, base: &Entry<'_>, comparison: &Comparison) -> Vec<String> {
    let no_pairs = comparison.pairs == 0;
    let verdict = if no_pairs { Verdict::Unresolved } else { comparison.verdict };
    vec![
        one.identity.source.to_string(),
        one.name.clone(),
        base.name.clone(),
        comparison.pairs.to_string(),
        comparison.unpaired.to_string(),
        signed(comparison.difference),
        if no_pairs { "no shared seeds".to_owned() } else { interval(&comparison.interval) },
        comparison.interval.kind().to_owned(),
        count(comparison.only_b),
        count(comparison.only_a),
        p_value(comparison.p),
        p_value(comparison.p_holm),
        comparison.detectable.map_or("none".to_owned(), |d| fixed(d, 3)),
        verdict.name().to_owned(),
        differs(one.identity, base.identity),
    ]
}

/// In what two cells differ beside their arm: then a difference is not the arm's alone.
fn differs(one: &Identity, base: &Identity) -> String {
    let other = base.axes();
    let axes: Vec<String> = one
        .axes()
        .into_iter()
        .filter(|(name, _)| name != "arm")
        .filter_map(|(name, value)| {
            let there = other.iter().find(|(n, _)| *n == name).map_or("unknown", |(_, v)| v);
            (there != value).then(|| format!("{name} ({value} / {there})"))
        })
        .collect();
    axes.join(", ")
}

/// Tokens by class.
pub(super) fn tokens(id: &str, title: &str, entries: &[Entry<'_>]) -> Option<Table> {
    let columns = [
        text("source"),
        text("cell"),
        number("uncached input"),
        number("output"),
        number("cache reads"),
        number("cache writes"),
        number("steps"),
        number("$ a run"),
        text("95% interval of $ a run"),
    ];
    let mut table = table(id, title, columns);
    for Entry { name, identity, summary, .. } in entries {
        if summary.tokens.iter().all(Option::is_none) {
            continue;
        }
        let mut row = vec![identity.source.to_string(), name.clone()];
        row.extend(summary.tokens.iter().map(|tokens| whole(*tokens)));
        row.push(whole(summary.steps));
        row.push(dollars(summary.dollars));
        row.push(dollar_interval(&summary.dollars_interval));
        table.rows.push(row);
    }
    let left = entries.len() - table.rows.len();
    if left > 0 {
        table.notes.push(format!(
            "means a run, of {} of {} cells: tokens of the others were not released",
            table.rows.len(),
            entries.len()
        ));
    }
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}
