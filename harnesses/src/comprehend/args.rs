//! Arguments of COMPREHEND.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::bail;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use corpus_gen::Seeds;
use corpus_gen::cli::{ProfileChoice, SetChoice};
use ground_truth::graders::RuleSet;
use ground_truth::questions::{PACK_NAMES, Pack};
use scoreboards::measures::comprehend::{BLIND, ConditionLabel, MECHANICAL};
use trace_model::view::Budget;
use trace_model::view::worker::WorkerViewConfig;

use super::conditions::{Caps, Condition};
use super::graders::GradersArgs;
use crate::common::CommonArgs;
use crate::inputs::{Choice, InputArgs};
use crate::model::{ModelArgs, Provider};

/// The readers: two that need no model, then the providers of models.
pub const READERS: [&str; 2 + Provider::NAMES.len()] = {
    let mut readers = [MECHANICAL; 2 + Provider::NAMES.len()];
    readers[1] = BLIND;
    let mut at = 0;
    while at < Provider::NAMES.len() {
        readers[2 + at] = Provider::NAMES[at];
        at += 1;
    }
    readers
};

/// What to do with an existing run.
#[derive(Debug, Clone, Subcommand)]
pub enum ComprehendCommand {
    /// Regrade a run's stored replies into a new scoreboard, without an endpoint
    Rescore(RescoreArgs),
    /// Print the tables of a run or scoreboard
    Report(ReportArgs),
    /// Measure the graders: false accepts and false rejects on forms of right answers and near misses
    Graders(GradersArgs),
}

/// Arguments of `rescore`.
#[derive(Debug, Clone, Args)]
pub struct RescoreArgs {
    /// The run's folder, such as out/comprehend/NAME
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Rule sets to grade by [default: strict/2 and paper/1]
    #[arg(
        long = "grader",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(RuleSet::ALL.map(RuleSet::name))
    )]
    pub graders: Vec<String>,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Arguments of `report`.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// A run's folder, or a COMPREHEND scoreboard
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Measure what can be answered from a raw tail, a flat log and the compiled view
#[derive(Debug, Clone, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  tracefold comprehend
  tracefold comprehend --pack monitoring/1 --condition view,flatlog
  tracefold comprehend --condition view@9500,flatlog@9500,raw@9500         at the same size
  tracefold comprehend --profile none --transcripts ~/.claude/projects     over your own sessions
  tracefold comprehend --reader anthropic --model claude-haiku-4-5 --dry-run
  tracefold comprehend --reader openai --model qwen --base-url http://localhost:8080/v1 --free
  tracefold comprehend rescore out/comprehend/NAME --grader strict/2
  tracefold comprehend graders               the graders' own errors

