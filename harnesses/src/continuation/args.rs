//! Arguments of CONTINUE.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use corpus_gen::Seeds;
use corpus_gen::tasks::{Family, MAX_HORIZON, TaskError};
use trace_model::extract::ExtractionConfig;
use trace_model::pricing::PriceTable;

use super::arms::{ARMS, ArmSpec, Policy};
use super::protocol::{Protocol, StepCap};
use super::replay::ReplayArgs;
use super::worker::PricedAs;
use crate::common::CommonArgs;
use crate::model::{ModelArgs, Provider};
use crate::prefix_cache::CacheRules;
use crate::workbench::{BenchConfig, DEFAULT_PADDING, ErrorRate};

/// Measure which context policy lets a worker finish a long task, and at what price
#[derive(Debug, Clone, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  tracefold continue                                 a chain of 30 links under a curated context
  tracefold continue grid                            every arm, chains of 30, 60 and 120 links
  tracefold continue grid --arms full,curated --families altchain --error-rate 0.08
  tracefold continue arms                            what each arm shows the worker

Without a command, does what `run` does. The worker mechanical needs no model: it acts on what its
context shows and on nothing else. Exit status: 0 measured, 1 some runs remain, 2 wrong use or
unusable input."
)]
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
    /// Run a worker on one or a few tasks and print the outcome
    Run(RunArgs),
    /// Run arms x families x horizons x seeds; a stopped grid resumes
    Grid(GridArgs),
    /// Print the tables of a saved CONTINUE scoreboard
    Tables(TablesArgs),
    /// List the arms and what each shows the worker
    Arms(ArmsArgs),
    /// Measure which contexts hold what recorded agents went on to need
    Replay(ReplayArgs),
}

/// Arguments of a few runs.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// Arms to run, comma-separated (`tracefold continue arms` lists them)
    #[arg(long = "arm", value_name = "LIST", value_delimiter = ',', default_value = "curated")]
    pub arms: Vec<String>,
    /// Kind of task
    #[arg(long, value_name = "NAME", default_value = "chain")]
    pub family: String,
    /// Task length: links of chain, files with a value of scatter, violations of fix
    #[arg(long, value_name = "N", default_value = "30")]
    pub horizon: String,
    /// Seeds of the tasks: numbers and ranges, as in 1-6 or 1,5,9-12
    #[arg(long = "task-seeds", value_name = "LIST", default_value = "1")]
    pub seeds: String,
    /// How the runs are made.
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// Arguments of a grid.
#[derive(Debug, Clone, Args)]
pub struct GridArgs {
    /// Arms, comma-separated [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub arms: Vec<String>,
    /// Task families, comma-separated: scatter, fix, chain, prosechain, altchain
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "chain")]
    pub families: Vec<String>,
    /// Task lengths, comma-separated
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "30,60,120")]
    pub horizons: Vec<String>,
    /// Seeds of the tasks: numbers and ranges. The default seeds are those of the published paired cells
    #[arg(long = "seeds", value_name = "LIST", default_value = "1-6,10-33")]
    pub seeds: String,
    /// How the runs are made.
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// How runs are made, few or many.
#[derive(Debug, Clone, Args)]
pub struct ExecutionArgs {
    /// Settings of every run.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Who works.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Write each run's transcript below this folder [default: OUT/continue/transcripts; none in a
    /// grid without a model]
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
    /// Share of calls that fail, on a schedule fixed by the seed and the call's number
    #[arg(long, value_name = "RATE", default_value = "0")]
    pub error_rate: ErrorRate,
    /// Characters of padding in each observation
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PADDING)]
    pub padding: usize,
    /// Recompile the view, or rewrite the summary, every K steps; bounded arms also show the last K steps
    /// verbatim
    #[arg(long, value_name = "K", default_value = "5")]
    pub refresh_every: NonZeroUsize,
    /// Past steps that the retrieval arm shows
    #[arg(long, value_name = "N", default_value_t = Policy::default().top_k)]
    pub top_k: usize,
    /// Maximum characters of a capped summary
    #[arg(long, value_name = "N", default_value_t = Policy::default().summary_chars)]
    pub summary_chars: usize,
    /// Switch off parts of the parser arms' extractor, comma-separated
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(EXTRACTOR_PARTS)
    )]
    pub ablate: Vec<String>,
    /// End a run after N steps [default: depends on the task]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<NonZeroU32>,
}

/// Parts of the extractor that can be switched off, to see what each is worth.
const EXTRACTOR_PARTS: [&str; 4] = ["canonical-keys", "bisect", "fallback", "validate"];

