//! One panel: axes, series, marks, legend.

use plotters::coord::ranged1d::Ranged as _;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::letters::{Area, Drawn, LINE, letters, text_width, words, wrapped};
use crate::cell::Source;
use crate::figures::axis::Scale;
use crate::figures::model::{Axis, Panel, Point, Series};
use crate::figures::style::{GRID, INK, colour, line, marker};

/// Below a chart: ticks and label.
pub(super) const BELOW: i32 = 44;
/// Of that, what the axis takes.
const AXIS: i32 = 36;
/// Above a chart: the panel's title.
const ABOVE: i32 = 24;
/// Room to the right of a chart.
const RIGHT: i32 = 24;

/// A line of a legend.
pub(super) struct LegendItem {
    /// The series; none for the front or a mark's meaning.
    series: Option<(usize, bool, bool)>,
    /// What it says.
    pub(super) text: String,
}

/// The lines of a panel's legend.
pub(super) fn legend(panel: &Panel) -> Vec<LegendItem> {
    let mut items: Vec<LegendItem> = panel
        .series
        .iter()
        .map(|series| LegendItem {
            series: Some((series.style, series.source == Source::Published, series.joined)),
            text: series.name.clone(),
        })
        .collect();
    if !panel.front.is_empty() {
        let text = "step line: Pareto front (nothing is both cheaper and more often right)";
        items.push(LegendItem { series: None, text: text.to_owned() });
    }
    items
}

/// The chart's box in pixels of the panel, and how values become pixels in it.
struct Frame<'a> {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
    panel: &'a Panel,
    across: Scale,
    up: Scale,
}

impl Frame<'_> {
    fn x(&self, value: f64) -> i32 {
        self.across.map(&self.panel.x.place(value), (self.left, self.right))
    }

    fn y(&self, value: f64) -> i32 {
        self.up.map(&self.panel.y.place(value), (self.bottom, self.top))
    }

    fn at(&self, point: &Point) -> (i32, i32) {
        (self.x(point.x), self.y(point.y))
    }
}

pub(super) fn draw(area: &Area<'_>, panel: &Panel, width: i32, height: i32) -> Drawn {
    words(area, &panel.title, (4, 0), 13, HPos::Left)?;
    let left = match &panel.y {
        Axis::Names(names) => names.iter().map(|name| text_width(name, 12)).max().unwrap_or(0) + 16,
        _ => 62,
    };
    let frame = axes(area, panel, left, (width - RIGHT, ABOVE + height))?;
    front(area, &frame)?;
    for series in &panel.series {
        bars(area, &frame, series)?;
    }
    for series in &panel.series {
        joins(area, &frame, series)?;
    }
    for series in &panel.series {
        for point in &series.points {
            marker(area, frame.at(point), series.style, series.source == Source::Published)?;
        }
    }
    marks(area, &frame)?;
    draw_legend(area, panel, width, frame.bottom + 42)
}

/// Axes, grid, ticks and labels, up to the right and bottom ends of the chart.
fn axes<'p>(
    area: &Area<'_>,
    panel: &'p Panel,
    left: i32,
    (right, bottom): (i32, i32),
) -> Result<Frame<'p>, DrawingAreaErrorKind<std::io::Error>> {
    let size = (right.unsigned_abs(), (bottom - ABOVE + AXIS).unsigned_abs());
    let with_labels = area.clone().shrink((0, ABOVE), size);
    let (across, up) = (panel.x.scale(), panel.y.upright_scale());
    let mut chart = ChartBuilder::on(&with_labels)
        .x_label_area_size(AXIS)
        .y_label_area_size(left)
        .build_cartesian_2d(across.clone(), up.clone())?;
    let style = || letters(12, Pos::new(HPos::Center, VPos::Center));
    chart
        .configure_mesh()
        .axis_style(INK.stroke_width(1))
        .bold_line_style(GRID.stroke_width(1))
        .max_light_lines(0)
        .set_all_tick_mark_size(4)
        .label_style(style())
        .axis_desc_style(style())
        .x_label_formatter(&|placed| panel.x.tick(*placed))
        .y_label_formatter(&|placed| panel.y.tick(*placed))
        .x_desc(panel.x.label())
        .y_desc(panel.y.label())
        .draw()?;
    let ((x, y), (base_x, base_y)) =
        (chart.plotting_area().get_pixel_range(), area.get_base_pixel());
    let (left, right) = (x.start - base_x, x.end - base_x);
    let (top, bottom) = (y.start - base_y, y.end - base_y);
    Ok(Frame { left, top, right, bottom, panel, across, up })
}

