//! Integers of 256 bits, for sums that never round: 10^20 numbers of 28 digits before and behind the point fit.

use std::cmp::Ordering;

/// The greatest power of ten in a limb, and its digits.
const CHUNK: u64 = 10_000_000_000_000_000_000;
const CHUNK_DIGITS: usize = 19;

/// A signed integer: limbs in two's complement, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wide([u64; 4]);

impl Wide {
    /// This and another; wraps around at the limits.
    pub(super) fn plus(self, other: Self) -> Self {
        let mut carry = false;
        let mut sum = [0; 4];
        for (limb, (one, two)) in sum.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            let (partial, first) = one.overflowing_add(two);
            let (whole, second) = partial.overflowing_add(u64::from(carry));
            carry = first || second;
            *limb = whole;
        }
        Self(sum)
    }

    pub(super) fn negated(self) -> Self {
        Self(self.0.map(|limb| !limb)).plus(Self([1, 0, 0, 0]))
    }

    pub(super) fn is_negative(self) -> bool {
        self.0[3] >> 63 == 1
    }

    /// Reads digits; none if there are too many or something else is among them.
    pub(super) fn from_digits(digits: &str) -> Option<Self> {
        let mut limbs = [0; 4];
        for digit in digits.bytes() {
            let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
            let mut carry = u128::from(digit);
            for limb in &mut limbs {
                let grown = u128::from(*limb) * 10 + carry;
                (*limb, carry) = (low(grown), grown >> 64);
            }
            if carry > 0 {
                return None;
            }
        }
        Some(Self(limbs)).filter(|wide| !wide.is_negative())
    }

    /// The digits without the sign; at least one.
    pub(super) fn digits(self) -> String {
        let mut rest = if self.is_negative() { self.negated() } else { self };
        let mut chunks = Vec::new();
        while rest != Self::default() {
            chunks.push(rest.divide());
        }
        let first = chunks.pop().unwrap_or_default().to_string();
        let rest = chunks.iter().rev().map(|chunk| format!("{chunk:0CHUNK_DIGITS$}"));
        std::iter::once(first).chain(rest).collect()
    }

    /// Divides a magnitude by [`CHUNK`]; returns what remains.
    fn divide(&mut self) -> u64 {
        let mut remainder = 0;
        for limb in self.0.iter_mut().rev() {
            let part = u128::from(remainder) << 64 | u128::from(*limb);
            *limb = low(part / u128::from(CHUNK));
            remainder = low(part % u128::from(CHUNK));
        }
        remainder
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_sign = other.is_negative().cmp(&self.is_negative());
        by_sign.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the rest is carried")]
fn low(wide: u128) -> u64 {
    wide as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Wide {
        let digits = Wide::from_digits(text.trim_start_matches('-')).unwrap();
        if text.starts_with('-') { digits.negated() } else { digits }
    }

    #[test]
    fn digits_are_kept_across_limbs() {
        for text in ["0", "7", "10000000000000000000", "340282366920938463463374607431768211456"] {
            assert_eq!(wide(text).digits(), text);
            assert_eq!(wide(text).negated().digits(), text);
        }
        assert_eq!(Wide::from_digits(&"9".repeat(78)), None);
        assert_eq!(Wide::from_digits("1x"), None);
    }

    #[test]
    fn sums_carry_and_borrow() {
        let sum = wide("18446744073709551615").plus(wide("1"));
        assert_eq!(sum.digits(), "18446744073709551616");
        assert_eq!(sum.plus(wide("-1")).digits(), "18446744073709551615");
        assert_eq!(wide("5").plus(wide("-8")), wide("-3"));
    }

    #[test]
    fn order_is_that_of_numbers() {
        let sorted = ["-20", "-3", "0", "4", "18446744073709551616"].map(wide);
        assert!(sorted.is_sorted());
    }
}
