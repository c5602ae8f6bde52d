//! The flags that choose inputs.

use std::path::PathBuf;

use clap::Args;
use corpus_gen::cli::{ProfileChoice, SetChoice};
use corpus_gen::{Profile, Seeds, Set, Source, default_session_seeds, default_trace_seeds};

use super::input::Input;
use super::transcripts;

/// Which runs to measure over.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Inputs")]
pub struct InputArgs {
    /// Sessions to generate
    #[arg(long, value_enum, default_value = "all")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges, as in 201-212 or 1,5,9-12 [default: 201-212]
    #[arg(long, value_name = "LIST")]
    pub seeds: Option<Seeds>,
    /// Pathology traces to generate
    #[arg(long, value_enum, default_value = "all")]
    pub pathology: SetChoice,
    /// Seeds of the pathology traces [default: 301-330 for default, 401-430 for hard]
    #[arg(long, value_name = "LIST")]
    pub pathology_seeds: Option<Seeds>,
    /// Add your own transcripts: session files, or folders to search for them. Scoreboards hold neither
    /// their paths nor their content
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub transcripts: Vec<PathBuf>,
}

impl InputArgs {
    pub(crate) fn profiles(&self) -> &'static [Profile] {
        match self.profile {
            ProfileChoice::Paper => &[Profile::Paper],
            ProfileChoice::Realistic => &[Profile::Realistic],
            ProfileChoice::Varied => &[Profile::Varied],
            ProfileChoice::All => &Profile::ALL,
            ProfileChoice::None => &[],
        }
    }

    pub(crate) fn sets(&self) -> &'static [Set] {
        match self.pathology {
            SetChoice::Default => &[Set::Default],
            SetChoice::Hard => &[Set::Hard],
            SetChoice::All => &Set::ALL,
            SetChoice::None => &[],
        }
    }

    /// The chosen sessions, in order.
    pub(crate) fn sessions(&self) -> Vec<Source> {
        let seeds = self.seeds.clone().unwrap_or_else(default_session_seeds);
        let of = |&profile: &Profile| {
            let session = move |&seed: &u64| Source::Session { profile, seed };
            seeds.as_slice().iter().map(session).collect::<Vec<_>>()
        };
        self.profiles().iter().flat_map(of).collect()
    }

    /// The chosen pathology traces, in order.
    pub(crate) fn traces(&self) -> Vec<Source> {
        let of = |&set: &Set| {
            let seeds = self.pathology_seeds.clone().unwrap_or_else(|| default_trace_seeds(set));
            let trace = move |seed: u64| Source::Pathology { set, seed };
            seeds.into_vec().into_iter().map(trace)
        };
        self.sets().iter().flat_map(of).collect()
    }

    /// The named transcripts in order of their paths, and remarks on what was skipped.
    pub(crate) fn named(&self) -> anyhow::Result<(Vec<Input>, Vec<String>)> {
        let (paths, remarks) = transcripts::find(&self.transcripts)?;
        Ok((paths.into_iter().map(Input::Transcript).collect(), remarks))
    }
}
