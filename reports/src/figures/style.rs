//! Shapes, dashes and colours: the first two identify a series; colour only helps.

use plotters::prelude::*;

/// Okabe and Ito's palette without its yellow, which vanishes on white.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];

/// Everything that is not a series: axes and words.
pub(super) const INK: RGBColor = RGBColor(0, 0, 0);
/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(200, 200, 200);

/// Colour of a style.
pub(super) fn colour(style: usize) -> RGBColor {
    COLOURS[style % COLOURS.len()]
}

/// Lengths of dash and gap in pixels; none for a whole line.
pub(super) fn dash(style: usize) -> Option<(i32, i32)> {
    [None, Some((8, 4)), Some((2, 3)), Some((12, 4)), Some((5, 8)), Some((3, 1))]
        [style % COLOURS.len()]
}

/// The corners of a shape of this radius around the origin; none for a circle.
fn corners(style: usize, r: i32) -> Option<Vec<(i32, i32)>> {
    match style % COLOURS.len() {
        0 => None,
        1 => Some(vec![(-r, -r), (r, -r), (r, r), (-r, r)]),
        2 => Some(vec![(0, -r - 1), (r + 1, r), (-r - 1, r)]),
        3 => Some(vec![(0, -r - 2), (r + 2, 0), (0, r + 2), (-r - 2, 0)]),
        4 => Some(vec![(0, r + 1), (r + 1, -r), (-r - 1, -r)]),
        _ => {
            let (a, b) = (r + 1, r / 3);
            Some(vec![
                (-b, -a),
                (b, -a),
                (b, -b),
                (a, -b),
                (a, b),
                (b, b),
                (b, a),
                (-b, a),
                (-b, b),
                (-a, b),
                (-a, -b),
                (-b, -b),
            ])
        }
    }
}

/// Draws a marker at a pixel, filled or hollow.
pub(super) fn marker<DB: DrawingBackend>(
    area: &DrawingArea<DB, plotters::coord::Shift>,
    at: (i32, i32),
    style: usize,
    filled: bool,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    const RADIUS: i32 = 5;
    let colour = colour(style);
    // A hollow shape is white inside, so that lines end at it.
    let inside = if filled { colour.filled() } else { WHITE.filled() };
    match corners(style, RADIUS) {
        None => {
            area.draw(&Circle::new(at, RADIUS, inside))?;
            area.draw(&Circle::new(at, RADIUS, colour.stroke_width(2)))
        }
        Some(corners) => {
            let mut points: Vec<(i32, i32)> =
                corners.iter().map(|(x, y)| (at.0 + x, at.1 + y)).collect();
            area.draw(&Polygon::new(points.clone(), inside))?;
            points.push(points[0]);
            points.push(points[1]);
            area.draw(&PathElement::new(points, colour.stroke_width(2)))
        }
    }
}

/// Draws a line between pixels, dashed as the style is.
pub(super) fn line<DB: DrawingBackend>(
    area: &DrawingArea<DB, plotters::coord::Shift>,
    from: (i32, i32),
    to: (i32, i32),
    style: usize,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let stroke = colour(style).stroke_width(2);
    let Some((on, off)) = dash(style) else {
        return area.draw(&PathElement::new(vec![from, to], stroke));
    };
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    if length < 1.0 {
        return Ok(());
    }
    let point = |along: f64| {
        let share = (along / length).min(1.0);
        #[expect(clippy::cast_possible_truncation, reason = "pixels of a drawing")]
        (
            (f64::from(from.0) + dx * share).round() as i32,
            (f64::from(from.1) + dy * share).round() as i32,
        )
    };
    let mut along = 0.0;
    while along < length {
        area.draw(&PathElement::new(vec![point(along), point(along + f64::from(on))], stroke))?;
        along += f64::from(on + off);
    }
    Ok(())
}
