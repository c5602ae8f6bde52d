//! Exact numbers: what counts as one, and sums that never round.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::wide::Wide;

/// Most digits of a number, and so the most behind its point.
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
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Total {
    /// In units of the last of [`MAX_DIGITS`] places behind the point.
    units: Wide,
    /// Places behind the point that were stated.
    scale: u8,
}

impl Total {
    pub(super) fn add(&mut self, number: Number) {
        let Self { units, scale } = Self::from(number);
        *self = Self { units: self.units.plus(units), scale: self.scale.max(scale) };
    }

    pub(super) fn subtract(&mut self, number: Number) {
        self.add(Number { digits: -number.digits, ..number });
    }

    /// With a point, and at least this many places behind it.
    fn plain(&self, places: usize) -> String {
        let digits = format!("{:0>width$}", self.units.digits(), width = MAX_DIGITS + 1);
        let (whole, fraction) = digits.split_at(digits.len() - MAX_DIGITS);
        let stated = fraction.trim_end_matches('0').len().max(places);
        let sign = if self.units.is_negative() { "-" } else { "" };
        let point = if stated > 0 { "." } else { "" };
        format!("{sign}{whole}{point}{}", &fraction[..stated])
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.units == other.units
    }
}

impl Eq for Total {}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Total {
    fn cmp(&self, other: &Self) -> Ordering {
        self.units.cmp(&other.units)
    }
}

impl From<Number> for Total {
    fn from(Number { digits, scale }: Number) -> Self {
        let zeros = MAX_DIGITS - usize::from(scale);
        let written = format!("{}{}", digits.unsigned_abs(), "0".repeat(zeros));
        // At most 28 digits and 28 zeros: they always fit.
        let units = Wide::from_digits(&written).unwrap_or_default();
        Self { units: if digits < 0 { units.negated() } else { units }, scale }
    }
}

impl fmt::Display for Total {
    /// Plain notation without trailing zeros: `12.5`, `-3`, `1000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plain(0))
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
        Total::from(number).plain(usize::from(number.scale))
    }
}

impl TryFrom<String> for Total {
    type Error = NotANumber;

    fn try_from(text: String) -> Result<Self, NotANumber> {
        read(&text).ok_or(NotANumber(text))
    }
}

impl From<Total> for String {
    fn from(total: Total) -> Self {
        total.plain(usize::from(total.scale))
    }
}

/// Reads what [`Total::plain`] writes.
fn read(text: &str) -> Option<Total> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let zeros = MAX_DIGITS.checked_sub(fraction.len())?;
    let units = Wide::from_digits(&format!("{whole}{fraction}{}", "0".repeat(zeros)))?;
    let scale = u8::try_from(fraction.len()).ok()?;
    let units = if unsigned.len() < text.len() { units.negated() } else { units };
    (!whole.is_empty()).then_some(Total { units, scale })
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
        sum.subtract(number("0.5"));
        assert_eq!(sum.to_string(), "-0.499999999999999999999999999");
    }

    #[test]
    fn numbers_survive_json() {
        for text in ["-12.50", "0", "1000", "0.001"] {
            let number = Number::parse(text).unwrap();
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), number, "{json}");
            let total = serde_json::to_string(&Total::from(number)).unwrap();
            assert_eq!(total, json, "as a sum it keeps its trailing zeros");
            assert_eq!(serde_json::from_str::<Total>(&json).unwrap(), Total::from(number));
        }
    }
}
