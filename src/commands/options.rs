//! What a fold can be told, for every command that folds.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use rust_decimal::Decimal;
use trace_model::detect::DetectorConfig;
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
    /// Flag the run when it has cost more than this many US dollars
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true, value_parser = dollars)]
    budget_usd: Option<Decimal>,
    /// Flag the run when it has used more than this many tokens of all kinds
    #[arg(long, value_name = "N")]
    budget_tokens: Option<u64>,
    /// Use the detector thresholds in this JSON file; what it leaves out keeps its default
    #[arg(long, value_name = "FILE")]
    thresholds: Option<PathBuf>,
}

impl FoldOptions {
    /// The configuration that the options ask for.
    pub(crate) fn config(&self) -> anyhow::Result<FoldConfig> {
        let mut config = FoldConfig::default();
        if let Some(path) = &self.prices {
            let table = PriceTable::from_json(&read(path)?);
            config.prices = Arc::new(table.with_context(|| path.display().to_string())?);
        }
        if let Some(path) = &self.thresholds {
            config.detectors = thresholds(path)?;
        }
        if !self.statistics.is_empty() {
            config.facts.statistics.clone_from(&self.statistics);
        }
        if self.budget_usd.is_some() {
            config.detectors.budget_dollars = self.budget_usd;
        }
        if self.budget_tokens.is_some() {
            config.detectors.budget_tokens = self.budget_tokens;
        }
        Ok(config)
    }
}

fn thresholds(path: &Path) -> anyhow::Result<DetectorConfig> {
    let parsed = serde_json::from_str(&read(path)?);
    parsed.with_context(|| format!("{} holds no detector thresholds", path.display()))
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn statistic(name: &str) -> Result<Statistic, String> {
    let named = Statistic::ALL.into_iter().find(|statistic| statistic.name() == name);
    named.ok_or_else(|| format!("`{name}` is no statistic"))
}

fn dollars(text: &str) -> anyhow::Result<Decimal> {
    match Decimal::from_str_exact(text) {
        Ok(amount) if !amount.is_sign_negative() => Ok(amount),
        _ => bail!("write an amount in dollars, as in 12.50"),
    }
}
