//! Arguments of replay.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use corpus_gen::Seeds;
use corpus_gen::cli::{ProfileChoice, SetChoice};

use super::arms::Pricing;
use super::contexts::{CONTEXTS, Size};
use super::cuts::CutRules;
use super::measure::Plan;
use crate::common::CommonArgs;
use crate::continuation::args::priced_as;
use crate::inputs::InputArgs;

/// Measure which contexts hold what recorded agents went on to need
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  tracefold continue replay --transcripts ~/.claude/projects
  tracefold continue replay --transcripts DIR --contexts worker/1,list --budgets 2000,9500

Cuts runs at prompts, at compactions and after every so many calls, and looks up what the next calls use in
each context that could have stood in place of what was before. No model is asked. docs/METHODOLOGY.md
defines what is counted. Exit status: 0 measured, 2 wrong use or unusable input.")]
pub struct ReplayArgs {
    /// Sessions to generate, where no transcripts are named
    #[arg(long, value_enum, default_value = "all", help_heading = "Inputs")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges, as in 201-212 or 1,5,9-12 [default: 201-212]
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    pub seeds: Option<Seeds>,
    /// Your own transcripts: session files, or folders to search for them. Scoreboards hold neither their
    /// paths nor their content
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Inputs")]
    pub transcripts: Vec<PathBuf>,
    /// Sizes of contexts in characters, comma-separated
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "1000,2000,4000,8000,9500,16000,32000,64000"
    )]
    pub budgets: Vec<NonZeroUsize>,
    /// Contexts, comma-separated; `arms` for the arms of CONTINUE [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub contexts: Vec<String>,
    /// Calls after a cut whose entities are looked for
    #[arg(long, value_name = "N", default_value = "30")]
    pub window: NonZeroUsize,
    /// Cut after every N calls
    #[arg(long, value_name = "N", default_value = "50")]
    pub every: NonZeroUsize,
    /// Cut at a prompt only if N calls were made since the last such cut
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub min_calls: usize,
    /// Price the calls of arms as this model's, and simulate its cache
    #[arg(long, value_name = "MODEL", default_value = "claude-sonnet-4-5")]
    pub price_as: String,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl ReplayArgs {
    /// The inputs: named transcripts alone, if there are any.
    pub(super) fn inputs(&self) -> InputArgs {
        let profile = if self.transcripts.is_empty() { self.profile } else { ProfileChoice::None };
        InputArgs {
            profile,
            seeds: self.seeds.clone(),
            pathology: SetChoice::None,
            pathology_seeds: None,
            transcripts: self.transcripts.clone(),
        }
    }

    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        let budgets = self.budgets.iter().map(|budget| Size::Chars(budget.get()));
        let mut sizes: Vec<Size> = budgets.chain([Size::Own]).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let rules = CutRules {
            min_calls: self.min_calls,
            every: self.every.get(),
            window: self.window.get(),
        };
        let (contexts, with_arms) = self.chosen()?;
        let pricing = || {
            let (priced, cache) = priced_as(&self.price_as)?;
            anyhow::Ok(Pricing { priced, cache })
        };
        let arms = with_arms.then(pricing).transpose()?;
        Ok(Plan { rules, sizes, contexts, arms })
    }

    /// The rows of the contexts, and whether arms are among them.
    fn chosen(&self) -> anyhow::Result<(Vec<usize>, bool)> {
        if self.contexts.is_empty() {
            return Ok(((0..CONTEXTS.len()).collect(), true));
        }
        let (mut numbers, mut with_arms) = (BTreeSet::new(), false);
        for name in self.contexts.iter().map(|name| name.trim()) {
            match CONTEXTS.iter().position(|context| context.name == name) {
                Some(at) => {
                    numbers.insert(at);
                }
                None if name == ARMS_NAME => with_arms = true,
                None => {
                    let names: Vec<&str> = CONTEXTS.iter().map(|context| context.name).collect();
                    let names = names.join(", ");
                    bail!("there is no context `{name}`; there are {names} and {ARMS_NAME}");
                }
            }
        }
        Ok((numbers.into_iter().collect(), with_arms))
    }
}

/// What stands for all arms in a list of contexts.
const ARMS_NAME: &str = "arms";
