//! A run whose transcript is in memory and may still grow: whoever writes it pushes what is new and looks at
//! the state, or compiles a view, whenever it wants to.

use super::observer::{FoldObserver, Sink};
use crate::adapter::FileRole;
use crate::extract::Extractions;
use crate::fold::{FactSource, FoldConfig, RunState};
use crate::reader::{ReadStats, TranscriptReader};

/// Folds bytes as they come. A push costs what is new costs, however long the run is.
#[derive(Debug)]
pub struct Folder {
    /// The run's files so far; the last one is being read.
    files: Vec<TranscriptReader>,
    state: RunState,
}

impl Folder {
    /// A run of which nothing was read yet: one session's file, as the recorder writes it.
    pub fn new(config: FoldConfig) -> Self {
        Self::of_role(FileRole::default(), config)
    }

    /// The same of a session's file that is read in this role.
    pub fn of_role(role: FileRole, config: FoldConfig) -> Self {
        Self { files: vec![TranscriptReader::new(role)], state: RunState::new(config) }
    }

    /// Reads and folds the files of a finished run, the session's first, while an observer looks on.
    pub fn of<'a>(
        files: impl IntoIterator<Item = (FileRole, &'a [u8])>,
        config: FoldConfig,
        observer: &mut impl FoldObserver,
    ) -> Self {
        let mut folder = Self { files: Vec::new(), state: RunState::new(config) };
        for (role, bytes) in files {
            folder.files.push(TranscriptReader::new(role));
            folder.read(bytes, Extractions::none(), observer);
            folder.end(observer);
        }
        folder
    }

    /// Reads and folds the next bytes of the transcript. Pieces may end anywhere; a record counts
    /// once its line is complete.
    pub fn push(&mut self, bytes: &[u8]) {
        self.push_with(bytes, Extractions::none());
    }

    /// As [`Folder::push`], with facts that were extracted from what tools answered in these bytes.
    pub fn push_with(&mut self, bytes: &[u8], extracted: &dyn FactSource) {
        self.read(bytes, extracted, &mut ());
    }

    /// Takes a complete last line without a line feed as read: nothing more will come.
    pub fn finish(&mut self) {
        self.end(&mut ());
    }

    fn read(&mut self, bytes: &[u8], extracted: &dyn FactSource, observer: &mut impl FoldObserver) {
        let Self { files, state } = self;
        let mut sink = Sink { state, ledger: None, extracted, observer };
        if let Some((at, file)) = (0..).zip(files).last() {
            file.feed(bytes, |record| sink.take(record, at));
        }
    }

    fn end(&mut self, observer: &mut impl FoldObserver) {
        let Self { files, state } = self;
        let mut sink = Sink { state, ledger: None, extracted: Extractions::none(), observer };
        if let Some((at, file)) = (0..).zip(files).last() {
            file.finish(|record| sink.take(record, at));
        }
    }

    /// The state.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The state, given away.
    pub fn into_state(self) -> RunState {
        self.state
    }

    /// What reading each file came across.
    pub fn readings(&self) -> impl Iterator<Item = &ReadStats> {
        self.files.iter().map(TranscriptReader::stats)
    }

    /// What reading came across in all files.
    pub fn reading(&self) -> ReadStats {
        let mut all = ReadStats::default();
        self.readings().for_each(|stats| all.add(stats));
        all
    }
}

/// Folds a finished run whose files are in memory, the session's first.
pub fn fold_bytes<'a>(
    files: impl IntoIterator<Item = (FileRole, &'a [u8])>,
    config: FoldConfig,
) -> (RunState, ReadStats) {
    let folder = Folder::of(files, config, &mut ());
    let reading = folder.reading();
    (folder.state, reading)
}
