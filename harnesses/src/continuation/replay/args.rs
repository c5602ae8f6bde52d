//! Arguments of replay.

use anyhow::bail;
use clap::Args;
use corpus_gen::Seeds;
use corpus_gen::cli::{ProfileChoice, SetChoice};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::contexts::{CONTEXTS, Size};
use super::cuts::CutRules;
use super::measure::Plan;
use crate::common::CommonArgs;
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
    /// Contexts, comma-separated [default: all]
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
        Ok(Plan { rules, sizes, contexts: self.context_numbers()? })
    }

    fn context_numbers(&self) -> anyhow::Result<Vec<usize>> {
        if self.contexts.is_empty() {
            return Ok((0..CONTEXTS.len()).collect());
        }
        let number = |name: &String| {
            let Some(at) = CONTEXTS.iter().position(|context| context.name == name.trim()) else {
                let names: Vec<&str> = CONTEXTS.iter().map(|context| context.name).collect();
                bail!("there is no context `{name}`; there are {}", names.join(", "));
            };
            Ok(at)
        };
        let mut numbers = self.contexts.iter().map(number).collect::<anyhow::Result<Vec<_>>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }
}
