//! Figures as a paper prints them, and whether a recomputed one rounds to them.

use std::fmt;

use rust_decimal::Decimal;

/// A figure: a claim's, or a recomputed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// `8/30`: k of n.
    Fraction {
        /// How many.
        k: u64,
        /// Of how many.
        n: u64,
    },
    /// `22:0`: pairs that only one side passed, and that only the other passed.
    Pairs {
        /// Only the one.
        a: u64,
        /// Only the other.
        b: u64,
    },
    /// `32.1`, `4.77e-07`.
    Number(Decimal),
    /// `5..7`: everything computed rounds to a value in it.
    Range {
        /// The minimum.
        lo: Decimal,
        /// The most.
        hi: Decimal,
    },
    /// What the released parts leave possible; never a claim's.
    Possible {
        /// The minimum.
        lo: Decimal,
        /// The most.
        hi: Decimal,
    },
    /// `yes` or `no`.
    Holds(bool),
    /// Nothing was there to divide by; never a claim's.
    Undefined(String),
}

/// A figure or rounding that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FigureError {
    /// Not a figure.
    #[error("`{0}` is not a figure: write 8/30, 22:0, 32.1, 4.77e-07, 5..7, yes or no")]
    Figure(String),
    /// Not a rounding.
    #[error("`{0}` is not a rounding: write a unit such as 0.01, or a number such as `3 digits`")]
    Rounding(String),
    /// Two kinds that cannot be compared.
    #[error("the claim's figure {claimed} and the recomputed {found} are of different kinds")]
    Kinds {
        /// The claim's.
        claimed: String,
        /// The recomputed one.
        found: String,
    },
}

/// To what a figure is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all.
    Exact,
    /// To a multiple of a unit.
    Unit(Decimal),
    /// To a number of significant digits.
    Digits(u32),
}

impl Rounding {
    /// `0.01` or `3 digits`.
    pub fn parse(text: &str) -> Result<Self, FigureError> {
        let wrong = || FigureError::Rounding(text.to_owned());
        if let Some(digits) = text.strip_suffix("digits").or_else(|| text.strip_suffix("digit")) {
            let digits = digits.trim().parse().map_err(|_| wrong())?;
            return if digits == 0 { Err(wrong()) } else { Ok(Self::Digits(digits)) };
        }
        let unit: Decimal = text.parse().map_err(|_| wrong())?;
        if unit > Decimal::ZERO { Ok(Self::Unit(unit)) } else { Err(wrong()) }
    }

    /// Half of the unit that `figure` is rounded to: the largest distance of the true value.
    fn half(self, figure: Decimal) -> Decimal {
        let unit = match self {
            Self::Exact => Decimal::ZERO,
            Self::Unit(unit) => unit,
            Self::Digits(digits) => unit_of(figure, digits),
        };
        unit / Decimal::TWO
    }
}

/// The unit of the last significant digit.
fn unit_of(figure: Decimal, digits: u32) -> Decimal {
    let mut unit = Decimal::ONE;
    let size = figure.abs();
    if size.is_zero() {
        return unit;
    }
    while size >= unit * Decimal::TEN {
        unit *= Decimal::TEN;
    }
    while size < unit {
        unit /= Decimal::TEN;
    }
    (1..digits).fold(unit, |unit, _| unit / Decimal::TEN)
}

impl Figure {
    /// Reads a claim's figure.
    pub fn parse(text: &str) -> Result<Self, FigureError> {
        let wrong = || FigureError::Figure(text.to_owned());
        let two = |a: &str, b: &str| Some((a.trim().parse().ok()?, b.trim().parse().ok()?));
        if let Some((k, n)) = text.split_once('/') {
            return two(k, n).map(|(k, n)| Self::Fraction { k, n }).ok_or_else(wrong);
        }
        if let Some((a, b)) = text.split_once(':') {
            return two(a, b).map(|(a, b)| Self::Pairs { a, b }).ok_or_else(wrong);
        }
        if let Some((lo, hi)) = text.split_once("..") {
            let (lo, hi) = (number(lo).ok_or_else(wrong)?, number(hi).ok_or_else(wrong)?);
            return Ok(Self::Range { lo, hi });
        }
        match text {
            "yes" => Ok(Self::Holds(true)),
            "no" => Ok(Self::Holds(false)),
            _ => number(text).map(Self::Number).ok_or_else(wrong),
        }
    }