Nothing is sent anywhere unless you name a reader behind an API: mechanical parses what it is
shown, blind is shown nothing and is the floor. Before anything leaves this machine, the command
says how much goes where, and asks. Keys come from the environment only: ANTHROPIC_API_KEY,
OPENAI_API_KEY, GEMINI_API_KEY, and for vertex an access token. Repeat a command to resume a run
that was stopped. Exit status: 0 measured, 2 wrong use, unusable input, or a run that stopped
before all calls were made."
)]
pub struct ComprehendArgs {
    /// What to do with an existing run.
    #[command(subcommand)]
    pub command: Option<ComprehendCommand>,
    /// Sessions to generate
    #[arg(long, value_enum, default_value = "all", help_heading = "Inputs")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges, as in 201-212 or 1,5,9-12 [default: 201-212]
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    pub seeds: Option<Seeds>,
    /// Add your own transcripts: session files, or folders to search for them. They leave the machine only if
    /// you name a reader behind an API and agree; the scoreboard holds neither their paths nor their content
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Inputs")]
    pub transcripts: Vec<PathBuf>,
    /// Which of them to use.
    #[command(flatten)]
    pub choice: Choice,
    /// Question packs [default: all]
    #[arg(
        long = "pack",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(PACK_NAMES),
        help_heading = "Questions"
    )]
    pub packs: Vec<String>,
    /// Seed for choosing the subject of a question where there is a choice
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Questions")]
    pub question_seed: u64,
    /// What readers are shown: raw, flatlog, view (worker/1), view/2 (worker/2), summary (the vendor's at the last
    /// compaction); or raw@N, flatlog@N, view@N: the first two's last N characters, and worker/2 within N
    /// characters (N >= 1000) [default: raw,flatlog,view,view/2]
    #[arg(
        long = "condition",
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "Conditions and readers"
    )]
    pub conditions: Vec<ConditionLabel>,
    /// Show the last N characters of the transcript under condition raw
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        help_heading = "Conditions and readers"
    )]
    pub raw_chars: usize,
    /// Show the last N characters of the flat log under condition flatlog
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        help_heading = "Conditions and readers"
    )]
    pub flatlog_chars: usize,
    /// Maximum files listed under condition view, most recent first
    #[arg(long, value_name = "N", default_value_t = WorkerViewConfig::default().files,
          help_heading = "Conditions and readers")]
    pub view_files: usize,
    /// Maximum calls without a result listed under condition view
    #[arg(long, value_name = "N", default_value_t = WorkerViewConfig::default().calls,
          help_heading = "Conditions and readers")]
    pub view_calls: usize,
    /// Maximum episodes listed under condition view
    #[arg(long, value_name = "N", default_value_t = WorkerViewConfig::default().episodes,
          help_heading = "Conditions and readers")]
    pub view_episodes: usize,
    /// Maximum fact keys whose aggregates are listed under condition view
    #[arg(long, value_name = "N", default_value_t = WorkerViewConfig::default().aggregates,
          help_heading = "Conditions and readers")]
    pub view_aggregates: usize,
    /// Who answers: mechanical (parses what it is shown, without a model), blind (is shown nothing: the floor),
    /// or one model by its API. With a model, the other two always run too, for comparison [default: mechanical
    /// and blind]
    #[arg(
        long = "reader",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(READERS),
        help_heading = "Conditions and readers"
    )]
    pub readers: Vec<String>,
    /// Print what would be asked and shown and, with a model, estimated tokens and dollars, then stop
    #[arg(long)]
    pub dry_run: bool,
    /// Leave secrets in what is sent to a model
    #[arg(long, help_heading = "Model")]
    pub no_redact: bool,
    /// How to reach and ask a model.
    #[command(flatten)]
    pub model: ModelArgs,
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

    /// The conditions asked for, each once, in the order in which tables show them.
    pub(super) fn conditions(&self) -> Vec<Condition> {
        let mut labels = self.conditions.clone();
        if labels.is_empty() {
            labels.extend(ConditionLabel::DEFAULT);
        }
        labels.sort_unstable();
        labels.dedup();
        labels.into_iter().map(Condition::of).collect()
    }

    /// Whether reader `mechanical` is asked for; it splits a model's losses.
    pub(super) fn is_mechanical(&self) -> bool {
        is_chosen(&self.readers, MECHANICAL) || self.readers.iter().any(|it| it != BLIND)
    }

    /// The provider of the model, if one is asked.
    pub(super) fn provider(&self) -> anyhow::Result<Option<Provider>> {
        let named = self.readers.iter().filter_map(|name| Provider::named(name));
        let providers: BTreeSet<Provider> = named.collect();
        let mut providers = providers.into_iter();
        let first = providers.next();
        if first.is_some() && providers.next().is_some() {
            bail!("a run asks one model; name one reader behind an API, and run again for another");
        }
        if first.is_none() && self.model.model.is_some() {
            bail!(
                "--model {} has no reader: name its API with --reader {}",
                self.model.model.as_deref().unwrap_or_default(),
                Provider::NAMES.join("|")
            );
        }
        Ok(first)
    }

    pub(super) fn caps(&self) -> Caps {
        Caps {
            raw_chars: self.raw_chars,
            flatlog_chars: self.flatlog_chars,
            view: WorkerViewConfig {
                files: self.view_files,
                calls: self.view_calls,
                episodes: self.view_episodes,
                aggregates: self.view_aggregates,
                ..WorkerViewConfig::default()
            },
            handover: Budget::Caps,
        }
    }
}

/// Whether `name` was chosen; without a choice, everything is.
fn is_chosen(chosen: &[String], name: &str) -> bool {
    chosen.is_empty() || chosen.iter().any(|it| it == name)
}
