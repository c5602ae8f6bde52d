//! Progress of long work on standard error: a line that is drawn over, and only where somebody looks at it.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};

use crate::escape;

/// Columns of the bar itself.
const COLUMNS: u64 = 30;
/// Goes to the start of the line, empties it, and has the terminal cut what is too long for it.
const BEGIN: &str = "\r\x1b[2K\x1b[?7l";
/// Has it break long lines again.
const END: &str = "\x1b[?7h";
const CLEAR: &str = "\r\x1b[2K";

/// What a bar counts.
#[derive(Debug, Clone, Copy)]
pub enum Unit {
    /// Bytes, shown in MiB.
    Bytes,
    /// Things of this name, which may be empty.
    Items(&'static str),
}

/// A progress bar. It may be moved on by several threads; it disappears when it is dropped.
#[derive(Debug)]
pub struct Bar(Option<Mutex<State>>);

#[derive(Debug)]
struct State {
    unit: Unit,
    /// What is being done.
    stage: &'static str,
    total: u64,
    done: u64,
    /// What is at hand.
    message: String,
}

impl Bar {
    /// A bar over so much work; hidden if `quiet` or if standard error is no terminal.
    pub fn new(stage: &'static str, unit: Unit, total: u64, quiet: bool) -> Self {
        if quiet || !io::stderr().is_terminal() {
            return Self::hidden();
        }
        Self(Some(Mutex::new(State { unit, stage, total, done: 0, message: String::new() })))
    }

    /// A bar that nobody sees.
    pub fn hidden() -> Self {
        Self(None)
    }

    /// So much more is done.
    pub fn inc(&self, more: u64) {
        self.change(|state| state.done = state.done.saturating_add(more));
    }

    /// Says what is at hand.
    pub fn set_message(&self, message: &str) {
        self.change(|state| state.message = escape(message));
    }

    /// Takes the bar away while something else is written.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.finish_and_clear();
        let written = write();
        self.change(|_| ());
        written
    }

    /// Takes the bar away.
    pub fn finish_and_clear(&self) {
        if self.0.is_some() {
            draw(CLEAR);
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        if let Some(state) = &self.0 {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            change(&mut state);
            draw(&format!("{BEGIN}{}{END}", state.line()));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.finish_and_clear();
    }
}

impl State {
    fn line(&self) -> String {
        let Self { unit, stage, total, done, message } = self;
        let full = done.min(total) * COLUMNS / (*total).max(1);
        let bar: String = (0..COLUMNS).map(|at| if at < full { '█' } else { '░' }).collect();
        let stage = if stage.is_empty() { String::new() } else { format!("{stage:>10} ") };
        let counted = match unit {
            Unit::Bytes => format!("{}/{}", mebibytes(*done), mebibytes(*total)),
            Unit::Items("") => format!("{done}/{total}"),
            Unit::Items(name) => format!("{done}/{total} {name}"),
        };
        format!("{stage}{bar} {counted}  {message}")
    }
}

fn mebibytes(bytes: u64) -> String {
    let hundredths = bytes.saturating_mul(100) >> 20;
    format!("{}.{:02} MiB", hundredths / 100, hundredths % 100)
}

/// If nobody can see it, nothing can be done about that.
fn draw(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(unit: Unit, total: u64, done: u64) -> String {
        State { unit, stage: "", total, done, message: "a.jsonl".to_owned() }.line()
    }

    #[test]
    fn the_bar_is_as_full_as_the_work_is_done() {
        let half = line(Unit::Items("runs"), 4, 2);
        assert_eq!(half.matches('█').count(), 15, "{half}");
        assert!(half.ends_with(" 2/4 runs  a.jsonl"), "{half}");
        assert_eq!(line(Unit::Items(""), 0, 3).matches('█').count(), 0);
        assert_eq!(line(Unit::Items(""), 3, 9).matches('█').count(), 30);
    }

    #[test]
    fn bytes_are_shown_in_mebibytes() {
        assert!(line(Unit::Bytes, 32 << 20, 3 << 19).contains(" 1.50 MiB/32.00 MiB  "));
    }
}
