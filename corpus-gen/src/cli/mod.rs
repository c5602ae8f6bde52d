//! The commands, for the binary and for any other program that offers them: an enum for clap, and
//! [`run`]. Results go to standard output, everything else to standard error.

mod generate;
mod list;
mod progress;
mod verify;

use std::io;

use clap::{Args, Subcommand, ValueEnum};

pub use cli_support::Exit;
pub use generate::GenerateArgs;
pub use list::ListArgs;
pub use verify::VerifyArgs;

use crate::pathology::labels::Set;
use crate::profile::Profile;

/// What can be done with the corpus.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Generate sessions and pathology traces into a folder
    Generate(GenerateArgs),
    /// Regenerate everything in memory and compare it with the manifest
    Verify(VerifyArgs),
    /// List the default corpus
    List(ListArgs),
}

/// What all commands that take long have in common.
#[derive(Debug, Clone, Default, Args)]
pub struct Common {
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Print nothing but results and errors
    #[arg(short, long)]
    pub quiet: bool,
}

impl Common {
    fn threads(&self) -> usize {
        self.jobs.map_or(0, usize::from)
    }
}

/// Which profiles of sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProfileChoice {
    /// 0.5-1.3 MB each: the shape of the published synthetic corpus
    Paper,
    /// 2.6-24.2 MB each: the published distribution of real sessions
    Realistic,
    /// 0.3-1.5 MB each: what real clients write beside plain work
    Varied,
    /// All of them
    All,
    /// No sessions
    None,
}

impl ProfileChoice {
    fn profiles(self) -> &'static [Profile] {
        match self {
            ProfileChoice::Paper => &[Profile::Paper],
            ProfileChoice::Realistic => &[Profile::Realistic],
            ProfileChoice::Varied => &[Profile::Varied],
            ProfileChoice::All => &Profile::ALL,
            ProfileChoice::None => &[],
        }
    }
}

/// Which sets of pathology traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SetChoice {
    /// Clear cases: 48 instances in 30 traces
    Default,
    /// Cases that are hard to tell, and near misses
    Hard,
    /// Both
    All,
    /// No pathology traces
    None,
}

impl SetChoice {
    fn sets(self) -> &'static [Set] {
        match self {
            SetChoice::Default => &[Set::Default],
            SetChoice::Hard => &[Set::Hard],
            SetChoice::All => &Set::ALL,
            SetChoice::None => &[],
        }
    }
}

/// Does what `command` says.
///
/// # Errors
/// If it cannot be done: something cannot be read or written, or is in the way. The exit status for
/// that is 2.
pub fn run(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Generate(args) => generate::run(args),
        Command::Verify(args) => verify::run(args),
        Command::List(args) => list::run(args),
    }
}

/// Ends quietly where the reader of the output has gone away.
fn unless_closed(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
