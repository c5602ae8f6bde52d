//! Draws a figure as SVG: a grid of panels, each with its legend below, and notes at the end.

mod letters;
mod panel;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::error::FigureError;
use super::model::{Axis, Figure, Panel};
use letters::{Area, Drawn, LINE, words, wrapped};

/// Width of every figure in pixels.
const WIDTH: i32 = 1000;
/// Room around everything.
const EDGE: i32 = 12;
const TITLE: i32 = 30;
/// Height of a chart whose names, if any, are below it.
const CHART: i32 = 270;
/// Height of a name's line in a chart whose names are beside it, and what each series beyond the first adds to
/// it.
const ROW: i32 = 26;
const ROW_MORE: i32 = 6;

/// The figure as an SVG document.
pub fn svg(figure: &Figure) -> Result<String, FigureError> {
    let layout = Layout::of(figure);
    let mut out = String::new();
    {
        let size = (WIDTH.unsigned_abs(), layout.height.unsigned_abs());
        let root = SVGBackend::with_string(&mut out, size).into_drawing_area();
        draw(&root, figure, &layout)
            .and_then(|()| root.present())
            .map_err(|e| FigureError::Draw { id: figure.id.to_owned(), reason: e.to_string() })?;
    }
    Ok(out)
}

/// Where everything goes.
struct Layout {
    columns: usize,
    /// Height of each row of panels.
    rows: Vec<i32>,
    notes: Vec<String>,
    height: i32,
}

impl Layout {
    fn of(figure: &Figure) -> Self {
        let columns = figure.panels.len().clamp(1, 2);
        let rows: Vec<i32> = figure
            .panels
            .chunks(columns)
            .map(|row| row.iter().map(|panel| panel_height(panel, columns)).max().unwrap_or(0))
            .collect();
        let notes: Vec<String> =
            figure.notes.iter().flat_map(|note| wrapped(note, WIDTH - 2 * EDGE)).collect();
        let height = EDGE * 2 + TITLE + rows.iter().sum::<i32>() + lines(notes.len()) + EDGE;
        Self { columns, rows, notes, height }
    }

    fn panel_width(&self) -> i32 {
        panel_width(self.columns)
    }
}

fn panel_width(columns: usize) -> i32 {
    (WIDTH - 2 * EDGE) / i32::try_from(columns).unwrap_or(1)
}

/// Title, chart, ticks, legend.
fn panel_height(panel: &Panel, columns: usize) -> i32 {
    let legend: usize = panel::legend(panel)
        .iter()
        .map(|item| wrapped(&item.text, panel_width(columns) - 60).len())
        .sum();
    24 + chart_height(panel) + panel::BELOW + lines(legend) + EDGE
}

fn chart_height(panel: &Panel) -> i32 {
    match &panel.y {
        Axis::Names(names) => {
            let more = i32::try_from(panel.series.len()).unwrap_or(1).max(1) - 1;
            i32::try_from(names.len()).unwrap_or(1) * (ROW + more * ROW_MORE) + 10
        }
        _ => CHART,
    }
}

fn lines(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(0) * LINE
}

fn draw(root: &Area<'_>, figure: &Figure, layout: &Layout) -> Drawn {
    root.fill(&WHITE)?;
    words(root, figure.title, (EDGE, EDGE), 16, HPos::Left)?;
    let width = layout.panel_width();
    let mut top = EDGE + TITLE;
    for (row, height) in figure.panels.chunks(layout.columns).zip(&layout.rows) {
        for (at, panel) in row.iter().enumerate() {
            let left = EDGE + width * i32::try_from(at).unwrap_or(0);
            let area =
                root.clone().shrink((left, top), (width.unsigned_abs(), height.unsigned_abs()));
            panel::draw(&area, panel, width, chart_height(panel))?;
        }
        top += height;
    }
    for note in &layout.notes {
        words(root, note, (EDGE, top), 12, HPos::Left)?;
        top += LINE;
    }
    Ok(())
}
