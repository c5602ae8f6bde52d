//! The frame of rows: one line a measured value.

use std::collections::BTreeMap;

use polars::prelude::DataFrame;
use rust_decimal::Decimal;
use scoreboards::{Measure, Scoreboard};

use super::{ExportError, floats, frame, texts};
use crate::cell::{Cells, ContinueCell, Ended, Source};
use crate::measure::float;

/// One value of one row.
#[derive(Default)]
struct Lines {
    source: Vec<Option<String>>,
    instrument: Vec<Option<String>>,
    provenance: Vec<Option<String>>,
    cell: Vec<Option<String>>,
    row: Vec<Option<String>>,
    labels: Vec<Option<String>>,
    renderer: Vec<Option<String>>,
    measure: Vec<Option<String>>,
    kind: Vec<Option<String>>,
    value: Vec<Option<String>>,
    number: Vec<Option<f64>>,
}

/// Where a value belongs.
struct Place<'a> {
    source: Source,
    instrument: &'a str,
    provenance: &'a str,
    cell: Option<&'a str>,
    row: &'a str,
    labels: &'a BTreeMap<String, String>,
    renderer: Option<&'a str>,
}

impl Lines {
    fn push(&mut self, place: &Place<'_>, measure: &str, value: &Measure) {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        self.source.push(text(place.source.name()));
        self.instrument.push(text(place.instrument));
        self.provenance.push(text(place.provenance));
        self.cell.push(place.cell.and_then(text));
        self.row.push(text(place.row));
        // A map of texts is always valid JSON.
        self.labels.push(serde_json::to_string(place.labels).ok());
        self.renderer.push(place.renderer.and_then(text));
        self.measure.push(text(measure));
        self.kind.push(text(value.kind()));
        self.value.push(exact(value));
        self.number.push(value.number().map(float));
    }

    fn into_frame(self) -> Result<DataFrame, ExportError> {
        frame(
            "rows",
            vec![
                texts("source", self.source),
                texts("instrument", self.instrument),
                texts("provenance", self.provenance),
                texts("cell", self.cell),
                texts("row", self.row),
                texts("labels", self.labels),
                texts("renderer", self.renderer),
                texts("measure", self.measure),
                texts("kind", self.kind),
                texts("value", self.value),
                floats("number", self.number),
            ],
        )
    }
}

/// The value in full; of a missing one, why. A text is quoted as JSON, so that an empty one is not
/// null and a line break breaks no line.
fn exact(value: &Measure) -> Option<String> {
    match value {
        Measure::Flag(yes) => Some(yes.to_string()),
        Measure::Count(n) | Measure::Tokens(n) => Some(n.to_string()),
        Measure::Score(d) | Measure::Dollars(d) => Some(d.to_string()),
        Measure::Text(text) => serde_json::to_string(text).ok(),
        Measure::Missing { reason } => serde_json::to_string(reason).ok(),
    }
}

/// All values: published runs and accuracies, and every measure of every row of our scoreboards.
pub fn rows(published: &Cells, boards: &[Scoreboard]) -> Result<DataFrame, ExportError> {
    let mut lines = Lines::default();
    for cell in &published.runs {
        published_runs(cell, &mut lines);
    }
    published_answers(published, &mut lines);
    for board in boards {
        let header = &board.provenance;
        for row in &board.rows {
            let place = Place {
                source: Source::Ours,
                instrument: header.instrument.name(),
                provenance: board.short_id(),
                cell: None,
                row: &row.id,
                labels: &row.labels,
                renderer: row.renderer.as_deref(),
            };
            for (measure, value) in &row.measures {
                lines.push(&place, measure, value);
            }
        }
    }
    lines.into_frame()
}

fn published_runs(cell: &ContinueCell, lines: &mut Lines) {
    for run in &cell.runs {
        let mut labels: BTreeMap<String, String> = cell.identity.axes().into_iter().collect();
        labels.insert("seed".to_owned(), run.seed.clone());
        let row = format!("{}/{}", cell.id, run.seed);
        let place = Place {
            source: Source::Published,
            instrument: "continue",
            provenance: &cell.provenance,
            cell: Some(&cell.id),
            row: &row,
            labels: &labels,
            renderer: Some(&cell.identity.renderer),
        };
        let success = match &run.ended {
            Ended::Success => Measure::Flag(true),
            Ended::Failure => Measure::Flag(false),
            Ended::Missing(reason) => Measure::Missing { reason: reason.clone() },
        };
        lines.push(&place, "success", &success);
        let exact = |value: Option<Decimal>, make: fn(Decimal) -> Measure| value.map(make);
        let tokens = &run.tokens;
        let measures = [
            ("score", exact(run.score, Measure::Score)),
            ("dollars", exact(run.dollars, Measure::Dollars)),
            ("helper_dollars", exact(run.helper_dollars, Measure::Dollars)),
            ("steps", run.steps.map(Measure::Count)),
            ("refusals", run.refusals.map(Measure::Count)),
            ("input_tokens", tokens.input.map(Measure::Tokens)),
            ("output_tokens", tokens.output.map(Measure::Tokens)),
            ("cache_read_tokens", tokens.cache_read.map(Measure::Tokens)),
            ("cache_write_tokens", tokens.cache_write.map(Measure::Tokens)),
        ];
        for (name, measure) in measures {
            if let Some(measure) = measure {
                lines.push(&place, name, &measure);
            }
        }
    }
}

/// Accuracies by type of question: the finest that was released.
fn published_answers(published: &Cells, lines: &mut Lines) {
    for cell in &published.answers {
        let title = cell.title();
        for (name, question) in &cell.questions {
            let labels = [
                ("corpus", cell.corpus.as_str()),
                ("reader", &cell.reader),
                ("condition", &cell.condition),
                ("question", name),
            ];
            let labels = labels.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
            let row = format!("{title} / {name}");
            let place = Place {
                source: Source::Published,
                instrument: "comprehend",
                provenance: &cell.provenance,
                cell: Some(&title),
                row: &row,
                labels: &labels,
                renderer: None,
            };
            lines.push(&place, "questions", &Measure::Count(question.n));
            if let Some(mean) = question.mean() {
                lines.push(&place, "accuracy", &Measure::Score(mean.normalize()));
            }
        }
    }
}
