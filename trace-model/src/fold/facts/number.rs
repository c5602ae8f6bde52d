//! Exact numbers: what counts as one, and sums that never round.

use std::fmt;

use bigdecimal::BigDecimal;
use bigdecimal::num_bigint::BigInt;
use serde::{Deserialize, Serialize};

/// Most digits of a number.
const MAX_DIGITS: usize = 28;

/// A decimal number as a fact states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Number {
    digits: i128,
    /// Number of digits after the decimal point.
    scale: u8,
}

impl Number {
    /// Reads an optional sign, digits, and optionally a point and digits; at most 28 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, unsigned) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, fraction) = match unsigned.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return None,
            None => (unsigned, ""),
        };
        let digits = format!("{whole}{fraction}");
        let plain = !whole.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !plain || digits.len() > MAX_DIGITS {
            return None;
        }
        let digits: i128 = digits.parse().ok()?;
        let scale = u8::try_from(fraction.len()).ok()?;
        Some(Self { digits: if negative { -digits } else { digits }, scale })
    }
}

/// A sum, difference or extreme of [`Number`]s, exact at any size.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Total(BigDecimal);

impl Total {
    pub(super) fn add(&mut self, number: Number) {
        self.0 += Self::from(number).0;
    }

    pub(super) fn subtract(&mut self, number: Number) {
        self.0 -= Self::from(number).0;
    }
}

impl From<Number> for Total {
    fn from(number: Number) -> Self {
        Self(BigDecimal::new(BigInt::from(number.digits), i64::from(number.scale)))
    }
}

impl fmt::Display for Total {
    /// Plain notation without trailing zeros: `12.5`, `-3`, `1000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.normalized().to_plain_string())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Total::from(*self).fmt(f)
    }
}

/// Text that is not a number of this kind.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a plain decimal number")]
pub struct NotANumber(String);

impl TryFrom<String> for Number {
    type Error = NotANumber;

    fn try_from(text: String) -> Result<Self, NotANumber> {
        Self::parse(&text).ok_or(NotANumber(text))
    }
}

impl From<Number> for String {
    /// With its trailing zeros, so that it reads back as the same digits.
    fn from(number: Number) -> Self {
        Total::from(number).0.to_plain_string()
    }
}

impl TryFrom<String> for Total {
    type Error = NotANumber;

    fn try_from(text: String) -> Result<Self, NotANumber> {
        text.parse().map(Self).map_err(|_| NotANumber(text))
    }
}

impl From<Total> for String {
    fn from(total: Total) -> Self {
        total.0.to_plain_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly_and_printed_plainly() {
        let read = |text: &str| Number::parse(text).map(|n| n.to_string());
        assert_eq!(read("12").as_deref(), Some("12"));
        assert_eq!(read("-0.50").as_deref(), Some("-0.5"));
        assert_eq!(read("+7.00").as_deref(), Some("7"));
        assert_eq!(read("1000").as_deref(), Some("1000"));
        assert_eq!(read("0.10").as_deref(), Some("0.1"));
        for text in ["", "-", ".5", "5.", "1e3", "1,000", "0x1f", "1 2", "--1", "٣"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(read(&"9".repeat(28)).is_some());
        assert_eq!(read(&"9".repeat(29)), None);
    }

    #[test]
    fn sums_do_not_round() {
        let number = |text| Number::parse(text).unwrap();
        let mut sum = Total::default();
        sum.add(number("9999999999999999999999999999"));
        sum.add(number("0.000000000000000000000000001"));
        sum.subtract(number("9999999999999999999999999999"));
        assert_eq!(sum.to_string(), "0.000000000000000000000000001");
    }

    #[test]
    fn numbers_survive_json() {
        for text in ["-12.50", "0", "1000", "0.001"] {
            let number = Number::parse(text).unwrap();
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), number, "{json}");
        }
    }
}
