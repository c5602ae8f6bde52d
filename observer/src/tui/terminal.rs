//! The terminal itself: taken over while a run is shown, and given back afterwards.

use std::io::{self, Write as _};
use std::panic;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Print, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};

use super::screen::{Cell, Screen};
use super::text::{Color, Style};

/// The terminal, until it is dropped.
#[derive(Debug)]
pub(super) struct Terminal {
    /// What it shows.
    shown: Option<Screen>,
}

impl Terminal {
    /// Takes the terminal over. A panic gives it back before it says what happened.
    pub(super) fn take() -> io::Result<Self> {
        let say = panic::take_hook();
        panic::set_hook(Box::new(move |fault| {
            give_back();
            say(fault);
        }));
        terminal::enable_raw_mode()?;
        let taken = Self { shown: None };
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(taken)
    }

    /// An empty screen of the terminal's size.
    pub(super) fn blank() -> io::Result<Screen> {
        let (width, height) = terminal::size()?;
        Ok(Screen::new(width, height))
    }

    /// Shows a screen. Rows that are there already are not written again.
    pub(super) fn show(&mut self, screen: Screen) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let shown = self.shown.take().filter(|shown| shown.area() == screen.area());
        if shown.is_none() {
            queue!(out, Clear(ClearType::All))?;
        }
        let mut before = shown.iter().flat_map(Screen::rows);
        for (row, cells) in (0..).zip(screen.rows()) {
            if before.next() != Some(cells) {
                queue!(out, MoveTo(0, row))?;
                write(&mut out, cells)?;
            }
        }
        out.flush()?;
        self.shown = Some(screen);
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}

/// Nothing can be done for a terminal that does not take this.
fn give_back() {
    let _ = terminal::disable_raw_mode();
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
}

fn write(out: &mut impl io::Write, cells: &[Cell]) -> io::Result<()> {
    for run in cells.chunk_by(|a, b| a.style == b.style) {
        let text: String = run.iter().map(|cell| cell.symbol.as_str()).collect();
        let Style { color, bold, crossed_out, reversed } = run[0].style;
        queue!(out, SetAttribute(Attribute::Reset), ResetColor)?;
        if let Some(color) = color {
            queue!(out, SetForegroundColor(palette(color)))?;
        }
        let attributes = [
            (bold, Attribute::Bold),
            (crossed_out, Attribute::CrossedOut),
            (reversed, Attribute::Reverse),
        ];
        for (_, attribute) in attributes.into_iter().filter(|(set, _)| *set) {
            queue!(out, SetAttribute(attribute))?;
        }
        queue!(out, Print(text))?;
    }
    queue!(out, SetAttribute(Attribute::Reset), ResetColor)
}

fn palette(color: Color) -> crossterm::style::Color {
    match color {
        Color::Red => crossterm::style::Color::DarkRed,
        Color::Green => crossterm::style::Color::DarkGreen,
        Color::Yellow => crossterm::style::Color::DarkYellow,
        Color::Blue => crossterm::style::Color::DarkBlue,
        Color::Cyan => crossterm::style::Color::DarkCyan,
        Color::DarkGray => crossterm::style::Color::DarkGrey,
    }
}
