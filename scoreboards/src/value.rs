//! What an aggregate came to: its value, its interval, and how much it rests on.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use ground_truth::stats::IntervalMethod;

/// A computed aggregate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
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
    /// There is no value, and why: never a conventional 0 or 1.
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

/// An interval's ends, or why there is none.
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
    /// There is none.
    NotComputable(NotComputable),
}

/// Why an interval could not be computed.
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
}
