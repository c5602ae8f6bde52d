//! Values as the text of a cell. What has no value is empty where there was nothing to measure, and
//! says why where there was.

use rust_decimal::{Decimal, RoundingStrategy};

use crate::measure::{Bounds, CostPer};

/// Rounded half away from zero, with a fixed number of decimals.
pub(super) fn fixed(value: Decimal, decimals: u32) -> String {
    let rounded = value.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
    format!("{rounded:.*}", decimals as usize)
}

/// A share or score; empty if there is none.
pub(super) fn share(value: Option<Decimal>) -> String {
    value.map_or(String::new(), |v| fixed(v, 3))
}

/// A difference with its sign; empty if there is none.
pub(super) fn signed(value: Option<Decimal>) -> String {
    value.map_or(String::new(), |v| {
        let text = fixed(v, 3);
        if v > Decimal::ZERO { format!("+{text}") } else { text }
    })
}

/// Dollars.
pub(super) fn dollars(value: Option<Decimal>) -> String {
    value.map_or(String::new(), |v| {
        // What costs less than a cent needs more digits to be anything.
        let decimals = if !v.is_zero() && v < Decimal::new(1, 1) { 4 } else { 2 };
        format!("${}", fixed(v, decimals))
    })
}

/// A mean number of tokens or steps.
pub(super) fn whole(value: Option<Decimal>) -> String {
    value.map_or(String::new(), |v| fixed(v, 0))
}

/// `[lo, hi]`, or `none: why`.
pub(super) fn interval(bounds: &Bounds) -> String {
    match bounds {
        Bounds::Ends { lo, hi, .. } => format!("[{}, {}]", fixed(*lo, 3), fixed(*hi, 3)),
        Bounds::TooFew(clusters) => format!("too few clusters ({clusters})"),
        Bounds::None(why) => format!("not computable: {why}"),
    }
}

/// The same in dollars.
pub(super) fn dollar_interval(bounds: &Bounds) -> String {
    match bounds {
        Bounds::Ends { lo, hi, .. } => {
            format!("[{}, {}]", dollars(Some(*lo)), dollars(Some(*hi)))
        }
        Bounds::TooFew(clusters) => format!("too few clusters ({clusters})"),
        Bounds::None(why) => format!("not computable: {why}"),
    }
}

/// Dollars per success.
pub(super) fn cost_per(cost: &CostPer) -> String {
    match cost {
        CostPer::Dollars(value) => dollars(Some(*value)),
        CostPer::Undefined => "undefined".to_owned(),
        CostPer::NotReleased => String::new(),
    }
}

/// A p-value: three digits, never a plain zero.
pub(super) fn p_value(p: Option<Decimal>) -> String {
    let Some(p) = p else { return String::new() };
    if p >= Decimal::new(1, 3) {
        return fixed(p, 3);
    }
    if p.is_zero() {
        return "0".to_owned();
    }
    let mut digits = p;
    let mut exponent = 0;
    while digits < Decimal::ONE {
        digits *= Decimal::TEN;
        exponent += 1;
    }
    format!("{}e-{exponent:02}", fixed(digits, 2))
}

/// `k/n`; empty without runs.
pub(super) fn k_of_n(k: u64, n: u64) -> String {
    if n == 0 { String::new() } else { format!("{k}/{n}") }
}

/// A count that is there.
pub(super) fn count(value: Option<u64>) -> String {
    value.map_or(String::new(), |n| n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_p_is_not_zero() {
        assert_eq!(p_value(Some(Decimal::new(476_837, 12))), "4.77e-07");
        assert_eq!(p_value(Some(Decimal::new(5, 2))), "0.050");
    }

    #[test]
    fn small_dollars_keep_their_digits() {
        assert_eq!(dollars(Some(Decimal::new(123, 4))), "$0.0123");
        assert_eq!(dollars(Some(Decimal::new(32_104, 3))), "$32.10");
    }
}
