//! What is said on standard error, a line at a time.

use std::io::{self, Write as _};

use crate::escape;

/// Says something on standard error. If nobody can hear it, nothing can be done about that.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escape(line));
}

/// Says on standard error what went wrong, in one line.
pub fn say_error(error: &anyhow::Error) {
    say(&format!("error: {}", one_line(error)));
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
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    match causes.next()?.kind() {
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

/// Makes a panic say in one line that it is a bug, without a backtrace.
pub fn one_line_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let place = panic.location().map_or(String::new(), |at| format!(" at {at}"));
        say(&format!(
            "error: this is a bug: {text}{place}; hint: report it, with the command line and, if you \
             can, the file"
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
}
