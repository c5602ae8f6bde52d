//! Talk on standard error: a progress bar where somebody can see it, and remarks.

use std::io::{IsTerminal as _, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
        if self.quiet || !stderr().is_terminal() {
            return Stage(ProgressBar::hidden());
        }
        let target = ProgressDrawTarget::stderr();
        let bar = ProgressBar::with_draw_target(Some(length as u64), target);
        let style = ProgressStyle::with_template("{prefix:>10} {bar:30} {pos}/{len}  {msg}");
        Stage(
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
                .with_prefix(what),
        )
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
pub struct Stage(ProgressBar);

impl Stage {
    /// Items that were done before the stage began.
    pub fn already(&self, items: usize) {
        self.0.inc(items as u64);
        self.0.reset_eta();
    }

    /// One more item is done.
    pub fn done(&self, item: &str) {
        self.0.set_message(item.to_owned());
        self.0.inc(1);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
