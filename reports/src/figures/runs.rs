//! Figures of CONTINUE.

use super::model::{Axis, Figure, Panel, Point, Series};
use crate::cell::{Cells, ContinueCell, PARTS, Run, Source, of_parts};
use crate::measure::{CostPer, RunSummary, float, summarize};

const INTERVALS: &str = "Bars: 95% Clopper-Pearson over seeds (rates), 95% BCa bootstrap over seeds \
                         (dollars). Filled: published, hollow: ours. Ours by the \
                         mechanical worker: simulated tokens and dollars.";

/// Success and dollars by horizon, of the arms that ran at several.
pub(super) fn by_horizon(cells: &Cells) -> Figure {
    let mut figure = Figure {
        id: "success-and-cost-by-horizon",
        title: "CONTINUE: success and dollars by the length of the chain",
        panels: Vec::new(),
        notes: vec![
            INTERVALS.to_owned(),
            "Published: injected errors, the renderer before the coverage stamp; cells pooled across \
             what is known of their caching (30 and 60 links: v10 and v23; 120: v10 or v12, v23, v26)."
                .to_owned(),
        ],
        tables: &["2a-definitive", "5-inventory"],
    };
    let wholes = wholes(cells);
    let published: Vec<Ladder<'_>> = ["full", "curated"]
        .into_iter()
        .map(|arm| Ladder {
            arm: arm.to_owned(),
            steps: wholes
                .iter()
                .filter(|cell| cell.identity.arm == arm)
                .filter_map(|cell| Some((cell.identity.horizon?, cell.runs.iter().collect())))
                .collect(),
        })
        .collect();
    panels(Source::Published, &published, &mut figure);
    panels(Source::Ours, &our_ladders(cells), &mut figure);
    figure
}

/// An arm's runs by horizon.
struct Ladder<'a> {
    arm: String,
    steps: Vec<(u32, Vec<&'a Run>)>,
}

/// Published cells that are parts of one, as one. A whole whose parts are not alike is left out: the
/// tables over the same cells say why.
fn wholes(cells: &Cells) -> Vec<ContinueCell> {
    PARTS.iter().filter_map(|part| of_parts(cells, part).ok().flatten()).collect()
}

/// Arms of ours that ran on chains, by worker. Few enough to tell apart.
fn our_ladders(cells: &Cells) -> Vec<Ladder<'_>> {
    let arms = ["full", "curated", "scratchpad", "mask", "summary-capped", "retrieval"];
    arms.iter()
        .map(|arm| {
            let mut steps: Vec<(u32, Vec<&Run>)> = Vec::new();
            let of_arm = cells.runs.iter().filter(|cell| {
                cell.identity.source == Source::Ours
                    && cell.identity.family == "chain"
                    && cell.identity.arm == *arm
            });
            for cell in of_arm {
                let Some(horizon) = cell.identity.horizon else { continue };
                // Two workers or protocols are not one point: the first is drawn.
                if steps.iter().all(|(there, _)| *there != horizon) {
                    steps.push((horizon, cell.runs.iter().collect()));
                }
            }
            steps.sort_by_key(|(horizon, _)| *horizon);
            Ladder { arm: (*arm).to_owned(), steps }
        })
        .filter(|ladder| !ladder.steps.is_empty())
        .collect()
}

