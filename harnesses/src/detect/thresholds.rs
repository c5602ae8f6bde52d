//! The detectors' thresholds as flags. The defaults are the detectors' own.

use anyhow::bail;
use clap::Args;
use rust_decimal::Decimal;
use trace_model::detect::DetectorConfig;

/// Thresholds of the detectors.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Detector thresholds")]
pub struct ThresholdArgs {
    /// Outcomes of a thread among which repetitions are looked for
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().loop_window)]
    pub loop_window: usize,
    /// Repetitions in the window that raise a loop
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().loop_raise)]
    pub loop_raise: u64,
    /// Repetitions that escalate it
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().loop_escalate)]
    pub loop_escalate: u64,
    /// Succeeded or failed outcomes of a thread that are looked at for a streak
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().streak_window)]
    pub streak_window: usize,
    /// Failures in the window that raise an error streak
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().streak_raise)]
    pub streak_raise: u64,
    /// Failures that escalate it
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().streak_escalate)]
    pub streak_escalate: u64,
    /// Successes in a row that end it
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().streak_clear)]
    pub streak_clear: u64,
    /// Calls of a thread that are looked at for a flood
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().flood_window)]
    pub flood_window: usize,
    /// Calls of the window that must go to the two commonest tools
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().flood_concentration)]
    pub flood_concentration: usize,
    /// Windows of calls that escalate a flood
    #[arg(long, value_name = "N", default_value_t = DetectorConfig::default().flood_escalate_windows)]
    pub flood_escalate_windows: u64,
    /// Silence above this, with a call in flight that runs, is a stall
    #[arg(long, value_name = "MILLISECONDS", default_value_t = DetectorConfig::default().stall_millis)]
    pub stall_millis: i64,
    /// Silence that escalates it
    #[arg(long, value_name = "MILLISECONDS", default_value_t = DetectorConfig::default().stall_escalate_millis)]
    pub stall_escalate_millis: i64,
    /// Silence above this, with all calls in flight waiting for a person, is an alarm
    #[arg(long, value_name = "MILLISECONDS", default_value_t = DetectorConfig::default().waiting_millis)]
    pub waiting_millis: i64,
    /// Silence that escalates it
    #[arg(long, value_name = "MILLISECONDS", default_value_t = DetectorConfig::default().waiting_escalate_millis)]
    pub waiting_escalate_millis: i64,
    /// Limit on dollars spent [default: none]
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, value_parser = dollars)]
    pub budget_dollars: Option<Decimal>,
    /// Limit on tokens spent [default: none]
    #[arg(long, value_name = "N")]
    pub budget_tokens: Option<u64>,
}

impl ThresholdArgs {
    /// The detectors' configuration.
    pub fn config(&self) -> DetectorConfig {
        let Self {
            loop_window,
            loop_raise,
            loop_escalate,
            streak_window,
            streak_raise,
            streak_escalate,
            streak_clear,
            flood_window,
            flood_concentration,
            flood_escalate_windows,
            stall_millis,
            stall_escalate_millis,
            waiting_millis,
            waiting_escalate_millis,
            budget_dollars,
            budget_tokens,
        } = self.clone();
        DetectorConfig {
            loop_window,
            loop_raise,
            loop_escalate,
            streak_window,
            streak_raise,
            streak_escalate,
            streak_clear,
            flood_window,
            flood_concentration,
            flood_escalate_windows,
            stall_millis,
            stall_escalate_millis,
            waiting_millis,
            waiting_escalate_millis,
            budget_dollars,
            budget_tokens,
            ..DetectorConfig::default()
        }
    }
}

fn dollars(text: &str) -> anyhow::Result<Decimal> {
    match Decimal::from_str_exact(text) {
        Ok(amount) if !amount.is_sign_negative() => Ok(amount),
        _ => bail!("write an amount in dollars, as in 12.50"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_flags_the_thresholds_are_the_detectors_own() {
        let args: ThresholdArgs = crate::common::defaults();
        assert_eq!(args.config(), DetectorConfig::default());
    }
}
