//! Two sets of scoreboards over time: for each cell that both have, what changed, with the paired test
//! that applies. Cells are the same if they measure the same; what made them may have changed, and is
//! printed.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use scoreboards::{Instrument, Method, Scoreboard, compare};

use crate::cell::{ComprehendCell, ContinueCell, Run};
use crate::measure::{
    self, Bounds, Comparison, Settings, compare_answers, compare_runs, summarize, summarize_answers,
};
use crate::ours;

/// A cell of both sets.
#[derive(Debug, Clone)]
pub struct Change {
    /// What is measured.
    pub cell: String,
    /// Its value in the first set.
    pub a: Option<Decimal>,
    /// In the second.
    pub b: Option<Decimal>,
    /// The paired comparison, where there is one.
    pub paired: Option<Comparison>,
    /// What made the two differs in this.
    pub differs: Vec<String>,
}

/// Everything that differs.
#[derive(Debug, Clone, Default)]
pub struct Diff {
    /// Cells of both.
    pub changes: Vec<Change>,
    /// Cells of the first alone.
    pub gone: Vec<String>,
    /// Cells of the second alone.
    pub new: Vec<String>,
}

impl Change {
    /// Second minus first, over what both measured where pairs are known.
    pub fn difference(&self) -> Option<Decimal> {
        let paired = self.paired.as_ref().and_then(|paired| paired.difference);
        paired.or_else(|| Some(self.b? - self.a?))
    }
}

impl Diff {
    /// Why a line does not hold: cells that fell by more than the threshold, that lost their value, or
    /// that are gone.
    pub fn past(&self, threshold: Decimal) -> Vec<String> {
        let fell = self.changes.iter().filter_map(|change| match change.difference() {
            Some(difference) if difference < -threshold => {
                Some(format!("{} fell by {}", change.cell, (-difference).round_dp(4).normalize()))
            }
            None if change.a.is_some() => Some(format!("{} has no value any more", change.cell)),
            _ => None,
        });
        fell.chain(self.gone.iter().map(|cell| format!("{cell} is gone"))).collect()
    }
}

/// Compares two sets.
pub fn diff(a: &[Scoreboard], b: &[Scoreboard], settings: Settings) -> Diff {
    let mut diff = Diff::default();
    let (first, second) = (ours::cells(a), ours::cells(b));
    shared(runs_by_key(&first.runs), runs_by_key(&second.runs), &mut diff, |key, one, other| {
        runs_changed(key, one, other, settings)
    });
    shared(
        answers_by_key(&first.answers),
        answers_by_key(&second.answers),
        &mut diff,
        |key, one, other| answers_changed(key, one, other, settings),
    );
    let origins = origins(a, b);
    shared(rates(a), rates(b), &mut diff, |key, one, other| Change {
        cell: key.to_owned(),
        a: one.value,
        b: other.value,
        paired: None,
        differs: origins.get(&(one.board, other.board)).cloned().unwrap_or_default(),
    });
    let mut paired: Vec<&mut Comparison> =
        diff.changes.iter_mut().filter_map(|change| change.paired.as_mut()).collect();
    measure::adjust(&mut paired, settings);
    diff
}

fn shared<T>(
    a: BTreeMap<String, T>,
    mut b: BTreeMap<String, T>,
    diff: &mut Diff,
    changed: impl Fn(&str, &T, &T) -> Change,
) {
    for (key, one) in a {
        match b.remove(&key) {
            Some(other) => diff.changes.push(changed(&key, &one, &other)),
            None => diff.gone.push(key),
        }
    }
    diff.new.extend(b.into_keys());
}

/// Keyed by what is measured, not by what produced it; where a set has several of a kind, by their settings
/// too.
fn runs_by_key(cells: &[ContinueCell]) -> BTreeMap<String, &ContinueCell> {
    let key = |cell: &ContinueCell| {
        format!("continue {} {} {}", cell.identity.model, cell.identity.task(), cell.identity.arm)
    };
    keyed(cells, key, |cell| {
        let settings: Vec<String> =
            cell.identity.protocol.iter().map(|(name, value)| format!("{name}={value}")).collect();
        settings.join(" ")
    })
}

fn answers_by_key(cells: &[ComprehendCell]) -> BTreeMap<String, &ComprehendCell> {
    let key = |cell: &ComprehendCell| {
        let ComprehendCell { corpus, pack, grader, reader, condition, .. } = cell;
        format!("comprehend {corpus} {pack} {grader} {reader} {condition}")
    };
    keyed(cells, key, |cell| cell.renderer.clone())
}