fn panels(source: Source, ladders: &[Ladder<'_>], figure: &mut Figure) {
    let horizons: std::collections::BTreeSet<u32> =
        ladders.iter().flat_map(|l| &l.steps).map(|(horizon, _)| *horizon).collect();
    if horizons.is_empty() {
        return;
    }
    let horizons: Vec<u32> = horizons.into_iter().collect();
    let rates = ladder_series(source, ladders, &horizons, |summary| {
        Some((float(summary.rate?), summary.interval.ends()))
    });
    let dollars = ladder_series(source, ladders, &horizons, |summary| {
        Some((float(summary.dollars?), summary.dollars_interval.ends()))
    });
    let names: Vec<String> = horizons.iter().map(|h| format!("{h} links")).collect();
    figure.panels.push(Panel {
        title: format!("{source}: success rate"),
        x: Axis::Names(names.clone()),
        y: Axis::share("share of runs that succeed"),
        series: rates,
        front: Vec::new(),
    });
    let highest = dollars
        .iter()
        .flat_map(|series| &series.points)
        .map(|point| point.interval.map_or(point.y, |(_, hi)| hi))
        .collect::<Vec<_>>();
    if highest.iter().any(|dollars| *dollars > 0.0) {
        figure.panels.push(Panel {
            title: format!("{source}: mean dollars a run"),
            x: Axis::Names(names),
            y: Axis::from_zero("US dollars a run", highest.into_iter()),
            series: dollars,
            front: Vec::new(),
        });
    }
}

type Value = (f64, Option<(rust_decimal::Decimal, rust_decimal::Decimal)>);

fn ladder_series(
    source: Source,
    ladders: &[Ladder<'_>],
    horizons: &[u32],
    value: impl Fn(&RunSummary) -> Option<Value>,
) -> Vec<Series> {
    let series = ladders.iter().enumerate().map(|(style, ladder)| {
        let mut counts = Vec::new();
        let mut points = Vec::new();
        for (at, horizon) in (0_u32..).zip(horizons) {
            let Some((_, runs)) = ladder.steps.iter().find(|(h, _)| h == horizon) else { continue };
            let summary = summarize(runs);
            let Some((y, ends)) = value(&summary) else { continue };
            counts.push(summary.n.to_string());
            #[expect(clippy::cast_precision_loss, reason = "a panel has few series")]
            let beside = (style as f64 - 0.5) * 0.06;
            let interval = ends.map(|(lo, hi)| (float(lo), float(hi)));
            points.push(Point { x: f64::from(at) + beside, y, interval, mark: None });
        }
        let name = format!("{}, n = {} runs", ladder.arm, counts.join(", "));
        Series { name, source, style, joined: true, points }
    });
    series.collect()
}

/// Cells of the parser ladder, in the order in which they were tried.
const PARSERS: [(&str, &str); 10] = [
    ("v14/full@60", "full context (no parser)"),
    ("v14/trace-det@60", "fixed patterns"),
    ("v14/trace-haiku@60", "small model"),
    ("v14/trace-sonnet@60", "larger model"),
    ("v15/trace-haiku@60", "small model, known keys"),
    ("v15/trace-sonnet@60", "larger model, known keys"),
    ("v16/trace-sonnet-bisect@60", "larger, bisection"),
    ("v17/trace-sonnet-cascade@60", "larger, fallback"),
    ("v18/trace-sonnet-cascade@60", "larger, verbatim check"),
    ("v37_tunedregex_prose_60", "tuned patterns"),
];

/// What reads facts out of prose: success and dollars.
pub(super) fn parsers(cells: &Cells) -> Figure {
    let found: Vec<(&str, RunSummary)> = PARSERS
        .iter()
        .filter_map(|(id, name)| {
            let runs: Vec<&Run> = cells.find(id)?.runs.iter().collect();
            Some((*name, summarize(&runs)))
        })
        .collect();
    let mut figure = Figure {
        id: "parser-ladder",
        title: "CONTINUE: what reads facts out of prose (60 links)",
        panels: Vec::new(),
        notes: vec![
            INTERVALS.to_owned(),
            "Dollars are the worker's; what the extractor cost beside them is in the table."
                .to_owned(),
        ],
        tables: &["5-inventory"],
    };
    if found.is_empty() {
        return figure;
    }
    let names: Vec<String> =
        found.iter().map(|(name, summary)| format!("{name} ({})", summary.n)).collect();
    let points = |value: &dyn Fn(&RunSummary) -> Option<Value>| -> Vec<Point> {
        (0_u32..)
            .zip(&found)
            .filter_map(|(at, (_, summary))| {
                let (x, ends) = value(summary)?;
                let interval = ends.map(|(lo, hi)| (float(lo), float(hi)));
                Some(Point { x, y: f64::from(at), interval, mark: None })
            })
            .collect()
    };
    let rates = points(&|s| Some((float(s.rate?), s.interval.ends())));
    let dollars = points(&|s| Some((float(s.dollars?), s.dollars_interval.ends())));
    let most: Vec<f64> = dollars.iter().map(|p| p.interval.map_or(p.x, |(_, hi)| hi)).collect();
    let series = |name: &str, points| {
        vec![Series {
            name: format!("{name}, n beside the name"),
            source: Source::Published,
            style: 0,
            joined: false,
            points,
        }]
    };
    figure.panels.push(Panel {
        title: "published: success rate".to_owned(),
        x: Axis::share("share of runs that succeed"),
        y: Axis::Names(names.clone()),
        series: series("share of runs", rates),
        front: Vec::new(),
    });
    figure.panels.push(Panel {
        title: "published: mean dollars a run".to_owned(),
        x: Axis::from_zero("US dollars a run", most.into_iter()),
        y: Axis::Names(names),
        series: series("mean dollars of a run", dollars),
        front: Vec::new(),
    });
    figure
}

/// Success against dollars over all arms at 120 links, with the Pareto front.
pub(super) fn cost_against_success(cells: &Cells) -> Figure {
    let mut figure = Figure {
        id: "cost-against-success",
        title: "CONTINUE: success against dollars at 120 links",
        panels: Vec::new(),
        notes: vec![
            "Numbers name cells in the legend. No intervals are drawn: they are in the table. Cells of \
             ten runs and more; arms differ in caching, and panels in injected errors. Filled: \
             published, hollow: ours. Ours by the mechanical worker: simulated tokens and dollars."
                .to_owned(),
        ],
        tables: &["2a-definitive", "3a-controls", "5-inventory"],
    };
    let wholes = wholes(cells);
    let parts: Vec<&str> = PARTS.iter().flat_map(|part| part.cells).copied().collect();
    let repeated = cells.repetitions();
    for source in [Source::Published, Source::Ours] {
        for errors in ["yes", "no", "unknown"] {
            let single = cells.runs.iter().filter(|cell| !parts.contains(&cell.id.as_str()));
            let found: Vec<(&ContinueCell, RunSummary)> = wholes
                .iter()
                .chain(single)
                .filter(|cell| {
                    cell.identity.source == source
                        && cell.identity.family == "chain"
                        && cell.identity.horizon == Some(120)
                        && cell.identity.setting("errors") == errors
                        && cell.runs.len() >= 10
                        && !repeated.contains_key(cell.id.as_str())
                })
                .map(|cell| (cell, summarize(&cell.runs.iter().collect::<Vec<_>>())))
                .filter(|(_, summary)| summary.dollars.is_some_and(|d| !d.is_zero()))
                .collect();
            if found.len() > 1 {
                figure.panels.push(pareto_panel(source, errors, &found));
            }
        }
    }
    figure
}

fn pareto_panel(source: Source, errors: &str, found: &[(&ContinueCell, RunSummary)]) -> Panel {
    let mut series = Vec::new();
    let mut all = Vec::new();
    for (at, (cell, summary)) in found.iter().enumerate() {
        let (Some(rate), Some(dollars)) = (summary.rate, summary.dollars) else { continue };
        let (x, y) = (float(dollars), float(rate));
        all.push((x, y));
        let per = match &summary.cost_per_success {
            CostPer::Dollars(d) => format!("${:.2} a success", float(*d)),
            CostPer::Undefined => "no success".to_owned(),
            CostPer::NotReleased => "cost not released".to_owned(),
        };
        series.push(Series {
            name: format!(
                "{} {} ({}): {}/{}, {per}",
                at + 1,
                cell.identity.arm,
                cell.id,
                summary.k,
                summary.n
            ),
            source,
            style: style_of(&cell.identity.arm),
            joined: false,
            points: vec![Point { x, y, interval: None, mark: Some((at + 1).to_string()) }],
        });
    }
    let errors = match errors {
        "yes" => "injected errors",
        "no" => "no injected errors",
        _ => "errors not stated",
    };
    Panel {
        title: format!("{source}: {errors}"),
        x: Axis::log(
            "mean US dollars a run (logarithmic)",
            all.clone().into_iter().map(|(x, _)| x),
        ),
        y: Axis::share("share of runs that succeed"),
        series,
        front: front(&all),
    }
}

/// Kinds of arm that share a shape: whole history, folded, noted, summed, found, other.
fn style_of(arm: &str) -> usize {
    let kinds = [
        &["full", "mask"][..],
        &["curated", "view"],
        &["scratchpad"],
        &["tally", "calculator"],
        &["summary"],
    ];
    let specific = |kind: &[&str]| kind.iter().any(|part| arm.contains(part));
    // A masked scratchpad is a scratchpad first.
    if specific(kinds[2]) {
        return 2;
    }
    (0..kinds.len()).find(|&at| specific(kinds[at])).unwrap_or(5)
}

/// The points that no other is both cheaper and at least as often right than.
pub(super) fn front(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut best = f64::NEG_INFINITY;
    sorted.retain(|(_, y)| {
        let better = *y > best;
        best = best.max(*y);
        better
    });
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_holds_what_nothing_beats() {
        let points = [(1.0, 0.5), (2.0, 0.4), (3.0, 1.0), (4.0, 1.0), (0.5, 0.1)];
        assert_eq!(front(&points), [(0.5, 0.1), (1.0, 0.5), (3.0, 1.0)]);
    }
}
