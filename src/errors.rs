//! How the command ends, and how it says what went wrong: one line, with what to do about it.

use std::io::{self, Write as _};
use std::process::ExitCode;

use harnesses::common::Verdict;
use scoreboards::escape;
use trace_model::run::RunError;

/// How a command ended that could do at least a part of its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done.
    Done,
    /// What was checked does not hold.
    DoesNotHold,
    /// Some input was unusable, which was said; the rest is done.
    SomeUnusable,
}

impl From<corpus_gen::cli::Outcome> for Outcome {
    fn from(outcome: corpus_gen::cli::Outcome) -> Self {
        match outcome {
            corpus_gen::cli::Outcome::Done => Self::Done,
            corpus_gen::cli::Outcome::CheckFailed => Self::DoesNotHold,
        }
    }
}

impl From<Verdict> for Outcome {
    /// What does not hold is said.
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Done,
            Verdict::Fails(faults) => {
                for fault in &faults {
                    talk(fault);
                }
                Self::DoesNotHold
            }
        }
    }
}

/// The exit status: 0 done, 1 what was checked does not hold, 2 wrong use or unusable input. An error
/// is said here; a reader of the output that went away is none.
pub(crate) fn exit_code(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::DoesNotHold) => ExitCode::from(1),
        Ok(Outcome::SomeUnusable) => ExitCode::from(2),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error);
            ExitCode::from(2)
        }
    }
}

/// Whether the reader of standard output has gone away.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Says on standard error what went wrong, in one line.
pub(crate) fn say(error: &anyhow::Error) {
    talk(&format!("error: {}", one_line(error)));
}

/// Says something on standard error. If nobody can hear it, nothing can be done about that.
pub(crate) fn talk(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escape(line));
}

/// The error and its causes, and a hint where they name no remedy themselves.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let text = cause.to_string();
        // Some errors state their cause themselves.
        if line.contains(&text) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&text);
    }
    if let Some(hint) = hint(error) {
        line.push_str("; hint: ");
        line.push_str(hint);
    }
    line
}

fn hint(error: &anyhow::Error) -> Option<&'static str> {
    let io = error.chain().find_map(io_kind)?;
    match io {
        io::ErrorKind::NotFound => Some("check the path"),
        io::ErrorKind::PermissionDenied => {
            Some("you lack the permission; ask the file's owner, or name another file")
        }
        io::ErrorKind::IsADirectory => Some("it is a folder; name a file"),
        io::ErrorKind::NotADirectory => Some("a part of the path is a file; name a folder"),
        io::ErrorKind::StorageFull => Some("the disk is full; free some space"),
        io::ErrorKind::ReadOnlyFilesystem => Some("the disk is read-only; choose another folder"),
        _ => None,
    }
}

fn io_kind(cause: &(dyn std::error::Error + 'static)) -> Option<io::ErrorKind> {
    let own = cause.downcast_ref::<io::Error>().map(io::Error::kind);
    // A transparent error passes over the one that it wraps.
    own.or_else(|| match cause.downcast_ref::<RunError>()? {
        RunError::Follow(error) => Some(error.source.kind()),
        RunError::Files(error) => Some(error.source.kind()),
        _ => None,
    })
}

/// Makes a fault of this program say so in one line, without a backtrace.
pub(crate) fn one_line_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let place = panic.location().map_or(String::new(), |at| format!(" at {at}"));
        talk(&format!(
            "error: this is a fault of tracefold itself: {text}{place}; hint: report it, with the \
             command line and, if you can, the file"
        ));
    }));
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_cause_is_said_once_and_a_hint_is_added() {
        let cause = io::Error::new(io::ErrorKind::PermissionDenied, "permission denied");
        let error = Err::<(), _>(cause).context("cannot read a.jsonl: permission denied");
        assert_eq!(
            one_line(&error.unwrap_err()),
            "cannot read a.jsonl: permission denied; hint: you lack the permission; ask the file's \
             owner, or name another file"
        );
        let error = anyhow::anyhow!("inner").context("outer");
        assert_eq!(one_line(&error), "outer: inner");
    }

    #[test]
    fn only_a_closed_pipe_is_quiet() {
        let closed = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_closed_pipe(&anyhow::Error::from(closed).context("printing")));
        assert!(!is_closed_pipe(&anyhow::anyhow!("broken pipe")));
    }
}
