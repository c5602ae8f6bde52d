//! The essentials of a run in a terminal, followed live.

mod draw;

use std::io;
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use trace_model::run::RunError;

use crate::live::{Follow, clock};
use crate::mask::Mask;
use crate::page::Subject;
use crate::session::Session;

pub use draw::{Scroll, draw};

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
    // Puts the terminal back in a panic's hook, before the hook that was there says what happened.
    let mut terminal = ratatui::try_init()?;
    let result = show(&mut terminal, &mut session, &mask);
    ratatui::restore();
    Ok(result?)
}

fn show(terminal: &mut DefaultTerminal, session: &mut Session, mask: &Mask) -> io::Result<()> {
    let mut scroll = Scroll::default();
    loop {
        session.poll();
        let now = clock();
        session.advance(now);
        let reading = session.run().reading();
        let subject = Subject { live: true, ..Subject::of(session, &reading, Some(now)) };
        terminal.draw(|frame| draw(frame, &subject, mask, &mut scroll))?;
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