    /// Whether the result rounds to this figure. (Which way a tie rounds is not ours to say: both are taken.)
    pub fn agrees(&self, found: &Self, rounding: Rounding) -> Result<bool, FigureError> {
        match (self, found) {
            (Self::Number(claimed), Self::Number(found)) => {
                Ok((claimed - found).abs() <= rounding.half(*claimed))
            }
            (Self::Range { lo, hi }, Self::Number(found)) => {
                Ok(*found >= lo - rounding.half(*lo) && *found <= hi + rounding.half(*hi))
            }
            (Self::Number(claimed), Self::Possible { lo, hi }) => {
                let half = rounding.half(*claimed);
                Ok(claimed + half >= *lo && claimed - half <= *hi)
            }
            (Self::Fraction { .. }, Self::Fraction { .. })
            | (Self::Pairs { .. }, Self::Pairs { .. })
            | (Self::Holds(_), Self::Holds(_)) => Ok(self == found),
            _ => Err(FigureError::Kinds { claimed: self.to_string(), found: found.to_string() }),
        }
    }
}

fn number(text: &str) -> Option<Decimal> {
    let text = text.trim();
    text.parse().ok().or_else(|| Decimal::from_scientific(text).ok())
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fraction { k, n } => write!(f, "{k}/{n}"),
            Self::Pairs { a, b } => write!(f, "{a}:{b}"),
            Self::Number(n) => f.write_str(&short(*n)),
            Self::Range { lo, hi } => write!(f, "{}..{}", lo.normalize(), hi.normalize()),
            Self::Possible { lo, hi } => write!(f, "{} to {}", short(*lo), short(*hi)),
            Self::Holds(true) => f.write_str("yes"),
            Self::Holds(false) => f.write_str("no"),
            Self::Undefined(why) => write!(f, "undefined ({why})"),
        }
    }
}

/// Enough digits to see whether it rounds to the claim's.
fn short(n: Decimal) -> String {
    if !n.is_zero() && n.abs() < Decimal::new(1, 3) {
        return scientific(n);
    }
    let rounded = if n.abs() >= Decimal::from(10_000) { n.round_dp(0) } else { n.round_dp(4) };
    rounded.normalize().to_string()
}

/// Four significant digits, as p-values are printed: `4.768e-07`.
fn scientific(n: Decimal) -> String {
    let mut digits = n;
    let mut exponent = 0;
    while digits.abs() < Decimal::ONE {
        digits *= Decimal::TEN;
        exponent += 1;
    }
    format!("{}e-{exponent:02}", digits.round_dp(3).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(claimed: &str, found: &str, rounding: &str) -> bool {
        let rounding = Rounding::parse(rounding).unwrap();
        let found = Figure::Number(number(found).unwrap());
        Figure::parse(claimed).unwrap().agrees(&found, rounding).unwrap()
    }

    #[test]
    fn a_figure_agrees_with_what_rounds_to_it_and_with_nothing_else() {
        assert!(agrees("32.1", "32.1049", "0.1"));
        assert!(!agrees("32.1", "32.16", "0.1"));
        assert!(agrees("4.77e-07", "0.000000476837158203125", "3 digits"));
        assert!(!agrees("4.77e-07", "0.00000048", "3 digits"));
        assert!(agrees("30", "29.09", "1 digit"));
        assert!(!agrees("30", "23.3", "1 digit"));
        assert!(agrees("5..7", "5.57", "1") && !agrees("5..7", "7.6", "1"));
    }

    #[test]
    fn counts_are_exact_and_kinds_are_not_mixed() {
        let claimed = Figure::parse("30/30").unwrap();
        let found = Figure::Fraction { k: 29, n: 30 };
        assert_eq!(claimed.agrees(&found, Rounding::Exact), Ok(false));
        assert!(claimed.agrees(&Figure::Number(Decimal::ONE), Rounding::Exact).is_err());
        assert!(Figure::parse("about 5").is_err());
        assert!(Rounding::parse("0").is_err() && Rounding::parse("0 digits").is_err());
    }
}
