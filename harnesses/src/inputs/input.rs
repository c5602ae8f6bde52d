//! One run to measure, and the corpora that runs belong to.

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
