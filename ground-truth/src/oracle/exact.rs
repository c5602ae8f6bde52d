//! Sums of fact values that are never rounded and never run out of digits.
//!
//! A value that counts as a number has at most 28 digits, one of them before the point, so 27 decimals
//! are always enough, and a whole part in an `i128` has room for the sum of 10^10 such values.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg};

use serde::{Deserialize, Serialize};

/// Maximum decimals.
const DECIMALS: usize = 27;

/// One, in the smallest unit.
const ONE: i128 = 10_i128.pow(27);

/// An exact decimal number. As text it is written plainly: no exponent, no sign of zero, no zeros at
/// either end that say nothing.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Exact {
    /// The largest whole number that is not above the value; compared first.
    floor: i128,
    /// What the value has above that, in units of 10^-27: at least 0, less than [`ONE`].
    above: i128,
}

/// The text is not an [`Exact`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a plain decimal number with at most 27 decimals")]
pub struct NotExact(String);

impl Exact {
    /// The value of an optional sign, digits, and optionally a point and digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, decimals) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !all_digits(whole) || !all_digits(decimals) || decimals.len() > DECIMALS {
            return None;
        }
        let above = format!("{decimals:0<DECIMALS$}").parse().ok()?;
        let size = Self { floor: whole.parse().ok()?, above };
        Some(if text.starts_with('-') { -size } else { size })
    }

    fn of(floor: i128, above: i128) -> Self {
        Self { floor: floor + above.div_euclid(ONE), above: above.rem_euclid(ONE) }
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::of(self.floor + other.floor, self.above + other.above)
    }
}

impl Neg for Exact {
    type Output = Self;

    fn neg(self) -> Self {
        Self::of(-self.floor, -self.above)
    }
}

impl Sum for Exact {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = if self.floor < 0 { ("-", -*self) } else { ("", *self) };
        let decimals = format!("{:0DECIMALS$}", size.above);
        match decimals.trim_end_matches('0') {
            "" => write!(out, "{sign}{}", size.floor),
            decimals => write!(out, "{sign}{}.{decimals}", size.floor),
        }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl From<Exact> for String {
    fn from(number: Exact) -> Self {
        number.to_string()
    }
}

impl TryFrom<String> for Exact {
    type Error = NotExact;

    fn try_from(text: String) -> Result<Self, NotExact> {
        Self::parse(&text).ok_or(NotExact(text))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sum(texts: &[&str]) -> String {
        texts.iter().map(|text| Exact::parse(text).unwrap()).sum::<Exact>().to_string()
    }

    #[test]
    fn sums_are_exact_whatever_their_size() {
        let large = "9".repeat(28);
        let small = format!("0.{}1", "0".repeat(26));
        assert_eq!(sum(&["0.1", "0.2", "-0.3"]), "0");
        assert_eq!(sum(&[&large, "1"]), format!("1{}", "0".repeat(28)));
        assert_eq!(sum(&[&large, &small]), format!("{large}.{}1", "0".repeat(26)));
        assert_eq!(sum(&[large.as_str(); 1000]), format!("{}000", 10_i128.pow(28) - 1));
        assert_eq!(sum(&[&format!("-{large}"), &format!("-{small}")]).len(), 57);
        assert_eq!(sum(&[]), "0");
    }

    #[test]
    fn numbers_are_in_order_and_written_plainly() {
        let ordered = ["-2", "-1.5", "-0.25", "0", "0.001", "1", "1.5"];
        let parsed = ordered.map(|text| Exact::parse(text).unwrap());
        assert!(parsed.is_sorted());
        assert_eq!(parsed.map(|number| number.to_string()), ordered);
        assert_eq!(sum(&["-0.0"]), "0");
        assert_eq!(sum(&["+007.50"]), "7.5");
    }

    proptest! {
        #[test]
        fn any_number_is_read_back_and_cancelled(
            floor in -10_i128.pow(28)..10_i128.pow(28), above in 0..ONE,
        ) {
            let number = Exact { floor, above };
            prop_assert_eq!(Exact::try_from(number.to_string()), Ok(number));
            prop_assert_eq!(number + -number, Exact::default());
        }
    }
}
