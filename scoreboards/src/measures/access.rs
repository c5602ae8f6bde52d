//! Writing and reading rows and aggregates by key.

use super::key::{AggregateKey, Definition, Kind, LabelKey, MeasureKey, Score, Text};
use crate::aggregate::{Aggregate, Group};
use crate::row::{Measure, Row};
use crate::schema::Scoreboard;

impl Row {
    /// Sets a measure.
    #[must_use]
    pub fn with<K: Kind>(self, key: &MeasureKey<K>, value: impl Into<K::Value>) -> Self {
        self.measure(key, K::measure(value.into()))
    }

    /// Sets a measure to its value, or to why it has none.
    #[must_use]
    pub fn with_known<K: Kind, W: Into<String>>(
        self,
        key: &MeasureKey<K>,
        value: Result<K::Value, W>,
    ) -> Self {
        match value {
            Ok(value) => self.measure(key, K::measure(value)),
            Err(why) => self.missing(key, why),
        }
    }

    /// Sets a score to `num / den`, as [`Measure::score_ratio`] has it.
    #[must_use]
    pub fn with_ratio(self, key: &MeasureKey<Score>, num: u64, den: u64) -> Self {
        self.measure(key, Measure::score_ratio(num, den))
    }

    /// What the row holds of a measure: its value or why it is missing. None if it does not have it.
    pub fn held<K: Kind>(&self, key: &MeasureKey<K>) -> Option<&Measure> {
        self.measures.get(key.name())
    }

    /// The value of a measure; none if the row does not have it or it is missing.
    pub fn value<K: Kind>(&self, key: &MeasureKey<K>) -> Option<K::Value> {
        K::value(self.held(key)?)
    }

    /// The text of a measure; empty if the row does not have it or it is missing.
    pub fn text_of(&self, key: &MeasureKey<Text>) -> &str {
        match self.held(key) {
            Some(Measure::Text(text)) => text,
            _ => "",
        }
    }

    /// The value of a label.
    pub fn label_of(&self, key: &LabelKey) -> Option<&str> {
        self.labels.get(key.name()).map(String::as_str)
    }

    /// Whether a label has this value.
    pub fn is(&self, key: &LabelKey, value: impl Into<String>) -> bool {
        self.label_of(key) == Some(&value.into())
    }
}

impl Group {
    /// Whether it names a label.
    pub fn names(&self, key: &LabelKey) -> bool {
        self.0.contains_key(key.name())
    }
}

impl Scoreboard {
    /// The aggregate of this key over this group.
    pub fn find(&self, key: &AggregateKey, over: &Group) -> Option<&Aggregate> {
        self.aggregate(key.name(), over)
    }
}

/// The names of a row that are not among a schema's labels, or that it does not define as a measure of that
/// kind.
pub(super) fn undefined(
    row: &Row,
    labels: &[Definition],
    kind_of: impl Fn(&str) -> Option<&'static str>,
) -> Vec<String> {
    let known = |name: &str| labels.iter().any(|label| label.name == name);
    let strange_labels = row.labels.keys().filter(|name| !known(name));
    let strange = |name: &str, measure: &Measure| match kind_of(name) {
        Some(kind) => !matches!(measure, Measure::Missing { .. }) && measure.kind() != kind,
        None => true,
    };
    let measures = row.measures.iter().filter(|(name, measure)| strange(name, measure));
    strange_labels.chain(measures.map(|(name, _)| name)).cloned().collect()
}
