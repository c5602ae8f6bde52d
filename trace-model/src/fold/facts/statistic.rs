//! The statistics that a fold can keep.

use serde::{Deserialize, Serialize};

/// A statistic that a fold can keep per key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// How many facts there are.
    Count,
    /// The sum of those that are numbers.
    Sum,
    /// The minimum.
    Min,
    /// The greatest of them.
    Max,
    /// The last of them, in the order in which they were first read.
    Last,
    /// The first less the second plus the third and so on, in that order.
    AlternatingSum,
}

impl Statistic {
    /// All statistics, in the order in which they are listed.
    pub const ALL: [Self; 6] =
        [Self::Count, Self::Sum, Self::Min, Self::Max, Self::Last, Self::AlternatingSum];

    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Last => "last",
            Self::AlternatingSum => "alternating_sum",
        }
    }
}