/// Intervals, along the axis that holds numbers.
fn bars(area: &Area<'_>, frame: &Frame<'_>, series: &Series) -> Drawn {
    let stroke = colour(series.style).stroke_width(1);
    let across = matches!(frame.panel.y, Axis::Names(_));
    for point in &series.points {
        let Some((lo, hi)) = point.interval else { continue };
        let (x, y) = frame.at(point);
        let ends = if across {
            [(frame.x(lo), y), (frame.x(hi), y)]
        } else {
            [(x, frame.y(lo)), (x, frame.y(hi))]
        };
        area.draw(&PathElement::new(ends.to_vec(), stroke))?;
        for (x, y) in ends {
            let cap =
                if across { vec![(x, y - 4), (x, y + 4)] } else { vec![(x - 4, y), (x + 4, y)] };
            area.draw(&PathElement::new(cap, stroke))?;
        }
    }
    Ok(())
}

fn joins(area: &Area<'_>, frame: &Frame<'_>, series: &Series) -> Drawn {
    if series.joined {
        for pair in series.points.windows(2) {
            line(area, frame.at(&pair[0]), frame.at(&pair[1]), series.style)?;
        }
    }
    Ok(())
}

/// From each point of the front across to the next one's cost, then up.
fn front(area: &Area<'_>, frame: &Frame<'_>) -> Drawn {
    let stroke = INK.stroke_width(1);
    for pair in frame.panel.front.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let corner = (frame.x(b.0), frame.y(a.1));
        let path = vec![(frame.x(a.0), frame.y(a.1)), corner, (frame.x(b.0), frame.y(b.1))];
        area.draw(&PathElement::new(path, stroke))?;
    }
    if let Some(&(x, y)) = frame.panel.front.last() {
        area.draw(&PathElement::new(
            vec![(frame.x(x), frame.y(y)), (frame.right, frame.y(y))],
            stroke,
        ))?;
    }
    Ok(())
}

/// Left, top, right, bottom.
type Rect = (i32, i32, i32, i32);

/// Marks beside their points, where they cover neither a point nor another mark.
fn marks(area: &Area<'_>, frame: &Frame<'_>) -> Drawn {
    let points = || frame.panel.series.iter().flat_map(|series| &series.points);
    let mut taken: Vec<Rect> =
        points().map(|point| frame.at(point)).map(|(x, y)| (x - 7, y - 7, x + 7, y + 7)).collect();
    for point in points() {
        let Some(mark) = &point.mark else { continue };
        let place = free_place(frame, frame.at(point), text_width(mark, 12), &taken);
        taken.push(place);
        words(area, mark, (place.0 + 1, place.1), 12, HPos::Left)?;
    }
    Ok(())
}

/// The nearest free box of this width around a point; the last candidate if none is free.
fn free_place(frame: &Frame<'_>, (x, y): (i32, i32), width: i32, taken: &[Rect]) -> Rect {
    const HEIGHT: i32 = 14;
    let w = width + 2;
    let mut last = (x + 8, y - 7, x + 8 + w, y + 7);
    for ring in 0..6 {
        let d = 9 + ring * 10;
        for (dx, dy) in [
            (-w / 2, d),
            (-w / 2, -d - HEIGHT),
            (d, -7),
            (-d - w, -7),
            (d, d),
            (-d - w, d),
            (d, -d - HEIGHT),
            (-d - w, -d - HEIGHT),
        ] {
            let rect = (x + dx, y + dy, x + dx + w, y + dy + HEIGHT);
            let inside = rect.0 > frame.left
                && rect.2 < frame.right + 20
                && rect.1 > frame.top - 20
                && rect.3 < frame.bottom;
            let free = taken.iter().all(|other| {
                rect.2 <= other.0 || other.2 <= rect.0 || rect.3 <= other.1 || other.3 <= rect.1
            });
            if inside && free {
                return rect;
            }
            last = rect;
        }
    }
    last
}

fn draw_legend(area: &Area<'_>, panel: &Panel, width: i32, top: i32) -> Drawn {
    let mut y = top;
    for item in legend(panel) {
        if let Some((style, filled, joined)) = item.series {
            if joined {
                line(area, (8, y + 7), (42, y + 7), style)?;
            }
            marker(area, (25, y + 7), style, filled)?;
        }
        for text in wrapped(&item.text, width - 60) {
            words(area, &text, (50, y), 12, HPos::Left)?;
            y += LINE;
        }
    }
    Ok(())
}
