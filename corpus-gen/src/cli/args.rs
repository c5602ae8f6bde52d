//! Arguments that several commands have.

use clap::{Args, ValueEnum};

use crate::pathology::labels::Set;
use crate::profile::Profile;

/// Options of every long-running command.
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
    pub(super) fn threads(&self) -> usize {
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
    /// 0.3-1.5 MB each: what real clients write besides plain work
    Varied,
    /// All profiles
    All,
    /// No sessions
    None,
}

impl ProfileChoice {
    pub(super) fn profiles(self) -> &'static [Profile] {
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
    /// Hard cases and near misses
    Hard,
    /// Both
    All,
    /// No pathology traces
    None,
}

impl SetChoice {
    pub(super) fn sets(self) -> &'static [Set] {
        match self {
            SetChoice::Default => &[Set::Default],
            SetChoice::Hard => &[Set::Hard],
            SetChoice::All => &Set::ALL,
            SetChoice::None => &[],
        }
    }
}
