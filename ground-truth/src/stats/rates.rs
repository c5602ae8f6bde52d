//! Precision, recall and F1 as exact fractions: `None` where the denominator is zero.

use serde::{Deserialize, Serialize};

/// `hits` of `of`, kept exact. `of` is never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fraction {
    /// Numerator.
    pub hits: u64,
    /// Denominator.
    pub of: u64,
}

impl Fraction {
    /// `None` if `of` is zero.
    pub fn new(hits: u64, of: u64) -> Option<Self> {
        (of > 0).then_some(Self { hits, of })
    }

    /// The fraction as a number.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub fn value(self) -> f64 {
        self.hits as f64 / self.of as f64
    }
}

/// tp / (tp + fp); `None` if nothing was reported.
pub fn precision(true_positives: u64, false_positives: u64) -> Option<Fraction> {
    Fraction::new(true_positives, true_positives + false_positives)
}

/// tp / (tp + fn); `None` if there was nothing to find.
pub fn recall(true_positives: u64, false_negatives: u64) -> Option<Fraction> {
    Fraction::new(true_positives, true_positives + false_negatives)
}

/// 2 tp / (2 tp + fp + fn), the harmonic mean of precision and recall; `None` if there was neither
/// anything to find nor anything reported. Source: van Rijsbergen, *Information Retrieval*, 2nd ed.
/// (1979), ch. 7.
pub fn f1(true_positives: u64, false_positives: u64, false_negatives: u64) -> Option<Fraction> {
    let twice = 2 * true_positives;
    Fraction::new(twice, twice + false_positives + false_negatives)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_denominators_are_none() {
        assert_eq!(precision(0, 0), None);
        assert_eq!(recall(0, 0), None);
        assert_eq!(f1(0, 0, 0), None);
        assert_eq!(precision(0, 3), Some(Fraction { hits: 0, of: 3 }));
        assert_eq!(f1(1, 1, 1), Some(Fraction { hits: 2, of: 4 }));
    }
}