fn keyed<T>(
    items: &[T],
    key: impl Fn(&T) -> String,
    more: impl Fn(&T) -> String,
) -> BTreeMap<String, &T> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for item in items {
        *times.entry(key(item)).or_default() += 1;
    }
    let full = |item: &T| {
        let short = key(item);
        if times.get(&short).is_some_and(|&n| n > 1) {
            format!("{short} {}", more(item))
        } else {
            short
        }
    };
    items.iter().map(|item| (full(item), item)).collect()
}

fn runs_changed(key: &str, a: &ContinueCell, b: &ContinueCell, settings: Settings) -> Change {
    let (one, other): (Vec<&Run>, Vec<&Run>) = (a.runs.iter().collect(), b.runs.iter().collect());
    let axes = b.identity.axes();
    let differs = a.identity.axes().into_iter().filter_map(|(name, value)| {
        let there = axes.iter().find(|(n, _)| *n == name).map_or("unknown", |(_, v)| v);
        (there != value).then(|| format!("{name}: {value} / {there}"))
    });
    Change {
        cell: key.to_owned(),
        a: summarize(&one).rate,
        b: summarize(&other).rate,
        paired: Some(compare_runs(&one, &other, settings)).filter(|paired| paired.pairs > 0),
        differs: differs.collect(),
    }
}

fn answers_changed(
    key: &str,
    a: &ComprehendCell,
    b: &ComprehendCell,
    settings: Settings,
) -> Change {
    let renderer =
        (a.renderer != b.renderer).then(|| format!("renderer: {} / {}", a.renderer, b.renderer));
    Change {
        cell: key.to_owned(),
        a: summarize_answers(a).accuracy,
        b: summarize_answers(b).accuracy,
        paired: compare_answers(a, b, settings),
        differs: renderer.into_iter().collect(),
    }
}

/// A share, mean, precision, recall or F1 of DETECT or FIDELITY.
struct Rate<'a> {
    value: Option<Decimal>,
    /// The scoreboard's id.
    board: &'a str,
}

/// In what the origins of each two scoreboards of DETECT or FIDELITY differ.
fn origins<'a>(
    a: &'a [Scoreboard],
    b: &'a [Scoreboard],
) -> BTreeMap<(&'a str, &'a str), Vec<String>> {
    let mut found = BTreeMap::new();
    for one in a.iter().filter(|board| has_rates(board)) {
        for other in b.iter().filter(|other| {
            has_rates(other) && other.provenance.instrument == one.provenance.instrument
        }) {
            let differs = if one.id == other.id {
                Vec::new()
            } else {
                let found = compare(&without_rows(one), &without_rows(other)).provenance;
                found.iter().map(|d| format!("{}: {} / {}", d.what, d.a, d.b)).collect()
            };
            found.insert((one.id.as_str(), other.id.as_str()), differs);
        }
    }
    found
}

/// Only the header: comparing rows pair by pair is slow and not needed here.
fn without_rows(board: &Scoreboard) -> Scoreboard {
    Scoreboard {
        schema: board.schema,
        id: board.id.clone(),
        rows_sha256: board.rows_sha256.clone(),
        provenance: board.provenance.clone(),
        aggregates: Vec::new(),
        rows: Vec::new(),
    }
}

fn has_rates(board: &Scoreboard) -> bool {
    matches!(board.provenance.instrument, Instrument::Detect | Instrument::Fidelity)
}

fn rates(boards: &[Scoreboard]) -> BTreeMap<String, Rate<'_>> {
    let mut found = BTreeMap::new();
    for board in boards {
        let instrument = board.provenance.instrument;
        if !has_rates(board) {
            continue;
        }
        let corpora: Vec<&str> = board.provenance.corpora.iter().map(|c| c.id.as_str()).collect();
        for aggregate in board.aggregates.iter().filter(|a| is_rate(&a.spec.method)) {
            let key = format!("{instrument} {} {}", corpora.join("+"), aggregate.spec.title());
            found.insert(key, Rate { value: aggregate.outcome.value.decimal(), board: &board.id });
        }
    }
    found
}

/// Of these, more is better.
fn is_rate(method: &Method) -> bool {
    matches!(
        method,
        Method::Share { .. } | Method::Precision { .. } | Method::Recall { .. } | Method::F1 { .. }
    )
}

/// The interval of a change, for print.
pub fn bounds(change: &Change) -> Bounds {
    match &change.paired {
        Some(paired) => paired.interval.clone(),
        None => Bounds::None("no pairs".to_owned()),
    }
}
