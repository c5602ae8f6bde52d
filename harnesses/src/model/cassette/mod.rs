//! Recorded calls: a folder of files with a line for each answered call, looked up by its request and not by
//! when. So a run can be repeated, or graded again, without the endpoint, and a finished call is never paid for
//! twice. Only answers are recorded: a failed call is made again.
//!
//! Lines and not a file for each call: some systems take a millisecond to make a file, and dozens of calls
//! may end in that time.

mod error;
mod index;
mod key;
mod recording;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use error::CassetteError;
use index::Index;
pub use key::CallKey;
pub use recording::Recording;

use super::completion::Completion;

/// What to do on a cassette miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CassetteMode {
    /// Make the call and record it
    Record,
    /// Fail; send nothing
    Strict,
}

/// A folder of recorded calls. Several processes may use it at once; each sees what was there when it began,
/// plus its own recordings.
#[derive(Debug, Clone)]
pub struct Cassette {
    folder: PathBuf,
    mode: CassetteMode,
    index: Arc<Mutex<Index>>,
}

impl Cassette {
    /// A cassette in a folder, which is created if calls are to be recorded.
    ///
    /// # Errors
    /// If the folder is missing and cannot or may not be created, or if a line of its files is not a
    /// recording.
    pub fn open(folder: &Path, mode: CassetteMode) -> Result<Self, CassetteError> {
        if mode == CassetteMode::Record {
            std::fs::create_dir_all(folder).map_err(|source| CassetteError::Io {
                action: "create the cassette's folder",
                path: folder.to_owned(),
                source,
            })?;
        }
        let index = Arc::new(Mutex::new(Index::of(folder)?));
        Ok(Self { folder: folder.to_owned(), mode, index })
    }

    /// What to do on a miss.
    #[must_use]
    pub fn mode(&self) -> CassetteMode {
        self.mode
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The recording of a call, if there is one, and what its answer says.
    ///
    /// # Errors
    /// If its file cannot be read, or no longer holds what was recorded under this key.
    pub fn load(&self, key: CallKey) -> Result<Option<(Recording, Completion)>, CassetteError> {
        let location = self.index().location(key);
        location.map(|location| index::read(&location, key)).transpose()
    }

    /// Records a call: its line is there whole, or passed over as truncated.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn store(&self, key: CallKey, recording: &Recording) -> Result<(), CassetteError> {
        self.index().add(&self.folder, key, recording)
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        // A poisoned lock is that of a panic elsewhere; the index is in order between calls.
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
