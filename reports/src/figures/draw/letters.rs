//! Words in a drawing: their size, place and lines.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use scoreboards::escape;

use crate::figures::style::INK;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Height of a line of words.
pub(super) const LINE: i32 = 17;

/// Text whose top is at `at`. Sizes are those of the drawn letters in pixels.
pub(super) fn words(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, anchor: HPos) -> Drawn {
    area.draw(&Text::new(escape(text), at, letters(size, Pos::new(anchor, VPos::Top))))
}

/// The backend divides sizes by 1.24, to undo what other backends do.
pub(super) fn letters<'a>(size: i32, pos: Pos) -> TextStyle<'a> {
    let family = FontFamily::Name("DejaVu Sans, Verdana, sans-serif");
    (family, f64::from(size) * 1.24).into_font().color(&INK).pos(pos)
}

/// About how wide a text is: the font's letters are six tenths of their size on average.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    i32::try_from(text.chars().count()).unwrap_or(i32::MAX / 64) * size * 62 / 100
}

/// The text in lines that fit, broken at spaces.
pub(super) fn wrapped(text: &str, width: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if text_width(line, 12) + text_width(word, 12) + 7 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
