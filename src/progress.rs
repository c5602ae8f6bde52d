//! Progress of long work on standard error: silent where nobody looks.

use std::path::Path;

use cli_support::{Bar, Unit};

/// Work below this many bytes is over before a bar could be read.
const SHOWN_FROM: u64 = 32 * 1024 * 1024;

/// A bar over bytes to read.
pub(crate) fn bytes(total: u64, quiet: bool) -> Bar {
    Bar::new("", Unit::Bytes, total, quiet || total < SHOWN_FROM)
}

/// Names the file that is being read.
pub(crate) fn at(bar: &Bar, path: &Path) {
    bar.set_message(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
}
