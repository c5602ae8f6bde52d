//! Rows: one measured item each, with labels to group by and typed measures.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// One item that was measured: a trace, a field of a transcript, an answer, a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Unique in its scoreboard, and the same for the same item in every scoreboard, so that two
    /// scoreboards can be compared pair by pair.
    pub id: String,
    /// What the item belongs to: `set`, `kind`, `arm`, `family`, `seed`, `trace`, ...
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The renderer that made what was measured: a key of the provenance's `renderers`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renderer: Option<String>,
    /// What was measured, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, Measure>,
}

impl Row {
    /// A row without labels or measures.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), labels: BTreeMap::new(), renderer: None, measures: BTreeMap::new() }
    }

    /// Sets a label.
    #[must_use]
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Names the renderer of what was measured.
    #[must_use]
    pub fn renderer(mut self, name: impl Into<String>) -> Self {
        self.renderer = Some(name.into());
        self
    }

    /// Sets a measure.
    #[must_use]
    pub fn measure(mut self, name: impl Into<String>, value: Measure) -> Self {
        self.measures.insert(name.into(), value);
        self
    }

    /// Sets a [`Measure::Count`].
    #[must_use]
    pub fn count(self, name: impl Into<String>, value: u64) -> Self {
        self.measure(name, Measure::Count(value))
    }

    /// Sets a [`Measure::Flag`].
    #[must_use]
    pub fn flag(self, name: impl Into<String>, value: bool) -> Self {
        self.measure(name, Measure::Flag(value))
    }

    /// Sets a [`Measure::Text`].
    #[must_use]
    pub fn text(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.measure(name, Measure::Text(value.into()))
    }

    /// Sets a [`Measure::Missing`].
    #[must_use]
    pub fn missing(self, name: impl Into<String>, reason: impl Into<String>) -> Self {
        self.measure(name, Measure::Missing { reason: reason.into() })
    }
}

/// One measured value. There are no floats: every value survives a round trip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Measure {
    /// A number of things.
    Count(u64),
    /// Yes or no. As a number it is 1 or 0.
    Flag(bool),
    /// A score or other quantity, exact.
    Score(Decimal),
    /// Tokens.
    Tokens(u64),
    /// Dollars, exact.
    Dollars(Decimal),
    /// A text, such as a message. From outside: escape it before printing.
    Text(String),
    /// Not measured, and why. A missing value is counted as missing, never as zero.
    Missing {
        /// Why there is no value.
        reason: String,
    },
}

impl Measure {
    /// The score `num / den`, rounded half-even at 12 decimal places; missing if `den` is zero.
    pub fn score_ratio(num: u64, den: u64) -> Self {
        match Decimal::from(num).checked_div(Decimal::from(den)) {
            Some(score) => Self::Score(score.round_dp(12).normalize()),
            None => Self::Missing { reason: "zero denominator".to_owned() },
        }
    }

    /// The measure as a number; `None` for text and for a missing value.
    pub fn number(&self) -> Option<Decimal> {
        match self {
            Self::Count(n) | Self::Tokens(n) => Some(Decimal::from(*n)),
            Self::Flag(yes) => Some(Decimal::from(u8::from(*yes))),
            Self::Score(d) | Self::Dollars(d) => Some(*d),
            Self::Text(_) | Self::Missing { .. } => None,
        }
    }

    /// The kind's name, as in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Count(_) => "count",
            Self::Flag(_) => "flag",
            Self::Score(_) => "score",
            Self::Tokens(_) => "tokens",
            Self::Dollars(_) => "dollars",
            Self::Text(_) => "text",
            Self::Missing { .. } => "missing",
        }
    }

    /// The same value with no trailing zeros, so that equal values are written with equal bytes.
    pub(crate) fn normalized(self) -> Self {
        match self {
            Self::Score(d) => Self::Score(d.normalize()),
            Self::Dollars(d) => Self::Dollars(d.normalize()),
            other => other,
        }
    }
}
