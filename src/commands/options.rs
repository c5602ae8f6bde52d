//! Fold options, for every command that folds.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use cli_support::parallel;
use harnesses::detect::DetectorArgs;
use trace_model::fold::{FoldConfig, Statistic};

use crate::settings::Settings;

/// On how many threads sessions are read, for the commands that read many.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = None::<&str>)]
pub(crate) struct Jobs {
    /// Sessions to read in parallel [default: one per processor]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

impl Jobs {
    /// The number of threads.
    pub(crate) fn threads(self) -> usize {
        parallel::threads(self.jobs)
    }
}

/// Options of the fold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the fold")]
pub(crate) struct FoldOptions {
    /// Read prices from a file, in the format that `tracefold prices --json` prints
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Compute these statistics for each fact key [default: count,sum]
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Statistic::ALL.map(Statistic::name))
            .try_map(|name| statistic(&name))
    )]
    statistics: Vec<Statistic>,
    #[command(flatten)]
    detectors: DetectorArgs,
}

impl FoldOptions {
    /// The settings in force: of files, and what the flags change.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::from_files()?;
        if let Some(file) = &self.prices {
            settings.use_prices(file);
        }
        settings.set_detectors(&self.detectors)?;
        Ok(settings)
    }

    /// The configuration of the fold.
    pub(crate) fn config(&self) -> anyhow::Result<FoldConfig> {
        let mut config = self.settings()?.fold_config()?;
        if !self.statistics.is_empty() {
            config.facts.statistics.clone_from(&self.statistics);
        }
        Ok(config)
    }
}

fn statistic(name: &str) -> Result<Statistic, String> {
    let named = Statistic::ALL.into_iter().find(|statistic| statistic.name() == name);
    named.ok_or_else(|| format!("`{name}` is not a statistic"))
}
