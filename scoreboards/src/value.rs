//! What an aggregate came to: its value, its interval, and how much it rests on.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use ground_truth::stats::{FEWEST_CLUSTERS, IntervalMethod};

/// A computed aggregate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The value.
    pub value: Value,
    /// The interval, where one was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<IntervalOutcome>,
    /// Rows that the value rests on.
    pub n: u64,
    /// Rows of the group whose measure is missing: not in `n`.
    pub missing: u64,
    /// Distinct clusters among the `n` rows, where a cluster label was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<u64>,
}

impl Estimate {
    /// The interval to show. A bootstrap over fewer than eight clusters says nothing, so its
    /// ends, or why it has none, give way to [`NotComputable::TooFewClusters`]. A scoreboard stores what
    /// was computed, so that it can be verified.
    pub fn shown_interval(&self) -> Option<IntervalOutcome> {
        let stored = self.interval.as_ref()?;
        let few = self.clusters.filter(|clusters| *clusters < FEWEST_CLUSTERS);
        Some(match (few, stored.is_bootstrap()) {
            (Some(clusters), true) => {
                IntervalOutcome::NotComputable(NotComputable::TooFewClusters { clusters })
            }
            _ => stored.clone(),
        })
    }

    /// The same outcome with the interval to show.
    #[must_use]
    pub fn shown(&self) -> Self {
        Self { interval: self.shown_interval(), ..self.clone() }
    }
}

/// A value, exact. A ratio is kept as its two sums, so that nothing is lost to division.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Value {
    /// A number of rows or labels.
    Count(u64),
    /// A sum, median, percentile or extreme.
    Number(Decimal),
    /// `num / den`.
    Ratio {
        /// Sum of the numerators.
        num: Decimal,
        /// Sum of the denominators; not zero.
        den: Decimal,
    },
    /// `1000 num / den`.
    PerThousand {
        /// Sum of the numerators.
        num: Decimal,
        /// Sum of the denominators; not zero.
        den: Decimal,
    },
    /// The most frequent values of a text.
    Frequencies {
        /// Value and rows, most frequent first, ties by value.
        entries: Vec<(String, u64)>,
        /// How many distinct values there are, shown or not.
        distinct: u64,
    },
    /// No value, with the reason: never a conventional 0 or 1.
    Undefined(Undefined),
}

impl Value {
    /// The value as one decimal number, where it is one (a division rounds at 28 digits).
    pub fn decimal(&self) -> Option<Decimal> {
        match self {
            Self::Count(n) => Some(Decimal::from(*n)),
            Self::Number(d) => Some(*d),
            Self::Ratio { num, den } => num.checked_div(*den),
            Self::PerThousand { num, den } => {
                num.checked_mul(Decimal::ONE_THOUSAND)?.checked_div(*den)
            }
            Self::Frequencies { .. } | Self::Undefined(_) => None,
        }
    }
}

/// Why an aggregate has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// No row has a value.
    NoRows,
    /// The denominator is zero.
    ZeroDenominator,
}

/// An interval's ends, or why there is no interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum IntervalOutcome {
    /// The ends, rounded to 12 significant digits, in the value's unit.
    Bounds {
        /// Lower end.
        lo: Decimal,
        /// Upper end.
        hi: Decimal,
        /// How it was computed.
        method: IntervalMethod,
    },
    /// No interval.
    NotComputable(NotComputable),
}

impl IntervalOutcome {
    /// Whether it came of resampling clusters: only that fails in other ways than by an undefined value.
    fn is_bootstrap(&self) -> bool {
        match self {
            Self::Bounds { method, .. } => method.is_bootstrap(),
            Self::NotComputable(why) => *why != NotComputable::UndefinedValue,
        }
    }
}

impl fmt::Display for NotComputable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UndefinedValue => f.write_str("none: no value"),
            Self::OneCluster => f.write_str("none: one cluster"),
            Self::NoVariation => f.write_str("none: no variation to resample"),
            Self::BcaOutOfRange => f.write_str("none: BCa out of range"),
            Self::UndefinedResamples { undefined, of } => {
                write!(f, "none: no value in {undefined} of {of} resamples")
            }
            Self::TooFewClusters { clusters } => write!(f, "too few clusters ({clusters})"),
        }
    }
}

/// Why an interval could not be computed, or is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NotComputable {
    /// The value itself is undefined.
    UndefinedValue,
    /// All rows are of one cluster.
    OneCluster,
    /// Every resample has the same value: the bootstrap sees no variation.
    NoVariation,
    /// The statistic has no value on so many resamples that the interval would rest on them.
    UndefinedResamples {
        /// Resamples without a value.
        undefined: u64,
        /// Resamples drawn.
        of: u64,
    },
    /// The correction of the `BCa` interval leaves its range.
    BcaOutOfRange,
    /// It rests on fewer than eight clusters. Only shown, never stored: see
    /// [`Estimate::shown_interval`].
    TooFewClusters {
        /// How many there are.
        clusters: u64,
    },
}
