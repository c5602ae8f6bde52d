//! The truth of a question, with all that is needed to grade an answer to it.
//!
//! Beside the right answer, a truth holds what the answer could be mistaken for (the run's other requests,
//! errors, tools, paths): only so can a grader tell whether an answer names one thing or many.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::text::fold;

/// Minimum token F1, in percent, for a text to count as quoted.
const QUOTED: u64 = 80;

/// The same for a text that names something, such as a command: one word more or less is another thing.
const NAMED: u64 = 95;

/// How far an answer may be from the truth: the larger of the two allowances.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tolerance {
    /// In the truth's unit: for a duration, seconds.
    pub absolute: u64,
    /// In percent of the truth.
    pub percent: u64,
}

impl Tolerance {
    /// Whether only the truth itself is right.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a value is near enough.
    #[must_use]
    pub fn accepts(&self, value: i128, truth: u64) -> bool {
        let distance = value.abs_diff(i128::from(truth));
        distance <= u128::from(self.absolute)
            || distance.saturating_mul(100) <= u128::from(truth) * u128::from(self.percent)
    }
}

/// The unit of a duration that is answered without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
}

impl Unit {
    /// The unit's length in seconds.
    #[must_use]
    pub fn seconds(self) -> u64 {
        match self {
            Self::Seconds => 1,
            Self::Minutes => 60,
        }
    }
}

/// What an item of a list is, which says when two of them are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// The path of a file.
    Path,
    /// An id.
    Id,
    /// A few words.
    Phrase,
}

/// The truth of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Truth {
    /// An integer.
    Integer {
        /// The integer.
        value: u64,
        /// How far off an answer may be.
        tolerance: Tolerance,
    },
    /// One of the names that the run knows.
    Name {
        /// The name, or the names that tie.
        accepted: Vec<String>,
        /// All names that it could have been.
        known: Vec<String>,
    },
    /// The path of a file.
    Path {
        /// The path, or the paths that tie.
        accepted: Vec<String>,
        /// All paths that the run names.
        known: Vec<String>,
    },
    /// A text that is to be quoted.
    Quotation {
        /// The text, or the texts that are as good.
        accepted: Vec<String>,
        /// Other forms of it, which must be complete.
        forms: Vec<String>,
        /// The texts that it could be mistaken for.
        others: Vec<String>,
        /// Minimum token F1, in percent, for it to count as quoted.
        least_f1: u64,
    },
    /// A set.
    Set {
        /// What is in it.
        items: Vec<String>,
        /// All that could have been in it.
        known: Vec<String>,
        /// What the items are.
        item: ItemKind,
    },
    /// A time span.
    Duration {
        /// In seconds.
        seconds: u64,
        /// The unit of an answer without one.
        unit: Unit,
        /// How far off an answer may be, in seconds.
        tolerance: Tolerance,
    },
    /// Yes or no.
    YesNo {
        /// Whether it is yes.
        yes: bool,
    },
    /// The trace does not say.
    NotStated,
    /// Several answers.
    Each {
        /// Each with its name.
        parts: Vec<Part>,
    },
}

/// One of several answers to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What a reader that answers with an object may call it.
    pub label: String,
    /// Its truth.
    pub truth: Truth,
}

impl Truth {
    /// A text to be quoted, and the texts that it could be mistaken for. Texts with the same words are dropped.
    #[must_use]
    pub fn quotation(text: String, others: impl IntoIterator<Item = String>) -> Self {
        Self::text(vec![text], Vec::new(), others, QUOTED)
    }

    /// Texts that name something, hardly a word of which may differ; and other forms of them, which have to be
    /// given whole.
    #[must_use]
    pub fn naming(
        accepted: Vec<String>,
        forms: Vec<String>,
        others: impl IntoIterator<Item = String>,
    ) -> Self {
        Self::text(accepted, forms, others, NAMED)
    }

    fn text(
        accepted: Vec<String>,
        forms: Vec<String>,
        others: impl IntoIterator<Item = String>,
        least_f1: u64,
    ) -> Self {
        let right: BTreeSet<String> =
            accepted.iter().chain(&forms).map(|text| fold(text)).collect();
        let others: BTreeSet<String> =
            others.into_iter().filter(|other| !right.contains(&fold(other))).collect();
        Self::Quotation { accepted, forms, others: others.into_iter().collect(), least_f1 }
    }

    /// An answer that is right.
    #[must_use]
    pub fn answer(&self) -> Value {
        let first = |accepted: &[String]| json!(accepted.first().cloned().unwrap_or_default());
        match self {
            Self::Integer { value, .. } => json!(value),
            Self::Name { accepted, .. }
            | Self::Path { accepted, .. }
            | Self::Quotation { accepted, .. } => first(accepted),
            Self::Set { items, .. } if items.is_empty() => json!("none"),
            Self::Set { items, .. } => json!(items),
            Self::Duration { seconds, unit, .. } => json!(seconds / unit.seconds()),
            Self::YesNo { yes } => json!(if *yes { "yes" } else { "no" }),
            Self::NotStated => json!("not stated"),
            Self::Each { parts } => parts.iter().map(|part| part.truth.answer()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_the_larger_of_its_two_allowances() {
        let both = Tolerance { absolute: 10, percent: 2 };
        assert!(both.accepts(90, 100) && both.accepts(110, 100) && !both.accepts(111, 100));
        assert!(both.accepts(10_200, 10_000) && !both.accepts(10_201, 10_000));
        assert!(Tolerance::default().accepts(7, 7) && !Tolerance::default().accepts(8, 7));
        assert!(!both.accepts(i128::MIN, u64::MAX));
    }

    #[test]
    fn the_same_words_elsewhere_are_no_other_text() {
        let truth = Truth::quotation("Go on".into(), ["go  ON".to_owned(), "Stop".to_owned()]);
        let Truth::Quotation { others, .. } = truth else { unreachable!() };
        assert_eq!(others, ["Stop"]);
    }
}
