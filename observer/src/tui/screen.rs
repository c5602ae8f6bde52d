//! What a terminal shows: cells, and text put into them. It draws nothing itself; [`super::terminal`] does.

use std::fmt;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::area::Area;
use super::text::{Line, Style};

/// One place for a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// A character with its marks; empty under the second half of a wide one.
    pub(super) symbol: String,
    pub(super) style: Style,
}

/// The cells of a terminal, row by row.
#[derive(Debug, Clone)]
pub struct Screen {
    width: u16,
    height: u16,
    cells: Vec<Cell>,
}

impl Screen {
    /// An empty screen.
    pub fn new(width: u16, height: u16) -> Self {
        let blank = Cell { symbol: " ".to_owned(), style: Style::default() };
        Self { width, height, cells: vec![blank; usize::from(width) * usize::from(height)] }
    }

    /// All of it.
    pub(super) fn area(&self) -> Area {
        Area { x: 0, y: 0, width: self.width, height: self.height }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(usize::from(self.width).max(1))
    }

    /// Puts lines below one another; what does not fit is cut.
    pub(super) fn lines(&mut self, lines: &[Line], area: Area) {
        for (row, line) in (area.y..area.y.saturating_add(area.height)).zip(lines) {
            self.line(line, Area { y: row, ..area });
        }
    }

    /// Puts lines below one another, each on as many rows as it needs.
    pub(super) fn wrapped(&mut self, lines: &[Line], area: Area) {
        let rows: Vec<Line> =
            lines.iter().flat_map(|line| super::wrap::rows(line, area.width)).collect();
        self.lines(&rows, area);
    }

    /// A heading on a rule; returns the area below.
    pub(super) fn heading(&mut self, title: &str, style: Style, area: Area) -> Area {
        let rule = "─".repeat(usize::from(area.width));
        self.text(&rule, style, area);
        self.text(&format!(" {title} "), Style { bold: true, ..Style::default() }, area);
        area.below(1)
    }

    fn line(&mut self, line: &Line, mut area: Area) {
        for span in &line.0 {
            let used = self.text(&span.text, span.style, area);
            area = area.right_of(used);
        }
    }

    /// Puts text on an area's first row; returns how many columns it took.
    fn text(&mut self, text: &str, style: Style, area: Area) -> u16 {
        let mut column = 0;
        for symbol in text.graphemes(true) {
            let width = u16::try_from(symbol.width()).unwrap_or(u16::MAX);
            if width == 0 {
                continue;
            }
            if width > area.width.saturating_sub(column) || area.height == 0 {
                break;
            }
            self.put(symbol, style, area.x + column, area.y);
            for covered in column + 1..column + width {
                self.put("", style, area.x + covered, area.y);
            }
            column += width;
        }
        column
    }

    fn put(&mut self, symbol: &str, style: Style, x: u16, y: u16) {
        let at = usize::from(y) * usize::from(self.width) + usize::from(x);
        if let Some(cell) = self.cells.get_mut(at).filter(|_| x < self.width) {
            symbol.clone_into(&mut cell.symbol);
            cell.style = style.over(cell.style);
        }
    }
}

impl fmt::Display for Screen {
    /// The rows in quotes, without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.rows() {
            let text: String = row.iter().map(|cell| cell.symbol.as_str()).collect();
            writeln!(f, "\"{text}\"")?;
        }
        Ok(())
    }
}
