//! Arguments of COMPREHEND.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use corpus_gen::Seeds;
use corpus_gen::cli::{ProfileChoice, SetChoice};
use ground_truth::questions::{PACK_NAMES, Pack};
use trace_model::view::worker::WorkerViewConfig;

use super::conditions::{CONDITIONS, Caps, Condition};
use crate::common::CommonArgs;
use crate::inputs::InputArgs;

/// The readers there are.
pub const READERS: [&str; 2] = [MECHANICAL, BLIND];

pub(super) const MECHANICAL: &str = "mechanical";
pub(super) const BLIND: &str = "blind";

/// Arguments of COMPREHEND.
#[derive(Debug, Clone, Args)]
pub struct ComprehendArgs {
    /// Sessions to generate
    #[arg(long, value_enum, default_value = "all", help_heading = "Inputs")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges, as in 201-212 or 1,5,9-12 [default: 201-212]
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    pub seeds: Option<Seeds>,
    /// Transcripts of your own to add: session files, or folders to look for them in. Nothing of them
    /// leaves the machine, and the scoreboard holds no path and no content of them
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Inputs")]
    pub transcripts: Vec<PathBuf>,
    /// Question packs [default: all]
    #[arg(
        long = "pack",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(PACK_NAMES),
        help_heading = "Questions"
    )]
    pub packs: Vec<String>,
    /// Seed of what a question is about where there is a choice
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Questions")]
    pub question_seed: u64,
    /// What readers are shown [default: all]
    #[arg(
        long = "condition",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(CONDITIONS.map(|condition| condition.name())),
        help_heading = "Conditions and readers"
    )]
    pub conditions: Vec<String>,
    /// Characters of the transcript's end that condition raw shows
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        help_heading = "Conditions and readers"
    )]
    pub raw_chars: usize,
    /// Characters of the flat log's end that condition flatlog shows
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        help_heading = "Conditions and readers"
    )]
    pub flatlog_chars: usize,
    /// Who answers [default: all]. The floor, blind, is always there too
    #[arg(
        long = "reader",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(READERS),
        help_heading = "Conditions and readers"
    )]
    pub readers: Vec<String>,
    /// Say how many questions there are and how many characters readers would be shown, and stop
    #[arg(long)]
    pub dry_run: bool,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl ComprehendArgs {
    /// Sessions and transcripts, without pathology traces.
    pub(super) fn inputs(&self) -> InputArgs {
        InputArgs {
            profile: self.profile,
            seeds: self.seeds.clone(),
            pathology: SetChoice::None,
            pathology_seeds: None,
            transcripts: self.transcripts.clone(),
        }
    }

    /// The packs asked for, each once.
    pub(super) fn packs(&self) -> anyhow::Result<Vec<Pack>> {
        let chosen = PACK_NAMES.into_iter().filter(|name| is_chosen(&self.packs, name));
        Ok(chosen.map(Pack::named).collect::<Result<_, _>>()?)
    }

    /// Those of the conditions that are asked for.
    pub(super) fn conditions(&self, of: &[Condition]) -> Vec<Condition> {
        of.iter().filter(|it| is_chosen(&self.conditions, it.name())).copied().collect()
    }

    /// Whether reader `mechanical` is asked for.
    pub(super) fn is_mechanical(&self) -> bool {
        is_chosen(&self.readers, MECHANICAL)
    }

    pub(super) fn caps(&self) -> Caps {
        Caps {
            raw_chars: self.raw_chars,
            flatlog_chars: self.flatlog_chars,
            view: WorkerViewConfig::default(),
        }
    }
}

/// Whether something is among what was chosen; without a choice everything is.
fn is_chosen(chosen: &[String], name: &str) -> bool {
    chosen.is_empty() || chosen.iter().any(|it| it == name)
}
