//! How a command ends.

use std::io;
use std::process::ExitCode;

/// How a command ended that could do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// What was to be checked does not hold.
    CheckFailed,
}

impl Outcome {
    /// The exit status: 0 done, 1 check failed.
    #[must_use]
    pub fn exit_code(self) -> ExitCode {
        match self {
            Outcome::Done => ExitCode::SUCCESS,
            Outcome::CheckFailed => ExitCode::from(1),
        }
    }
}

/// Ends quietly where the reader of the output has gone away.
pub(super) fn unless_closed(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
