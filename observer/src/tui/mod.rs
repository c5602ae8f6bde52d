//! The essentials of a run in a terminal, followed live.

mod area;
mod draw;
mod screen;
mod terminal;
mod text;
mod wrap;

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use trace_model::run::RunError;

use crate::live::{Follow, clock};
use crate::mask::Mask;
use crate::page::Subject;
use crate::session::Session;

pub use draw::{Scroll, draw};
pub use screen::Screen;
use terminal::Terminal;

/// The time between looks at the file and at the keys.
const LOOK: Duration = Duration::from_millis(250);

/// A run that cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// It cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The terminal does not take it.
    #[error("this terminal cannot be drawn on: {0}; omit --tui to serve a page")]
    Terminal(#[from] io::Error),
}

/// Shows a run until the user quits. The terminal is restored, even after a fault.
pub fn run(what: &Follow) -> Result<(), TuiError> {
    let mask = Mask::unless(what.show_secrets);
    let mut session = Session::followed(&what.path, what.config.clone())?;
    let mut terminal = Terminal::take()?;
    Ok(show(&mut terminal, &mut session, &mask)?)
}

fn show(terminal: &mut Terminal, session: &mut Session, mask: &Mask) -> io::Result<()> {
    let mut scroll = Scroll::default();
    loop {
        session.poll();
        let now = clock();
        session.advance(now);
        let reading = session.run().reading();
        let subject = Subject { live: true, ..Subject::of(session, &reading, Some(now)) };
        let mut screen = Terminal::blank()?;
        draw(&mut screen, &subject, mask, &mut scroll);
        terminal.show(screen)?;
        if event::poll(LOOK)? && leaves(&event::read()?, &mut scroll) {
            return Ok(());
        }
    }
}

/// Takes a key; returns whether it ends the view.
fn leaves(event: &Event, scroll: &mut Scroll) -> bool {
    let Event::Key(key) = event else { return false };
    if key.kind != KeyEventKind::Press {
        return false;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'd') if control => return true,
        KeyCode::Char('q') | KeyCode::Esc => return true,
        KeyCode::Char('j') | KeyCode::Down => scroll.down(),
        KeyCode::Char('k') | KeyCode::Up => scroll.up(),
        _ => {}
    }
    false
}
