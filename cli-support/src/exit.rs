//! How a command ends.

use std::io;
use std::process::ExitCode;

use crate::say_error;

/// How a command ended that could do at least a part of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It is done.
    Done,
    /// What was checked does not hold.
    CheckFailed,
    /// Some input was unusable, which was said; the rest is done.
    UnusableInput,
}

/// The exit status: 0 done, 1 a check failed, 2 wrong use or unusable input. Errors are printed here, except
/// when the reader of the output has gone away.
pub fn end(result: anyhow::Result<Exit>) -> ExitCode {
    match result {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::CheckFailed) => ExitCode::from(1),
        Ok(Exit::UnusableInput) => ExitCode::from(2),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say_error(&error);
            ExitCode::from(2)
        }
    }
}

/// Whether the error is that the reader of standard output has gone away.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_pipe_is_quiet() {
        let closed = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_closed_pipe(&anyhow::Error::from(closed).context("printing")));
        assert!(!is_closed_pipe(&anyhow::anyhow!("broken pipe")));
    }
}
