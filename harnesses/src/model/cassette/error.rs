//! Why a cassette cannot be used.

use std::io;
use std::path::PathBuf;

use crate::model::lines::LinesError;

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
    /// A file differs from what was recorded.
    #[error("{}: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}
