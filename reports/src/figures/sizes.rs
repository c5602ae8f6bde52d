//! Accuracy of COMPREHEND against the tokens that a reader is shown: all conditions of a corpus on one plot.

use ground_truth::graders::RuleSet;
use scoreboards::measures::comprehend::{BLIND, ConditionLabel};

use super::model::{Axis, Figure, Panel, Point, Series};
use super::runs::front;
use crate::cell::{Cells, ComprehendCell, Source};
use crate::measure::{float, summarize_answers};

/// The pack with the paper's question types.
const PAPERS: &str = "monitoring/1";

/// A panel for each corpus and pack; on those about the paper's questions its points too.
pub(super) fn by_tokens(cells: &Cells) -> Figure {
    let mut figure = Figure {
        id: "accuracy-by-tokens",
        title: "COMPREHEND: accuracy against the length of what the reader is shown",
        panels: Vec::new(),
        notes: vec![
            "Numbers name points in the legend; the step line is what nothing shorter beats. view@N: view/2 \
             within N characters; flatlog@N, raw@N: their last N characters. Tokens of a transcript: of \
             published cells as billed, of ours estimates, characters / 4. Published points are of the paper's \
             own transcripts and rules, for comparison of shapes. Bars: 95% intervals over transcripts, as in \
             the table. Filled: published, hollow: ours, by the strict rules."
                .to_owned(),
        ],
        tables: &["1c-comprehend-sizes"],
    };
    let published: Vec<&ComprehendCell> = of(cells, Source::Published);
    let ours = of(cells, Source::Ours);
    let mut groups: Vec<Vec<&ComprehendCell>> = Vec::new();
    for cell in ours {
        let alike = |group: &&mut Vec<&ComprehendCell>| group[0].is_comparable(cell);
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    if groups.is_empty() && !published.is_empty() {
        figure.panels.push(panel("published: the paper's six questions".to_owned(), &published));
    }
    for mut group in groups {
        let ComprehendCell { source, corpus, pack, grader, .. } = group[0];
        let title = format!("{source}: {corpus}, {pack}, {grader} rules");
        if pack == PAPERS {
            group.extend(&published);
        }
        figure.panels.push(panel(title, &group));
    }
    figure
}

/// The cells of a source that have a length, in the order of conditions.
fn of(cells: &Cells, source: Source) -> Vec<&ComprehendCell> {
    let is_shown = |cell: &&ComprehendCell| {
        cell.source == source
            && cell.reader != BLIND
            && cell.grader != RuleSet::Paper1.name()
            && cell.mean_tokens().is_some_and(|tokens| !tokens.is_zero())
    };
    let mut found: Vec<&ComprehendCell> = cells.answers.iter().filter(is_shown).collect();
    found.sort_by_key(|cell| ConditionLabel::place(&cell.condition));
    found
}

fn panel(title: String, cells: &[&ComprehendCell]) -> Panel {
    let (mut series, mut all) = (Vec::new(), Vec::new());
    for cell in cells {
        let summary = summarize_answers(cell);
        let (Some(tokens), Some(accuracy)) = (cell.mean_tokens(), summary.accuracy) else {
            continue;
        };
        let (x, y) = (float(tokens), float(accuracy));
        let number = series.len() + 1;
        if cell.source == Source::Ours {
            all.push((x, y));
        }
        series.push(Series {
            name: format!(
                "{number} {}, {}{}: {} tokens, {:.3} (n = {})",
                cell.condition,
                cell.reader,
                if cell.source == Source::Published {
                    format!(", published: {}", cell.corpus)
                } else {
                    String::new()
                },
                tokens.round_dp(0),
                accuracy.round_dp(3),
                summary.n
            ),
            source: cell.source,
            style: style_of(&cell.condition),
            joined: false,
            points: vec![Point {
                x,
                y,
                interval: summary.interval.ends().map(|(lo, hi)| (float(lo), float(hi))),
                mark: Some(number.to_string()),
            }],
        });
    }
    let tokens: Vec<f64> = series.iter().flat_map(|it| it.points.iter().map(|at| at.x)).collect();
    Panel {
        title,
        x: Axis::log(
            "mean tokens of what is shown of a transcript (logarithmic)",
            tokens.into_iter(),
        ),
        y: Axis::share("accuracy (mean score)"),
        series,
        front: front(&all),
    }
}

/// One shape a family of conditions; what this version does not know shares the last.
fn style_of(condition: &str) -> usize {
    condition.parse().map_or(5, |label: ConditionLabel| label.family() as usize)
}
