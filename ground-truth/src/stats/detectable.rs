//! The smallest difference between two proportions that a given number of items can show.

use super::error::StatsError;
use super::special::normal_quantile;

/// Which way the second proportion departs from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The second is larger.
    Increase,
    /// The second is smaller.
    Decrease,
}

/// The smallest |p2 - p1| that a two-sided test at `alpha` detects with probability `power`, with
/// `n` items in each of two independent groups; `None` if even the largest possible difference in
/// that direction is not detected.
///
/// Solves d √n = z(1-α/2) √(2 p̄ q̄) + z(power) √(p1 q1 + p2 q2) for d = |p2 - p1|, with
/// p̄ = (p1 + p2)/2: the sample size formula of Fleiss, Levin and Paik, *Statistical Methods for Rates
/// and Proportions*, 3rd ed. (2003), 4.2, without continuity correction, read backwards. Its right
/// side is concave in d, so there is one root, found by bisection. For paired data this is
/// conservative where outcomes agree more often than by chance.
///
/// An error if `n` is 0, `baseline` is outside [0, 1], or `alpha` or `power` outside (0, 1).
pub fn minimum_detectable_difference(
    baseline: f64,
    n: u64,
    alpha: f64,
    power: f64,
    direction: Direction,
) -> Result<Option<f64>, StatsError> {
    check(baseline, n, alpha, power)?;
    let p1 = match direction {
        Direction::Increase => baseline,
        Direction::Decrease => 1.0 - baseline,
    };
    let (z_alpha, z_power) = (normal_quantile(1.0 - alpha / 2.0), normal_quantile(power));
    #[expect(clippy::cast_precision_loss, reason = "counts of items stay far below 2^53")]
    let root_n = (n as f64).sqrt();
    let detected = |d: f64| {
        let p2 = (p1 + d).min(1.0);
        let mean = f64::midpoint(p1, p2);
        let needed = z_alpha * (2.0 * mean * (1.0 - mean)).sqrt()
            + z_power * (p1 * (1.0 - p1) + p2 * (1.0 - p2)).sqrt();
        d * root_n >= needed
    };
    let (mut lo, mut hi) = (0.0, 1.0 - p1);
    if hi <= 0.0 || !detected(hi) {
        return Ok(None);
    }
    loop {
        let mid = f64::midpoint(lo, hi);
        if mid <= lo || mid >= hi {
            return Ok(Some(hi));
        }
        if detected(mid) { hi = mid } else { lo = mid }
    }
}

fn check(baseline: f64, n: u64, alpha: f64, power: f64) -> Result<(), StatsError> {
    if n == 0 {
        return Err(StatsError::NoData);
    }
    if !(0.0..=1.0).contains(&baseline) {
        return Err(StatsError::InvalidProbability { what: "baseline", value: baseline });
    }
    for (what, value) in [("alpha", alpha), ("power", power)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(StatsError::InvalidProbability { what, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_items_detect_nothing() {
        let found = minimum_detectable_difference(0.5, 3, 0.05, 0.8, Direction::Increase);
        assert_eq!(found, Ok(None));
        let at_the_top = minimum_detectable_difference(1.0, 1000, 0.05, 0.8, Direction::Increase);
        assert_eq!(at_the_top, Ok(None));
    }

    #[test]
    fn a_decrease_mirrors_an_increase() {
        let up = minimum_detectable_difference(0.3, 100, 0.05, 0.8, Direction::Increase);
        let down = minimum_detectable_difference(0.7, 100, 0.05, 0.8, Direction::Decrease);
        let (up, down) = (up.unwrap().unwrap(), down.unwrap().unwrap());
        assert!((up - down).abs() < 1e-12);
    }
}
