//! Figures over cells, as SVG and PNG.
//!
//! What a figure shows is data ([`Figure`]), made from cells; how it is drawn is decided once, for all
//! of them. Series differ in shape and dash as well as in colour, so that a figure survives greyscale;
//! every legend names n, every figure the kind of its intervals.

mod answers;
mod axis;
mod draw;
mod error;
mod model;
mod png;
mod runs;
mod sizes;
mod style;

pub use draw::svg;
pub use error::FigureError;
pub use model::{Axis, Figure, Panel, Point, Series};
pub use png::png;

use crate::cell::Cells;

/// Every figure that the cells have data for, and a note for each that they do not.
pub fn all(cells: &Cells) -> (Vec<Figure>, Vec<String>) {
    let figures = [
        answers::by_condition(cells),
        sizes::by_tokens(cells),
        runs::by_horizon(cells),
        runs::parsers(cells),
        runs::cost_against_success(cells),
        answers::by_question(cells),
    ];
    let (mut drawn, mut notes) = (Vec::new(), Vec::new());
    for figure in figures {
        if figure.panels.is_empty() {
            notes.push(format!("figure {} is not drawn: no cells for it", figure.id));
        } else {
            drawn.push(figure);
        }
    }
    (drawn, notes)
}
