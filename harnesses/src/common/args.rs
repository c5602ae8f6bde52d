//! The flags that every instrument has.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use cli_support::parallel;
use scoreboards::Date;

/// Flags of every instrument.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = None::<&str>)]
pub struct CommonArgs {
    /// Folder to write to; scoreboards go into DIR/scoreboards
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub out: PathBuf,
    /// Print the scoreboard as JSON instead of a table
    #[arg(long)]
    pub json: bool,
    /// Seed for bootstrap resampling
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Runs to process in parallel [default: one per processor]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Print nothing but results and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// Date to write into the scoreboard [default: today, in UTC]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<Date>,
    /// The command line to write into the scoreboard, where it is not this process's.
    #[arg(skip)]
    pub command: Vec<String>,
}

impl CommonArgs {
    /// Number of runs to process in parallel.
    #[must_use]
    pub fn jobs(&self) -> usize {
        parallel::threads(self.jobs)
    }

    /// The command line to write into the scoreboard.
    pub(crate) fn command(&self) -> Vec<String> {
        if self.command.is_empty() { std::env::args().collect() } else { self.command.clone() }
    }
}

/// An argument definition's values when no argument is given: for callers without a command line.
///
/// # Panics
/// If a definition has a required argument; those here have none.
#[must_use]
pub fn defaults<A: Args>() -> A {
    let matches = A::augment_args(clap::Command::new("defaults")).get_matches_from(["defaults"]);
    A::from_arg_matches(&matches).expect("no argument is required")
}
