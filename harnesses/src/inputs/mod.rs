//! What the instruments measure over: generated sessions and pathology traces, the probe, and
//! transcripts that are named on the command line.

mod args;
mod choice;
mod corpora;
mod load;
mod probe;
mod transcripts;

pub use args::InputArgs;
pub use choice::Choice;
pub(crate) use corpora::{Identity, corpora};
pub(crate) use load::{Files, RunInput};
pub(crate) use probe::Probe;

use std::path::PathBuf;

use corpus_gen::{Profile, Set, Source};

/// One run to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Generated in memory.
    Generated(Source),
    /// A small invented run that holds at least one of everything that is counted.
    Probe,
    /// A session file on disk, with its subagents' files.
    Transcript(PathBuf),
}

/// The name of the corpus of named transcripts.
pub(crate) const TRANSCRIPTS: &str = "transcripts";

/// The name of the corpus of a profile's sessions.
pub(crate) fn sessions_corpus(profile: Profile) -> String {
    format!("sessions/{profile}")
}

/// The name of the corpus of a set's traces.
pub(crate) fn pathology_corpus(set: Set) -> String {
    format!("pathology/{set}")
}
