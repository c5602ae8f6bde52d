//! A progress bar, silent where nobody can see it.

use cli_support::{Bar, Unit};

/// A bar over `runs` runs.
pub(crate) fn bar(runs: usize, quiet: bool) -> Bar {
    Bar::new("", Unit::Items("runs"), runs as u64, quiet)
}
