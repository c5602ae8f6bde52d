//! Telling whether a file is a transcript that can be read, and by which adapter; the file stays open for
//! whoever goes on to read it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::adapter::{AdapterRef, Format, Recognised, recognise_into};
use crate::ledger::LedgerError;
use crate::reader::{Begun, FollowError};
use crate::walk::WalkError;

/// A run that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such file.
    #[error("{0}: no such file; name a transcript or a folder of transcripts")]
    NotFound(PathBuf),
    /// The path names a folder.
    #[error("{0} is a folder; name one of the transcripts in it")]
    IsFolder(PathBuf),
    /// The file has no bytes.
    #[error("{0} is empty: there is nothing to fold yet")]
    Empty(PathBuf),
    /// Another agent wrote it.
    #[error(
        "{path} looks like a {format} transcript, which this version does not read; `tracefold formats` lists what it reads"
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
    },
    /// Its records fit several formats.
    #[error(
        "{path} may be a {formats} transcript: its first records do not tell which, so it is not read"
    )]
    Doubtful {
        /// The file.
        path: PathBuf,
        /// The formats' names.
        formats: String,
    },
    /// No record in its head is one of a known format.
    #[error(
        "{0} is not a transcript: none of its first lines is a record that tracefold knows; `tracefold formats` lists what it reads"
    )]
    NotATranscript(PathBuf),
    /// It could not be read.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// One of its files could not be found or read.
    #[error(transparent)]
    Files(#[from] WalkError),
    /// Its ledger could not be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A file could not be read or written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A snapshot cannot be read.
    #[error(
        "the snapshot {path} cannot be used: {reason}; delete it to read the transcript from the start"
    )]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Tells what reads a file, and why nothing does.
pub fn check(path: &Path) -> Result<AdapterRef, RunError> {
    Ok(begin(path)?.0)
}

/// Tells what reads a file, and keeps it open for that.
pub(super) fn begin(path: &Path) -> Result<(AdapterRef, Begun), RunError> {
    let io = |source| RunError::Io { path: path.to_owned(), source };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(RunError::NotFound(path.to_owned()));
        }
        Err(source) => return Err(io(source)),
    };
    if file.metadata().map_err(io)?.is_dir() {
        return Err(RunError::IsFolder(path.to_owned()));
    }
    let mut head = Vec::new();
    let recognised = recognise_into(&mut file, &mut head).map_err(io)?;
    if head.is_empty() {
        return Err(RunError::Empty(path.to_owned()));
    }
    match recognised {
        Recognised::As(format) => {
            let adapter = format.adapter().ok_or_else(|| RunError::OtherFormat {
                path: path.to_owned(),
                format: format.name(),
            })?;
            Ok((adapter, Begun { file, head }))
        }
        Recognised::Doubtful(formats) => {
            let names: Vec<&str> = formats.into_iter().map(Format::name).collect();
            Err(RunError::Doubtful { path: path.to_owned(), formats: names.join(" or ") })
        }
        Recognised::Unknown => Err(RunError::NotATranscript(path.to_owned())),
    }
}
