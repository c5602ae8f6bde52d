//! Conditions: what a reader is shown of a run.
//!
//! A condition is one row of [`CONDITIONS`]: what makes its text, what stamps it, and how reader `mechanical`
//! reads it. A row without one of these does not compile.

mod context;
mod flatlog;
mod raw;
mod view;

use std::fmt;

use scoreboards::Renderer;
use scoreboards::measures::comprehend::{BASELINE, FLATLOG, VIEW};
use trace_model::ids::Sha256;
use trace_model::view::worker::WorkerViewConfig;

use super::mechanical::{self, Reading};
use crate::inputs::{Files, Probe};
pub(super) use context::CHARS_PER_TOKEN;
pub use context::{Caps, Context, Subject};

/// All conditions, in the order in which tables show them.
pub const CONDITIONS: [Condition; 3] = [
    Condition {
        name: BASELINE,
        version: 1,
        compile: raw::compile,
        renderer: None,
        reading: Some(mechanical::raw),
    },
    Condition {
        name: FLATLOG,
        version: 1,
        compile: flatlog::compile,
        renderer: Some(trace_model::view::flatlog::renderer),
        reading: Some(mechanical::flatlog),
    },
    Condition {
        name: VIEW,
        version: 1,
        compile: view::compile,
        renderer: Some(trace_model::view::worker::renderer),
        reading: Some(mechanical::view),
    },
];

/// Makes a condition's text.
pub type Compile = fn(&Subject<'_>, &Caps) -> Context;

/// What a reader is shown of a run, and how it is made.
#[derive(Clone, Copy)]
pub struct Condition {
    /// Its name.
    pub name: &'static str,
    /// Raised whenever the function makes another text of the same run.
    pub version: u32,
    /// Makes its text.
    pub compile: Compile,
    /// The stamp of the renderer that makes the text, where one does.
    pub renderer: Option<fn() -> trace_model::view::Renderer>,
    /// How reader `mechanical` reads it; none if it cannot.
    pub reading: Option<Reading>,
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({})", self.name)
    }
}

impl Condition {
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
        let context = (self.compile)(&Subject::of(files.transcripts()), &caps);
        let fingerprint = format!("{:016x}", Sha256::of(&context.text).head());
        Renderer { name: self.name.to_owned(), version: self.version.to_string(), fingerprint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_named_as_tables_and_figures_name_them() {
        assert_eq!(CONDITIONS.map(|it| it.name), scoreboards::measures::comprehend::CONDITIONS);
    }

    #[test]
    fn every_condition_has_a_stamp_and_they_differ() {
        let stamps = CONDITIONS.map(|condition| condition.stamp());
        assert_eq!(stamps.each_ref().map(|it| it.name.as_str()), ["raw", "flatlog", "worker"]);
        assert!(stamps.iter().all(|stamp| stamp.fingerprint.len() == 16));
    }
}
