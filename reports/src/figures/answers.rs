//! Figures of COMPREHEND.

use ground_truth::graders::RuleSet;
use scoreboards::measures::comprehend::{BLIND, NO_CONTEXT};

use super::model::{Axis, Figure, Panel, Point, Series};
use crate::cell::{Cells, ComprehendCell, conditions};
use crate::measure::{float, summarize_answers};

/// Ours has every answer graded twice; the figure by question shows the strict rules.
const LENIENT: RuleSet = RuleSet::Paper1;

/// Accuracy by condition, a panel for each set of questions and rules.
pub(super) fn by_condition(cells: &Cells) -> Figure {
    let mut figure = Figure {
        id: "accuracy-by-condition",
        title: "COMPREHEND: accuracy by what the reader is shown",
        panels: Vec::new(),
        notes: vec![
            "Bars: 95% intervals over transcripts; of published cells as stated (they belong to means \
             over transcripts, not to the accuracies drawn), of ours BCa bootstrap. No bar: scores \
             per transcript were not released, or do not vary. Filled: published, hollow: ours."
                .to_owned(),
        ],
        tables: &["1a-comprehend", "1b-comprehend-pairs"],
    };
    for group in groups(cells) {
        let series = readers(&group)
            .iter()
            .enumerate()
            .map(|(style, (reader, grader))| condition_series(&group, reader, grader, style))
            .filter(|series| !series.points.is_empty())
            .collect::<Vec<_>>();
        if series.is_empty() {
            continue;
        }
        let names = conditions(group.iter().copied()).into_iter().map(str::to_owned).collect();
        figure.panels.push(Panel {
            title: title(group[0]),
            x: Axis::Names(names),
            y: Axis::share("accuracy (mean score)"),
            series,
            front: Vec::new(),
        });
    }
    figure
}

/// Cells of the same questions under the same rules.
fn groups(cells: &Cells) -> Vec<Vec<&ComprehendCell>> {
    let mut groups: Vec<Vec<&ComprehendCell>> = Vec::new();
    let alike = |a: &ComprehendCell, b: &ComprehendCell| title(a) == title(b);
    for cell in &cells.answers {
        match groups.iter_mut().find(|group| alike(group[0], cell)) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    groups
}

fn title(cell: &ComprehendCell) -> String {
    let ComprehendCell { source, corpus, pack, .. } = cell;
    format!("{source}: {corpus}, {pack}")
}

/// Readers and their grading rules, one series for each pair.
fn readers(group: &[&ComprehendCell]) -> Vec<(String, String)> {
    let mut readers: Vec<(String, String)> = Vec::new();
    for cell in group {
        let pair = (cell.reader.clone(), cell.grader.clone());
        if !readers.contains(&pair) {
            readers.push(pair);
        }
    }
    readers
}

/// The blind reader is shown nothing: its score is the floor under every condition.
fn condition_series(group: &[&ComprehendCell], reader: &str, grader: &str, style: usize) -> Series {
    let mut points = Vec::new();
    let (mut questions, mut transcripts) = (0, 0);
    for (at, condition) in (0_u32..).zip(conditions(group.iter().copied())) {
        let found = group.iter().find(|cell| {
            cell.reader == reader
                && cell.grader == grader
                && (cell.condition == condition || cell.condition == NO_CONTEXT)
        });
        let Some(cell) = found else { continue };
        let summary = summarize_answers(cell);
        let Some(accuracy) = summary.accuracy else { continue };
        questions = questions.max(summary.n);
        transcripts = transcripts.max(summary.clusters);
        points.push(Point {
            x: f64::from(at) + dodge(style),
            y: float(accuracy),
            interval: summary.interval.ends().map(|(lo, hi)| (float(lo), float(hi))),
            mark: None,
        });
    }
    let source = group[0].source;
    let floor = if reader == BLIND { " (shown nothing)" } else { "" };
    Series {
        name: format!(
            "{reader}{floor}, {grader} rules, n = {questions} questions of {transcripts} transcripts"
        ),
        source,
        style,
        joined: true,
        points,
    }
}

/// Beside one another, so that no bar covers another.
#[expect(clippy::cast_precision_loss, reason = "a panel has few series")]
fn dodge(style: usize) -> f64 {
    (style as f64 - 1.0) * 0.09
}

/// Beside one another within the room of a name, however many there are.
#[expect(clippy::cast_precision_loss, reason = "a panel has few series")]
fn spread(at: usize, all: usize) -> f64 {
    let steps = all.saturating_sub(1).max(1) as f64;
    (at as f64 / steps - 0.5) * 0.63
}

/// Accuracy by type of question, a panel for each reader but the blind one.
pub(super) fn by_question(cells: &Cells) -> Figure {
    let mut figure = Figure {
        id: "accuracy-by-question",
        title: "COMPREHEND: accuracy by type of question",
        panels: Vec::new(),
        notes: vec![
            "Points: mean score over the questions of a type. No intervals: types have few questions \
             each (n beside the name). Ours by the strict rules; the lenient ones, and the pilot, are in \
             the table. Filled: published, hollow: ours."
                .to_owned(),
        ],
        tables: &["6-questions", "7-losses"],
    };
    for group in groups(cells) {
        for (reader, grader) in readers(&group) {
            if reader == BLIND || grader == LENIENT.name() || group[0].corpus == "pilot" {
                continue;
            }
            figure.panels.extend(question_panel(&group, &reader, &grader));
        }
    }
    figure
}

fn question_panel(group: &[&ComprehendCell], reader: &str, grader: &str) -> Option<Panel> {
    let of_it = |c: &&&ComprehendCell| c.reader == reader && c.grader == grader;
    let shown: Vec<&&ComprehendCell> = group.iter().filter(of_it).collect();
    let first = shown.first()?;
    let types: Vec<&String> = first.questions.keys().collect();
    let all = conditions(shown.iter().map(|cell| **cell));
    let series = all
        .iter()
        .enumerate()
        .filter_map(|(style, condition)| {
            let cell = shown.iter().find(|cell| cell.condition == *condition)?;
            let points = (0_u32..)
                .zip(&types)
                .filter_map(|(at, name)| {
                    let mean = cell.questions.get(*name)?.mean()?;
                    Some(Point::at(float(mean), f64::from(at) + spread(style, all.len())))
                })
                .collect();
            Some(Series {
                name: format!("{condition}, n = {} questions", cell.n()),
                source: cell.source,
                style,
                joined: false,
                points,
            })
        })
        .collect();
    let names = types
        .iter()
        .map(|name| format!("{name} ({})", first.questions.get(*name).map_or(0, |q| q.n)))
        .collect();
    Some(Panel {
        title: format!("{}, {reader}, {grader} rules", title(first)),
        x: Axis::share("accuracy (mean score)"),
        y: Axis::Names(names),
        series,
        front: Vec::new(),
    })
}
