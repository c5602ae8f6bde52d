//! Why an operation has no figure.

use rust_decimal::Decimal;

/// Why an operation has no figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The data it needs is not available.
    Absent(String),
    /// Nothing to divide by.
    Undefined(String),
    /// The claim names something missing, or pools what must not be pooled.
    Unusable(String),
}

impl Failure {
    /// Something of a cell that was not released.
    pub(super) fn not_released(what: &str) -> Self {
        Self::Absent(format!("{what} of it were not released"))
    }
}

/// One divided by the other; undefined where the divisor is zero, and why that is so.
pub(super) fn divide(num: Decimal, den: Decimal, why: &str) -> Result<Decimal, Failure> {
    num.checked_div(den).ok_or_else(|| Failure::Undefined(why.to_owned()))
}
