//! Arguments of CONTINUE.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use corpus_gen::Seeds;
use corpus_gen::tasks::{Family, MAX_HORIZON, TaskError};
use trace_model::pricing::PriceTable;

use super::arms::{ARMS, ArmSpec, Policy};
use super::protocol::{Protocol, StepCap};
use super::worker::PricedAs;
use crate::common::CommonArgs;
use crate::model::{ModelArgs, Provider};
use crate::prefix_cache::CacheRules;
use crate::workbench::{BenchConfig, DEFAULT_PADDING, ErrorRate};

/// Arguments of CONTINUE. Without a command, `run`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ContinueArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<ContinueCommand>,
    /// The run, without a command.
    #[command(flatten)]
    pub run: RunArgs,
}

/// What CONTINUE does.
#[derive(Debug, Clone, Subcommand)]
pub enum ContinueCommand {
    /// Let a worker do one task, or a few, and print what came of it
    Run(RunArgs),
    /// Run arms x families x horizons x seeds; a stopped grid goes on where it was
    Grid(GridArgs),
    /// Print the tables of a saved CONTINUE scoreboard
    Tables(TablesArgs),
    /// List the arms: what each shows the worker
    Arms(ArmsArgs),
}

/// Arguments of a few runs.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// What the worker is shown of its past: names, comma-separated (`tracefold continue arms` lists them)
    #[arg(
        long = "arm",
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "curated",
        value_parser = arm
    )]
    pub arms: Vec<&'static ArmSpec>,
    /// Kind of task
    #[arg(long, value_name = "NAME", default_value = "chain", value_parser = family)]
    pub family: Family,
    /// Links of a chain, files with a value of scatter, violations of fix
    #[arg(long, value_name = "N", default_value = "30", value_parser = horizon)]
    pub horizon: u32,
    /// Which of these tasks: numbers and ranges, as in 1-6 or 1,5,9-12
    #[arg(long = "task-seeds", value_name = "LIST", default_value = "1")]
    pub seeds: Seeds,
    /// Settings of every run.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Who works.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Write each run's transcript below this folder [default: OUT/continue/transcripts]
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Arguments of a grid.
#[derive(Debug, Clone, Args)]
pub struct GridArgs {
    /// Arms, comma-separated [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = arm)]
    pub arms: Vec<&'static ArmSpec>,
    /// Families of tasks, comma-separated: scatter, fix, chain, prosechain, altchain
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "chain",
        value_parser = family
    )]
    pub families: Vec<Family>,
    /// Horizons, comma-separated
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "30,60,120",
        value_parser = horizon
    )]
    pub horizons: Vec<u32>,
    /// Seeds of the tasks: numbers and ranges. The default is the seeds of the published paired cells
    #[arg(long = "seeds", value_name = "LIST", default_value = "1-6,10-33")]
    pub seeds: Seeds,
    /// Settings of every run.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Who works.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Write each run's transcript below this folder; always written with a model, into
    /// OUT/continue/transcripts
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Arguments of the tables.
#[derive(Debug, Clone, Args)]
pub struct TablesArgs {
    /// The scoreboard
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Arguments of the list of arms.
#[derive(Debug, Clone, Args)]
pub struct ArmsArgs {}

/// Settings of every run: all of them are part of the protocol.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Settings of every run")]
pub struct SettingsArgs {
    /// Share of calls that fail, by a schedule fixed by the seed and the call's number
    #[arg(long, value_name = "RATE", default_value = "0")]
    pub error_rate: ErrorRate,
    /// Characters of padding in each observation
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PADDING)]
    pub padding: usize,
    /// K: steps between two views or summaries, and raw steps that bounded arms show
    #[arg(long = "every", value_name = "K", default_value = "5")]
    pub every: NonZeroUsize,
    /// M: past steps that retrieval finds
    #[arg(long, value_name = "M", default_value_t = Policy::default().retrieved)]
    pub retrieved: usize,
    /// Characters of a capped summary
    #[arg(long, value_name = "N", default_value_t = Policy::default().summary_chars)]
    pub summary_chars: usize,
    /// End a run after so many steps [default: by the task, as the protocol says]
    #[arg(long, value_name = "N")]
    pub step_cap: Option<NonZeroU32>,
}

/// The worker without a model.
pub(super) const MECHANICAL: &str = "mechanical";

/// Who works on the tasks.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Worker")]
pub struct WorkerArgs {
    /// Who works: mechanical, which needs no model, or a provider whose --model does
    #[arg(
        long,
        value_name = "NAME",
        default_value = MECHANICAL,
        value_parser = PossibleValuesParser::new([MECHANICAL].into_iter().chain(Provider::NAMES))
    )]
    pub worker: String,
    /// Model as which mechanical is priced, and whose cache is simulated. The published dollars are at
    /// this default's prices
    #[arg(long, value_name = "MODEL", default_value = "claude-sonnet-4-5")]
    pub price_as: String,
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
}

fn arm(name: &str) -> Result<&'static ArmSpec, String> {
    ArmSpec::named(name).ok_or_else(|| {
        let names: Vec<&str> = ARMS.iter().map(|arm| arm.name).collect();
        format!("there is no arm `{name}`; there are {}", names.join(", "))
    })
}

fn family(name: &str) -> Result<Family, TaskError> {
    name.parse()
}

fn horizon(text: &str) -> Result<u32, String> {
    let horizon: u32 = text.parse().map_err(|_| format!("`{text}` is no horizon"))?;
    match horizon {
        0 => Err(TaskError::HorizonZero.to_string()),
        _ if horizon > MAX_HORIZON => Err(TaskError::HorizonTooLarge { horizon }.to_string()),
        _ => Ok(horizon),
    }
}

impl SettingsArgs {
    /// The protocol that they ask for.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        Protocol {
            bench: BenchConfig {
                padding_chars: self.padding,
                error_rate: self.error_rate,
                tally: false,
            },
            policy: Policy {
                every: self.every.get(),
                retrieved: self.retrieved,
                summary_chars: self.summary_chars,
            },
            step_cap: self.step_cap.map_or(StepCap::ByTask, |cap| StepCap::Fixed(cap.get())),
        }
    }
}

impl WorkerArgs {
    /// The provider whose model works; none for the worker without a model.
    #[must_use]
    pub fn provider(&self) -> Option<Provider> {
        Provider::named(&self.worker)
    }

    /// What tokens of the worker without a model cost, and the rules of its simulated cache.
    ///
    /// # Errors
    /// If the model as which it is priced has no prices or no known cache.
    pub fn priced(&self) -> anyhow::Result<(PricedAs, CacheRules)> {
        let prices = PriceTable::builtin();
        let model = self.price_as.clone();
        if prices.find(&model).is_none() {
            bail!(
                "there is no price of `{model}`; `tracefold prices` lists the models that have one"
            );
        }
        let rules = CacheRules::of_model(&model).with_context(|| {
            format!("the cache of `{model}` is not known; name another --price-as")
        })?;
        let date = prices.date().to_owned();
        Ok((PricedAs { model, prices, date }, rules))
    }
}
