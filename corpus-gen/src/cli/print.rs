//! What printing has in common.

use std::io;

/// Ends quietly where the reader of the output has gone away.
pub(super) fn unless_closed(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
