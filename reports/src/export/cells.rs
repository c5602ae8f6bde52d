//! The frame of cells: one line a cell of either instrument.

use polars::prelude::DataFrame;
use rust_decimal::Decimal;

use super::{ExportError, counts, floats, frame, texts};
use crate::cell::{Cells, ComprehendCell, ContinueCell};
use crate::measure::{Bounds, CostPer, float, summarize_answers, summarize_cell};

#[derive(Default)]
struct Line {
    text: [Option<String>; 14],
    count: [Option<u64>; 4],
    exact: [Option<Decimal>; 3],
    float: [Option<f64>; 4],
}

const TEXTS: [&str; 14] = [
    "source",
    "instrument",
    "cell",
    "arm",
    "family",
    "model",
    "corpus",
    "condition",
    "pack",
    "grader",
    "renderer",
    "protocol",
    "interval_method",
    "provenance",
];
const COUNTS: [&str; 4] = ["horizon", "n", "missing", "clusters"];
/// Kept as text, with a float of the same name and `_float` beside.
const EXACT: [&str; 3] = ["value", "dollars", "dollars_per_success"];
const FLOATS: [&str; 4] =
    ["interval_lo", "interval_hi", "dollars_per_success_lo", "dollars_per_success_hi"];

/// All cells.
pub fn cells(cells: &Cells) -> Result<DataFrame, ExportError> {
    let runs = cells.runs.iter().map(run_line);
    let lines: Vec<Line> = runs.chain(cells.answers.iter().map(answer_line)).collect();
    let mut columns = Vec::new();
    for (at, name) in TEXTS.iter().enumerate() {
        columns.push(texts(name, lines.iter().map(|line| line.text[at].clone()).collect()));
    }
    for (at, name) in COUNTS.iter().enumerate() {
        columns.push(counts(name, lines.iter().map(|line| line.count[at]).collect()));
    }
    for (at, name) in EXACT.iter().enumerate() {
        let exact = |line: &Line| line.exact[at].map(|d| d.normalize().to_string());
        columns.push(texts(name, lines.iter().map(exact).collect()));
        let name = format!("{name}_float");
        columns.push(floats(&name, lines.iter().map(|line| line.exact[at].map(float)).collect()));
    }
    for (at, name) in FLOATS.iter().enumerate() {
        columns.push(floats(name, lines.iter().map(|line| line.float[at]).collect()));
    }
    frame("cells", columns)
}

fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn ends(bounds: &Bounds) -> [Option<f64>; 2] {
    match bounds.ends() {
        Some((lo, hi)) => [Some(float(lo)), Some(float(hi))],
        None => [None, None],
    }
}

fn run_line(cell: &ContinueCell) -> Line {
    let summary = summarize_cell(cell);
    let identity = &cell.identity;
    let [lo, hi] = ends(&summary.interval);
    let [cost_lo, cost_hi] = ends(&summary.cost_per_success_interval);
    let per_success = match summary.cost_per_success {
        CostPer::Dollars(dollars) => Some(dollars),
        CostPer::Undefined | CostPer::NotReleased => None,
    };
    Line {
        text: [
            text(identity.source.name()),
            text("continue"),
            text(&cell.id),
            text(&identity.arm),
            text(&identity.family),
            text(&identity.model),
            None,
            None,
            None,
            text(&identity.grader),
            text(&identity.renderer),
            serde_json::to_string(&identity.protocol).ok(),
            text(summary.interval.kind()),
            text(&cell.provenance),
        ],
        count: [
            identity.horizon.map(u64::from),
            Some(summary.n),
            Some(summary.missing),
            Some(summary.clusters),
        ],
        exact: [summary.rate, summary.dollars, per_success],
        float: [lo, hi, cost_lo, cost_hi],
    }
}

fn answer_line(cell: &ComprehendCell) -> Line {
    let summary = summarize_answers(cell);
    let [lo, hi] = ends(&summary.interval);
    Line {
        text: [
            text(cell.source.name()),
            text("comprehend"),
            text(&cell.title()),
            None,
            None,
            text(&cell.reader),
            text(&cell.corpus),
            text(&cell.condition),
            text(&cell.pack),
            text(&cell.grader),
            text(&cell.renderer),
            None,
            text(summary.interval.kind()),
            text(&cell.provenance),
        ],
        count: [None, Some(summary.n), Some(summary.missing), Some(summary.clusters)],
        exact: [summary.accuracy, cell.dollars, None],
        float: [lo, hi, None, None],
    }
}
