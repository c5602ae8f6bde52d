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
    /// A file has another format, such as one of an earlier version.
    #[error(
        "{} has the format {schema}, which this version does not read: what it holds would be asked and paid \
         for again; move it away if that is wanted, choose another --cassette, or use the version of the \
         program that wrote it",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        schema: String,
    },
    /// A file differs from what was recorded.
    #[error("{}: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}
