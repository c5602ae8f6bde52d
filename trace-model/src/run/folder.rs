//! A run whose transcript is in memory and still grows: whoever writes it feeds what is new and looks
//! at the state, or compiles a view, whenever it wants to.

use crate::adapter::claude_code::FileRole;
use crate::extract::Extractions;
use crate::fold::{FactSource, FoldConfig, RunState};
use crate::reader::{ReadStats, TranscriptReader};

/// Folds a session's bytes as they come. A push costs what is new costs, however long the run is.
#[derive(Debug)]
pub struct Folder {
    reader: TranscriptReader,
    state: RunState,
}

impl Folder {
    /// A run that nothing was read of yet.
    pub fn new(config: FoldConfig) -> Self {
        Self { reader: TranscriptReader::new(FileRole::default()), state: RunState::new(config) }
    }

    /// Reads and folds the next bytes of the transcript. Pieces may end anywhere; a record counts
    /// once its line is complete.
    pub fn push(&mut self, bytes: &[u8]) {
        self.push_with(bytes, Extractions::none());
    }

    /// As [`Folder::push`], with facts that were extracted from what tools answered in these bytes.
    pub fn push_with(&mut self, bytes: &[u8], extracted: &dyn FactSource) {
        let Self { reader, state } = self;
        reader.feed(bytes, |record| state.apply_with(record, extracted));
    }

    /// Takes a complete last line without a line feed as read: nothing more will come.
    pub fn finish(&mut self) {
        let Self { reader, state } = self;
        reader.finish(|record| state.apply(record));
    }

    /// The state.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// What reading came across.
    pub fn reading(&self) -> &ReadStats {
        self.reader.stats()
    }
}
