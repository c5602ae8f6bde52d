//! Why the published figures cannot be used.

use std::path::PathBuf;

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// It cannot be read.
    #[error("cannot read the published figures in {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A record is not what the file's header promises: cut short, or damaged.
    #[error("{file}: {reason}; restore it from version control")]
    Malformed {
        /// The file.
        file: &'static str,
        /// What is wrong, with its line.
        reason: String,
    },
}
