//! Conditions: what a reader is shown of a run.
//!
//! A new condition is one function that makes its text and one line in [`CONDITIONS`]. If reader
//! `mechanical` is to read it, the line also names a function that answers from that text.

mod flatlog;
mod raw;
mod view;

use std::fmt;

use scoreboards::Renderer;
use trace_model::adapter::FileRole;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::ids::Sha256;
use trace_model::run::fold_bytes;
use trace_model::view::worker::WorkerViewConfig;

use super::mechanical::{self, Reading};
use crate::inputs::{Files, Probe};

/// The condition that sizes are compared with.
pub(super) const BASELINE: &str = "raw";

/// All conditions, in the order in which tables show them.
pub const CONDITIONS: [Condition; 3] = [
    Condition::new(BASELINE, 1, raw::compile).read_by(mechanical::raw),
    Condition::new("flatlog", 1, flatlog::compile)
        .stamped_by(trace_model::view::flatlog::renderer)
        .read_by(mechanical::flatlog),
    Condition::new("view", 1, view::compile)
        .stamped_by(trace_model::view::worker::renderer)
        .read_by(mechanical::view),
];

/// How much a condition may show. All of it is written into the scoreboard's protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// Characters of the transcript's end.
    pub raw_chars: usize,
    /// Characters of the flat log's end.
    pub flatlog_chars: usize,
    /// How much the view shows of each list.
    pub view: WorkerViewConfig,
}

/// A run, as conditions see it.
#[derive(Debug)]
pub struct Subject<'a> {
    role: FileRole,
    session: &'a [u8],
    state: RunState,
}

impl<'a> Subject<'a> {
    /// A run by its transcripts, the session's own first.
    pub(crate) fn of(transcripts: Vec<(FileRole, &'a [u8])>) -> Self {
        let (role, session) = transcripts.first().cloned().unwrap_or_default();
        let (state, _) = fold_bytes(transcripts, FoldConfig::default());
        Self { role, session, state }
    }

    /// The session's own transcript.
    #[must_use]
    pub fn session(&self) -> &'a [u8] {
        self.session
    }

    /// Whose file that is.
    #[must_use]
    pub fn role(&self) -> &FileRole {
        &self.role
    }

    /// The state of the run with its subagents.
    #[must_use]
    pub fn state(&self) -> &RunState {
        &self.state
    }
}

/// What a reader is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The text.
    pub text: String,
    /// Characters of the whole of which the text is a part.
    pub of_chars: u64,
}

impl Context {
    /// A text that nothing was cut from.
    #[must_use]
    pub fn whole(text: String) -> Self {
        let of_chars = chars(&text);
        Self { text, of_chars }
    }

    /// The last `most` characters of a text.
    #[must_use]
    pub fn tail(text: &str, most: usize) -> Self {
        Self { text: last(text, most).to_owned(), of_chars: chars(text) }
    }

    /// Its length in characters.
    #[must_use]
    pub fn chars(&self) -> u64 {
        chars(&self.text)
    }
}

fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// The last `most` characters.
fn last(text: &str, most: usize) -> &str {
    let from_end = most.checked_sub(1).map(|at| text.char_indices().rev().nth(at));
    match from_end {
        None => "",
        Some(start) => start.map_or(text, |(at, _)| &text[at..]),
    }
}

/// Makes a condition's text.
pub type Compile = fn(&Subject<'_>, &Caps) -> Context;

/// What a reader is shown of a run, and how it is made.
#[derive(Clone, Copy)]
pub struct Condition {
    name: &'static str,
    version: u32,
    compile: Compile,
    renderer: Option<fn() -> trace_model::view::Renderer>,
    reading: Option<Reading>,
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({})", self.name)
    }
}

impl Condition {
    /// A condition that reader `mechanical` cannot read. The version has to be raised whenever the
    /// function makes another text of the same run.
    #[must_use]
    pub const fn new(name: &'static str, version: u32, compile: Compile) -> Self {
        Self { name, version, compile, renderer: None, reading: None }
    }

    /// Its text is a renderer's, which has a stamp of its own.
    #[must_use]
    const fn stamped_by(mut self, renderer: fn() -> trace_model::view::Renderer) -> Self {
        self.renderer = Some(renderer);
        self
    }

    /// Reader `mechanical` reads it with this.
    #[must_use]
    pub const fn read_by(mut self, reading: Reading) -> Self {
        self.reading = Some(reading);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How reader `mechanical` reads it; none if it cannot.
    #[must_use]
    pub fn reading(&self) -> Option<Reading> {
        self.reading
    }

    /// What a reader is shown of a run.
    #[must_use]
    pub fn compile(&self, subject: &Subject<'_>, caps: &Caps) -> Context {
        (self.compile)(subject, caps)
    }

    /// What made the text, for the scoreboard. Without a renderer's own stamp the fingerprint is that
    /// of the text that it makes of the probe.
    #[must_use]
    pub fn stamp(&self) -> Renderer {
        if let Some(renderer) = self.renderer {
            let trace_model::view::Renderer { name, version, fingerprint } = renderer();
            return Renderer { name: name.to_owned(), version: version.to_string(), fingerprint };
        }
        let caps = Caps { raw_chars: 3000, flatlog_chars: 3000, view: WorkerViewConfig::default() };
        let files = Files::Made(Probe::default().files());
        let context = self.compile(&Subject::of(files.transcripts()), &caps);
        let fingerprint = format!("{:016x}", Sha256::of(&context.text).head());
        Renderer { name: self.name.to_owned(), version: self.version.to_string(), fingerprint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_is_cut_between_characters_and_knows_its_whole() {
        let tail = |most| Context::tail("aé→b", most).text;
        assert_eq!([0, 1, 2, 3, 4, 5].map(tail), ["", "b", "→b", "é→b", "aé→b", "aé→b"]);
        assert_eq!(Context::tail("aé→b", 2).of_chars, 4);
        assert_eq!(Context::tail("", 2), Context::whole(String::new()));
    }

    #[test]
    fn every_condition_has_a_stamp_and_they_differ() {
        let stamps = CONDITIONS.map(|condition| condition.stamp());
        assert_eq!(stamps.each_ref().map(|it| it.name.as_str()), ["raw", "flatlog", "worker"]);
        assert!(stamps.iter().all(|stamp| stamp.fingerprint.len() == 16));
    }
}
