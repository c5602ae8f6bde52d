//! Talk on standard error: a progress bar where somebody can see it, and remarks.

use cli_support::{Bar, Unit};

/// Reports progress. Silent with `--quiet`; bars are shown only on a terminal.
#[derive(Debug, Clone)]
pub struct Reporter {
    quiet: bool,
}

impl Reporter {
    /// A reporter that says nothing if `quiet`.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// A reporter that says nothing.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(true)
    }

    /// Begins a stage of `length` items.
    #[must_use]
    pub fn stage(&self, what: &'static str, length: usize) -> Stage {
        Stage(Bar::new(what, Unit::Items(""), length as u64, self.quiet))
    }

    /// A remark on standard error.
    pub fn say(&self, remark: &str) {
        if !self.quiet {
            eprintln!("{}", scoreboards::escape(remark));
        }
    }
}

/// A stage in progress; it disappears when dropped.
#[derive(Debug)]
pub struct Stage(Bar);

impl Stage {
    /// Items that were done before the stage began.
    pub fn already(&self, items: usize) {
        self.0.inc(items as u64);
    }

    /// One more item is done.
    pub fn done(&self, item: &str) {
        self.0.set_message(item);
        self.0.inc(1);
    }
}