/// The worker without a model.
pub(super) const MECHANICAL: &str = "mechanical";

/// Who works on the tasks.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Worker")]
pub struct WorkerArgs {
    /// The worker: mechanical, which needs no model, or the provider of --model
    #[arg(
        long,
        value_name = "NAME",
        default_value = MECHANICAL,
        value_parser = PossibleValuesParser::new([MECHANICAL].into_iter().chain(Provider::NAMES))
    )]
    pub worker: String,
    /// Price mechanical as this model, and simulate its cache. The default's prices are those of the published
    /// dollars
    #[arg(long, value_name = "MODEL", default_value = "claude-sonnet-4-5")]
    pub price_as: String,
    /// Model of the same provider for parser-model to ask when the first one refuses
    #[arg(long, value_name = "NAME")]
    pub fallback_model: Option<String>,
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
}

/// A grid as given on the command line. It is parsed here rather than by clap, so that an error is one line.
#[derive(Debug, Clone, Copy)]
pub(super) struct GridWords<'a> {
    /// Arms; empty for all.
    pub(super) arms: &'a [String],
    pub(super) families: &'a [String],
    pub(super) horizons: &'a [String],
    pub(super) seeds: &'a str,
}

/// What a grid is made of.
#[derive(Debug, Clone)]
pub(super) struct GridParts {
    pub(super) arms: Vec<&'static ArmSpec>,
    pub(super) families: Vec<Family>,
    pub(super) horizons: Vec<u32>,
    pub(super) seeds: Seeds,
}

impl GridWords<'_> {
    pub(super) fn read(self) -> anyhow::Result<GridParts> {
        let each = |words: &[String]| -> Vec<String> {
            words.iter().map(|word| word.trim().to_owned()).collect()
        };
        let arms = each(self.arms).iter().map(|name| arm(name)).collect::<Result<Vec<_>, _>>()?;
        Ok(GridParts {
            arms: if arms.is_empty() { ARMS.iter().collect() } else { arms },
            families: each(self.families)
                .iter()
                .map(|name| name.parse())
                .collect::<Result<_, TaskError>>()?,
            horizons: each(self.horizons)
                .iter()
                .map(|text| horizon(text))
                .collect::<anyhow::Result<_>>()?,
            seeds: self.seeds.parse()?,
        })
    }
}

fn arm(name: &str) -> anyhow::Result<&'static ArmSpec> {
    ArmSpec::named(name).with_context(|| {
        let names: Vec<&str> = ARMS.iter().map(|arm| arm.name).collect();
        format!("there is no arm `{name}`; there are {}", names.join(", "))
    })
}

fn horizon(text: &str) -> anyhow::Result<u32> {
    let horizon: u32 =
        text.parse().ok().with_context(|| format!("`{text}` is not a horizon: write a number"))?;
    match horizon {
        0 => Err(TaskError::HorizonZero.into()),
        _ if horizon > MAX_HORIZON => Err(TaskError::HorizonTooLarge { horizon }.into()),
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
                refresh_every: self.refresh_every.get(),
                top_k: self.top_k,
                summary_chars: self.summary_chars,
                extraction: self.extraction(),
            },
            step_cap: self.max_steps.map_or(StepCap::ByTask, |cap| StepCap::Fixed(cap.get())),
        }
    }

    fn extraction(&self) -> ExtractionConfig {
        let with = |part: &str| !self.ablate.iter().any(|ablated| ablated == part);
        let [canonical_keys, bisect, fall_back, validate] = EXTRACTOR_PARTS.map(with);
        ExtractionConfig {
            canonical_keys,
            bisect,
            fall_back,
            validate,
            ..ExtractionConfig::default()
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
    /// If the model it is priced as has no price or no known cache rules.
    pub fn priced(&self) -> anyhow::Result<(PricedAs, CacheRules)> {
        priced_as(&self.price_as)
    }
}

/// What tokens of a model cost, and the rules of its cache.
pub(super) fn priced_as(model: &str) -> anyhow::Result<(PricedAs, CacheRules)> {
    let prices = PriceTable::builtin();
    let model = model.to_owned();
    if prices.find(&model).is_none() {
        bail!("no price is known for `{model}`; `tracefold prices` lists the models that have one");
    }
    let rules = CacheRules::of_model(&model).with_context(|| {
        format!("the cache rules of `{model}` are not known; name another --price-as")
    })?;
    let date = prices.date().to_owned();
    Ok((PricedAs { model, prices, date }, rules))
}
