//! How the detectors are set on a command line, for every command that has detectors.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use trace_model::detect::{DetectorConfig, Threshold};

/// Flags that set the detectors' thresholds.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Detectors")]
pub struct DetectorArgs {
    /// Read thresholds from a TOML file, as in `[loop]` and below it `raise = 4`
    #[arg(long, value_name = "FILE")]
    pub detectors: Option<PathBuf>,
    /// Set a threshold, as in loop.raise=4 or budget.dollars=5; repeat it to set more (`tracefold config`
    /// lists them)
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    pub set: Vec<String>,
}

impl DetectorArgs {
    /// The detectors' configuration: the defaults, overridden by the flags.
    ///
    /// # Errors
    /// If the file cannot be read, or sets something that is not a threshold.
    pub fn config(&self) -> anyhow::Result<DetectorConfig> {
        let mut config = DetectorConfig::default();
        self.apply(&mut config)?;
        Ok(config)
    }

    /// Applies the flags, the file first; returns where each threshold was set.
    ///
    /// # Errors
    /// If the file cannot be read, or sets something that is not a threshold.
    pub fn apply(
        &self,
        config: &mut DetectorConfig,
    ) -> anyhow::Result<Vec<(&'static Threshold, String)>> {
        let mut changed = Vec::new();
        if let Some(file) = &self.detectors {
            let name = file.display();
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            let set = config.set_all(&text).with_context(|| name.to_string())?;
            let origin = |line| format!("--detectors {name}, line {line}");
            changed.extend(set.into_iter().map(|(threshold, line)| (threshold, origin(line))));
        }
        for assignment in &self.set {
            changed.push((config.assign(assignment)?, format!("--set {assignment}")));
        }
        Ok(changed)
    }
}

/// Checks an assignment, so that a wrong one is reported as an error of its flag.
fn assignment(text: &str) -> anyhow::Result<String> {
    DetectorConfig::default().assign(text)?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_flags_the_thresholds_are_the_detectors_own() {
        let args: DetectorArgs = crate::common::defaults();
        assert_eq!(args.config().unwrap(), DetectorConfig::default());
    }
}
