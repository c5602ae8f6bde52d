//! Progress of long work on standard error: silent where nobody looks.

use std::io::{IsTerminal as _, stderr};
use std::path::Path;
use std::time::Duration;

use cli_support::escape;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work below this many bytes is over before a bar could be read.
const SHOWN_FROM: u64 = 32 * 1024 * 1024;

/// A bar over bytes to read, ticking while one file takes long.
pub(crate) fn bytes(total: u64, quiet: bool) -> ProgressBar {
    if quiet || total < SHOWN_FROM || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    bar.enable_steady_tick(Duration::from_millis(200));
    let style = ProgressStyle::with_template("{spinner} {bar:30} {bytes}/{total_bytes}  {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Names the file that is being read.
pub(crate) fn at(bar: &ProgressBar, path: &Path) {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    bar.set_message(escape(&name));
}
