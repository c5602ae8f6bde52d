//! An interval with its level and the name of its method. Every interval function returns one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::StatsError;

/// A confidence level, strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Level(f64);

impl Level {
    /// 95%.
    pub const P95: Level = Level(0.95);
    /// 90%.
    pub const P90: Level = Level(0.90);
    /// 99%.
    pub const P99: Level = Level(0.99);

    /// Checks that the level lies strictly between 0 and 1.
    pub fn new(level: f64) -> Result<Self, StatsError> {
        if level > 0.0 && level < 1.0 {
            Ok(Self(level))
        } else {
            Err(StatsError::InvalidProbability { what: "level", value: level })
        }
    }

    /// The level as a number, such as 0.95.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The probability left in each of the two tails, such as 0.025.
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }
}

/// How an interval was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Exact binomial (Clopper and Pearson 1934).
    ClopperPearson,
    /// Score interval without continuity correction (Wilson 1927).
    Wilson,
    /// Percentiles of the bootstrap distribution.
    PercentileBootstrap,
    /// Bias-corrected and accelerated bootstrap (Efron 1987).
    BcaBootstrap,
}

impl IntervalMethod {
    /// Whether it resamples clusters, and so needs enough of them
    /// ([`FEWEST_CLUSTERS`](crate::stats::FEWEST_CLUSTERS)).
    pub fn is_bootstrap(self) -> bool {
        match self {
            Self::PercentileBootstrap | Self::BcaBootstrap => true,
            Self::ClopperPearson | Self::Wilson => false,
        }
    }

    /// The method's name as printed beside an interval.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClopperPearson => "Clopper-Pearson",
            Self::Wilson => "Wilson",
            Self::PercentileBootstrap => "percentile bootstrap",
            Self::BcaBootstrap => "BCa bootstrap",
        }
    }
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A two-sided interval in the units of the estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
    /// Nominal coverage.
    pub level: Level,
    /// How it was computed.
    pub method: IntervalMethod,
}
