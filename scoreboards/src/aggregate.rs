//! Declared aggregates: their rows, method and interval.
//!
//! A declaration is data and complete: with the rows it determines the outcome, which is how a stored
//! scoreboard can be verified.

use std::collections::BTreeMap;
use std::fmt;

use ground_truth::stats::BootstrapKind;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::row::Row;
use crate::value::Estimate;

/// A declared aggregate and what it came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    /// The declaration.
    pub spec: AggregateSpec,
    /// The result.
    pub outcome: Estimate,
}

/// The declaration of an aggregate. (`name`, `over`) is unique in a scoreboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AggregateSpec {
    /// What it is called.
    pub name: String,
    /// The rows it is over.
    #[serde(default, skip_serializing_if = "Group::is_all")]
    pub over: Group,
    /// How it is computed from them.
    pub method: Method,
    /// The label that names each row's cluster: rows of one cluster are not independent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// The interval to compute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<IntervalSpec>,
    /// Differences that its rows may have although they are pooled; printed beside the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pooled_across: Vec<PoolAxis>,
}

impl AggregateSpec {
    /// An aggregate over all rows, without interval.
    pub fn new(name: impl Into<String>, method: Method) -> Self {
        Self {
            name: name.into(),
            over: Group::all(),
            method,
            cluster: None,
            interval: None,
            pooled_across: Vec::new(),
        }
    }

    /// Only over rows with this label.
    #[must_use]
    pub fn over(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.over = self.over.and(label, value);
        self
    }

    /// Names the cluster label.
    #[must_use]
    pub fn cluster(mut self, label: impl Into<String>) -> Self {
        self.cluster = Some(label.into());
        self
    }

    /// Asks for an interval.
    #[must_use]
    pub fn interval(mut self, interval: IntervalSpec) -> Self {
        self.interval = Some(interval);
        self
    }

    /// Allows the rows to differ in the named respect.
    #[must_use]
    pub fn pooled_across(mut self, axis: PoolAxis) -> Self {
        self.pooled_across.push(axis);
        self
    }

    /// `name [group]`, for messages.
    pub fn title(&self) -> String {
        format!("{} [{}]", self.name, self.over)
    }
}

/// A difference between rows that an aggregate is declared to span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolAxis {
    /// The renderer: name, version or fingerprint.
    Renderer,
    /// A protocol setting.
    Protocol,
    /// The rule set of a grader.
    Grader,
    /// The question pack.
    QuestionPack,
    /// The reader or worker: role, provider or model.
    Answerer,
    /// The price table.
    Prices,
    /// The rows' own labels.
    Labels,
}

impl PoolAxis {
    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Renderer => "renderer",
            Self::Protocol => "protocol",
            Self::Grader => "grader",
            Self::QuestionPack => "question pack",
            Self::Answerer => "reader or worker",
            Self::Prices => "prices",
            Self::Labels => "labels",
        }
    }
}

/// The rows that have each of these labels. The empty group is all rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Group(pub BTreeMap<String, String>);

impl Group {
    /// All rows.
    pub fn all() -> Self {
        Self::default()
    }

    /// Whether it is all rows.
    pub fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows of the group that also have this label.
    #[must_use]
    pub fn and(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.insert(label.into(), value.into());
        self
    }

    /// Whether a row is in it.
    pub fn contains(&self, row: &Row) -> bool {
        self.0.iter().all(|(label, value)| row.labels.get(label) == Some(value))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_all() {
            return f.write_str("all");
        }
        for (i, (label, value)) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{label}={value}")?;
        }
        Ok(())
    }
}

