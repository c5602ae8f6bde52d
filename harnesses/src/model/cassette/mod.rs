//! Recorded calls: a folder of files with a line for each answered call, found by what was asked and not by
//! when. So a run can be repeated, or graded again, without the endpoint, and a finished call is never
//! paid for twice. Only answers are recorded: a failed call is made again.
//!
//! Lines and not a file for each call: some systems take a millisecond to make a file, and dozens of calls
//! may end in that time.

mod index;
mod key;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::backend::BackendId;
use super::called::Attempt;
use super::completion::Completion;
use super::lines::LinesError;
use super::request::Request;
use index::Index;
pub use key::CallKey;

/// The lines' format.
const SCHEMA: &str = "tracefold-cassette/2";

/// What becomes of calls that the cassette does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CassetteMode {
    /// Made, and recorded
    Record,
    /// Refused: nothing is sent
    Strict,
}

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Where it went.
    pub endpoint: BackendId,
    /// What was asked.
    pub request: Request,
    /// Which repeat of it this is, from 0.
    pub repeat: u32,
    /// What was tried until there was an answer.
    pub attempts: Vec<Attempt>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The body of the answer, whole, without any key.
    pub body: String,
    /// What it says.
    pub completion: Completion,
}

impl Recording {
    pub(super) fn new(
        endpoint: &BackendId,
        request: &Request,
        repeat: u32,
        attempts: Vec<Attempt>,
        reply: super::backend::Reply,
    ) -> Self {
        Self {
            endpoint: endpoint.clone(),
            request: request.clone(),
            repeat,
            attempts,
            status: reply.status,
            body: reply.body,
            completion: reply.completion,
        }
    }
}

/// Why a cassette cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// The system will not.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of recordings cannot be read or written.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// A file is not what was recorded.
    #[error("{}: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// A folder of recorded calls. Several processes may use it at once; each finds what was there when it
/// began, and what it recorded itself.
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
    /// If there is no such folder, and it cannot or may not be created; or if a line of its files is no
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

    /// What becomes of calls that it does not hold.
    #[must_use]
    pub fn mode(&self) -> CassetteMode {
        self.mode
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it holds a call.
    #[must_use]
    pub fn holds(&self, key: CallKey) -> bool {
        self.index().place(key).is_some()
    }

    /// The recording of a call, if there is one.
    ///
    /// # Errors
    /// If its file cannot be read, or no longer holds what was recorded under this key.
    pub fn load(&self, key: CallKey) -> Result<Option<Recording>, CassetteError> {
        let place = self.index().place(key);
        place.map(|place| index::read(&place, key)).transpose()
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
