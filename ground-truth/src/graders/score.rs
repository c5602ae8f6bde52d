//! A score as an exact fraction.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A fraction from 0 to 1 in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The numerator.
    pub num: u64,
    /// The denominator, at least 1.
    pub den: u64,
}

impl Score {
    /// Wrong.
    pub const ZERO: Self = Self { num: 0, den: 1 };
    /// Right.
    pub const ONE: Self = Self { num: 1, den: 1 };

    /// The fraction in lowest terms. A zero denominator gives 0; values above 1 become 1.
    #[must_use]
    pub fn new(num: u64, den: u64) -> Self {
        if den == 0 || num == 0 {
            return Self::ZERO;
        }
        let divisor = gcd(num, den);
        if num >= den { Self::ONE } else { Self { num: num / divisor, den: den / divisor } }
    }

    /// The value as a float.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of a list are far below 2^52")]
        let value = self.num as f64 / self.den as f64;
        value
    }

    /// The value in units of 10^-12, rounded down: sums of these are exact and have one order.
    pub(super) fn units(self) -> u128 {
        u128::from(self.num) * 1_000_000_000_000 / u128::from(self.den.max(1))
    }

    /// The mean of some scores.
    pub(super) fn mean(scores: &[Self]) -> Self {
        let common = scores.iter().fold(1_u64, |common, score| {
            common.saturating_mul(score.den / gcd(common, score.den).max(1))
        });
        let sum = scores.iter().fold(0_u64, |sum, score| {
            sum.saturating_add(score.num.saturating_mul(common / score.den.max(1)))
        });
        Self::new(sum, common.saturating_mul(scores.len() as u64))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.num, self.den)
    }
}

fn gcd(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { gcd(right, left % right) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms_and_between_0_and_1() {
        assert_eq!(Score::new(4, 6), Score { num: 2, den: 3 });
        assert_eq!((Score::new(0, 0), Score::new(3, 0)), (Score::ZERO, Score::ZERO));
        assert_eq!(Score::new(7, 7), Score::ONE);
        assert_eq!(Score::new(9, 7), Score::ONE);
        assert_eq!(Score::new(2, 3).to_string(), "2/3");
    }

    #[test]
    fn a_mean_is_exact() {
        let scores = [Score::new(1, 2), Score::new(1, 3), Score::ZERO, Score::ONE];
        assert_eq!(Score::mean(&scores), Score::new(11, 24));
        assert_eq!(Score::mean(&[]), Score::ZERO);
    }
}
