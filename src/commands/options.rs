//! What a fold can be told, for every command that folds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use harnesses::detect::ThresholdArgs;
use trace_model::fold::{FoldConfig, Statistic};
use trace_model::pricing::PriceTable;

/// Options of the fold.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the fold")]
pub(crate) struct FoldOptions {
    /// Use this price table instead of the built-in one (`tracefold prices --json` prints that)
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// What to compute per key of the facts [default: count,sum]
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Statistic::ALL.map(Statistic::name))
            .try_map(|name| statistic(&name))
    )]
    statistics: Vec<Statistic>,
    #[command(flatten)]
    thresholds: ThresholdArgs,
}

impl FoldOptions {
    /// The configuration that the options ask for.
    pub(crate) fn config(&self) -> anyhow::Result<FoldConfig> {
        let mut config = FoldConfig::default();
        if let Some(path) = &self.prices {
            let table = PriceTable::from_json(&read(path)?);
            config.prices = Arc::new(table.with_context(|| path.display().to_string())?);
        }
        config.detectors = self.thresholds.config();
        if !self.statistics.is_empty() {
            config.facts.statistics.clone_from(&self.statistics);
        }
        Ok(config)
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn statistic(name: &str) -> Result<Statistic, String> {
    let named = Statistic::ALL.into_iter().find(|statistic| statistic.name() == name);
    named.ok_or_else(|| format!("`{name}` is no statistic"))
}
