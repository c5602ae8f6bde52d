//! Which calls meet a transient error: fixed by the seed and the call's index before a run begins.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use trace_model::ids::Sha256;

/// What separates these hashes from any other use of SHA-256 over similar bytes.
const DOMAIN: &[u8] = b"tracefold/workbench/errors/1";

/// Most decimals of a rate.
const MOST_DECIMALS: u32 = 9;

/// The share of calls that meet an error: an exact decimal, at least 0 and below 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorRate(Decimal);

/// Not a rate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an error rate: write a decimal of 0 or more and below 1, such as 0.08")]
pub struct ErrorRateError(String);

impl ErrorRate {
    /// No errors.
    pub const NONE: Self = Self(Decimal::ZERO);

    /// The rate as a number.
    pub fn decimal(self) -> Decimal {
        self.0
    }
}

impl FromStr for ErrorRate {
    type Err = ErrorRateError;

    fn from_str(text: &str) -> Result<Self, ErrorRateError> {
        let rate = Decimal::from_str_exact(text).map(|rate| rate.normalize());
        rate.ok()
            .filter(|rate| !rate.is_sign_negative() || rate.is_zero())
            .filter(|rate| *rate < Decimal::ONE && rate.scale() <= MOST_DECIMALS)
            .map(Self)
            .ok_or_else(|| ErrorRateError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for ErrorRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The errors of one seed. A call that fails at one rate fails at every higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    seed: u64,
    rate: ErrorRate,
}

impl Schedule {
    /// The schedule of a seed and a rate.
    pub fn new(seed: u64, rate: ErrorRate) -> Self {
        Self { seed, rate }
    }

    /// Whether the call of this index, counted from 0, meets an error.
    pub fn fails(&self, call: u64) -> bool {
        if self.rate == ErrorRate::NONE {
            return false;
        }
        let parts = [DOMAIN, &self.seed.to_be_bytes(), &call.to_be_bytes()];
        let draw = u128::from(Sha256::of_parts(&parts).head());
        // draw / 2^64 < mantissa / 10^scale, in integers: both sides stay below 2^94.
        let mantissa = self.rate.0.mantissa().unsigned_abs();
        draw * 10_u128.pow(self.rate.0.scale()) < mantissa << 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> ErrorRate {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for text in ["", "x", "-0.1", "1", "1.5", "8%", "0.0000000001", "NaN", "1e-2"] {
            let error = text.parse::<ErrorRate>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{text}`")), "{error}");
        }
        assert_eq!(rate("0"), ErrorRate::NONE);
        assert_eq!(rate("0.080").to_string(), "0.08");
    }

    #[test]
    fn about_the_asked_share_of_calls_fails_and_each_seed_has_its_own() {
        let failing = |seed, text| -> Vec<u64> {
            let schedule = Schedule::new(seed, rate(text));
            (0..10_000).filter(|call| schedule.fails(*call)).collect()
        };
        assert!(failing(1, "0").is_empty());
        let (first, second) = (failing(1, "0.08"), failing(2, "0.08"));
        assert!((700..900).contains(&first.len()), "{}", first.len());
        assert_ne!(first, second);
        assert_eq!(first[..4], [0, 52, 55, 82], "a change makes it another schedule");
    }

    #[test]
    fn a_higher_rate_keeps_the_errors_of_a_lower_one() {
        let (low, high) = (Schedule::new(5, rate("0.05")), Schedule::new(5, rate("0.2")));
        assert!((0..2000).all(|call| !low.fails(call) || high.fails(call)));
    }
}
