//! What goes wrong with another program: the thing, the place, and what to do about it.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Why a program's opinion cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum AgainstError {
    /// It cannot be started.
    #[error(
        "cannot run {}: {source}; name an executable file by its path (./NAME), or a program on PATH",
        program.display()
    )]
    Start { program: PathBuf, source: io::Error },
    /// It did not end, or kept its output open.
    #[error(
        "{} was stopped after {seconds} s: it had not answered for {batch}; raise --against-timeout \
         SECONDS, or name fewer --transcripts",
        program.display()
    )]
    TimedOut { program: PathBuf, seconds: u64, batch: Batch },
    /// It ended with another status than 0.
    #[error("{} ended with {status} for {batch}; it said: {said}", program.display())]
    Failed { program: PathBuf, status: ExitStatus, batch: Batch, said: String },
    /// Its output cannot be read.
    #[error("cannot read what {} prints for {batch}", program.display())]
    Read { program: PathBuf, batch: Batch, source: io::Error },
    /// It printed more than any reply can need.
    #[error(
        "{} printed more than {limit} bytes for {batch}; a reply is a line for each session file",
        program.display()
    )]
    TooMuch { program: PathBuf, limit: u64, batch: Batch },
    /// A line is not a reply.
    #[error(
        "line {line} of what {} printed for {batch} is not a reply: {why}; docs/FORMAT.md defines the format",
        program.display()
    )]
    NotAReply { program: PathBuf, batch: Batch, line: usize, why: String },
    /// A session has no reply.
    #[error(
        "{} printed no reply for {} ({batch}); a program that cannot read a session says so with \
         \"skipped\", see docs/FORMAT.md",
        program.display(),
        run.display()
    )]
    NoReply { program: PathBuf, run: PathBuf, batch: Batch },
    /// A field has a value of another type than ours.
    #[error(
        "{} states a {field} for {} that cannot be compared: {why}; docs/FORMAT.md says how values are \
         written",
        program.display(),
        run.display()
    )]
    Field { program: PathBuf, run: PathBuf, field: String, why: String },
    /// Nothing could be compared.
    #[error(
        "{} states no field that the fold has ({stated}; {skipped} sessions skipped); docs/FORMAT.md \
         says where to find the names",
        program.display()
    )]
    NothingInCommon { program: PathBuf, stated: String, skipped: usize },
}

/// The session files that one run of the program was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Batch {
    first: PathBuf,
    others: usize,
}

impl Batch {
    pub(super) fn of(sessions: &[PathBuf]) -> Self {
        let first = sessions.first().cloned().unwrap_or_default();
        Self { first, others: sessions.len().saturating_sub(1) }
    }
}

impl std::fmt::Display for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.first.display())?;
        match self.others {
            0 => Ok(()),
            1 => f.write_str(" and 1 other session file"),
            more => write!(f, " and {more} other session files"),
        }
    }
}