/// How an aggregate is computed from the rows of its group. Each named measure must be present in
/// each of them (as [`Measure::Missing`](crate::Measure::Missing), if it has no value).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Method {
    /// The number of rows.
    Rows,
    /// The number of distinct values of a label.
    Distinct {
        /// The label.
        label: String,
    },
    /// The sum of a measure; zero without rows.
    Sum {
        /// The measure.
        measure: String,
    },
    /// The number of rows whose measure meets a condition.
    CountWhere {
        /// The measure.
        measure: String,
        /// The condition.
        is: Condition,
    },
    /// The share of rows whose measure meets a condition.
    Share {
        /// The measure.
        measure: String,
        /// The condition.
        is: Condition,
    },
    /// The mean of a measure over rows.
    Mean {
        /// The measure.
        measure: String,
    },
    /// The median: the mean of the two middle values where their number is even.
    Median {
        /// The measure.
        measure: String,
    },
    /// A percentile, interpolated linearly at position (n - 1) p / 100 (Hyndman and Fan's type 7).
    Percentile {
        /// The measure.
        measure: String,
        /// From 0 to 100.
        p: Decimal,
    },
    /// The smallest value.
    Min {
        /// The measure.
        measure: String,
    },
    /// The largest value.
    Max {
        /// The measure.
        measure: String,
    },
    /// Σ tp / Σ (tp + fp).
    Precision {
        /// Measure of true positives.
        tp: String,
        /// Measure of false positives.
        fp: String,
    },
    /// Σ tp / Σ (tp + fn).
    Recall {
        /// Measure of true positives.
        tp: String,
        /// Measure of false negatives.
        r#fn: String,
    },
    /// Σ 2 tp / Σ (2 tp + fp + fn).
    F1 {
        /// Measure of true positives.
        tp: String,
        /// Measure of false positives.
        fp: String,
        /// Measure of false negatives.
        r#fn: String,
    },
    /// Σ num / Σ den.
    RatioOfSums {
        /// Measure of the numerator.
        num: String,
        /// Measure of the denominator.
        den: String,
    },
    /// 1000 Σ num / Σ den.
    PerThousand {
        /// Measure of the numerator.
        num: String,
        /// Measure of the denominator.
        den: String,
    },
    /// Mean cost over success rate: Σ cost / Σ success. Undefined without a success.
    CostPerSuccess {
        /// Measure of the cost.
        cost: String,
        /// Measure of success, a flag.
        success: String,
    },
    /// The most frequent values of a text measure.
    MostFrequent {
        /// The measure.
        measure: String,
        /// How many to keep.
        top: u32,
    },
}

/// A condition on a measure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// A flag with this value.
    Flag(bool),
    /// A count with this value.
    Count(u64),
    /// A text equal to this one.
    Text(String),
    /// A missing value (rows with a value do not meet it; none counts as missing).
    Missing,
}

/// Which interval to compute, completely: the same declaration gives the same interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum IntervalSpec {
    /// Exact binomial, for a share of independent rows.
    ClopperPearson {
        /// Nominal coverage, such as 0.95.
        level: Decimal,
    },
    /// Wilson's score interval, for a share of independent rows.
    Wilson {
        /// Nominal coverage.
        level: Decimal,
    },
    /// A bootstrap over the clusters that the aggregate's `cluster` label names.
    Bootstrap {
        /// Percentile or `BCa`.
        kind: BootstrapKind,
        /// Resamples.
        resamples: u32,
        /// Seed of the draws.
        seed: u64,
        /// Nominal coverage.
        level: Decimal,
    },
}

impl IntervalSpec {
    /// The 95% Clopper-Pearson interval.
    pub fn exact95() -> Self {
        Self::ClopperPearson { level: Decimal::new(95, 2) }
    }

    /// The 95% `BCa` bootstrap interval over 10,000 resamples.
    pub fn bca95(seed: u64) -> Self {
        Self::Bootstrap {
            kind: BootstrapKind::Bca,
            resamples: 10_000,
            seed,
            level: Decimal::new(95, 2),
        }
    }

    /// The nominal coverage.
    pub fn level(&self) -> Decimal {
        match self {
            Self::ClopperPearson { level }
            | Self::Wilson { level }
            | Self::Bootstrap { level, .. } => *level,
        }
    }
}
