//! An exact amount of US dollars.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// US dollars, exact: sums do not depend on their order. Serialized as a decimal string.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Dollars(Decimal);

impl Dollars {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// An amount in dollars.
    pub fn new(amount: Decimal) -> Self {
        Self(amount.normalize())
    }

    /// The amount in dollars.
    pub fn amount(self) -> Decimal {
        self.0
    }
}

impl Add for Dollars {
    type Output = Self;

    /// Saturates at the largest representable amount.
    fn add(self, other: Self) -> Self {
        Self::new(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Dollars {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Dollars {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.0.saturating_sub(other.0))
    }
}

impl Sum for Dollars {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// All its digits, or as many as the format's precision asks for.
impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0.is_sign_negative() && !self.0.is_zero() { "-" } else { "" };
        let amount = self.0.abs();
        match f.precision() {
            Some(digits) => write!(f, "{sign}${amount:.digits$}"),
            None => write!(f, "{sign}${amount}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_and_print_as_asked() {
        let tenth = Dollars::new(Decimal::new(1, 1));
        let sum: Dollars = (0..10).map(|_| tenth).sum();
        assert_eq!(sum, Dollars::new(Decimal::ONE));
        assert_eq!(format!("{sum} {sum:.2} {:.2}", Dollars::ZERO - tenth), "$1 $1.00 -$0.10");
        assert_eq!(serde_json::to_string(&tenth).unwrap(), r#""0.1""#);
    }
}
