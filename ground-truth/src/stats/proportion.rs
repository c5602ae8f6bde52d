//! Intervals for k successes of n independent trials.

use super::error::StatsError;
use super::interval::{Interval, IntervalMethod, Level};
use super::special::{beta_quantile, normal_quantile};

/// The exact (Clopper-Pearson) interval for a proportion.
///
/// lower = B(α/2; k, n-k+1), upper = B(1-α/2; k+1, n-k), B being the beta quantile; 0 at k = 0 and 1
/// at k = n. Covers with at least the nominal probability. Source: Clopper and Pearson, *Biometrika*
/// 26 (1934) 404. An error if n = 0 or k > n.
pub fn clopper_pearson(k: u64, n: u64, level: Level) -> Result<Interval, StatsError> {
    let (kf, nf) = check(k, n)?;
    let tail = level.tail();
    let lo = if k == 0 { 0.0 } else { beta_quantile(kf, nf - kf + 1.0, tail)? };
    let hi = if k == n { 1.0 } else { beta_quantile(kf + 1.0, nf - kf, 1.0 - tail)? };
    Ok(Interval { lo, hi, level, method: IntervalMethod::ClopperPearson })
}

/// The Wilson score interval for a proportion, without continuity correction.
///
/// centre (p + z²/2n) / (1 + z²/n), half width z √(p(1-p)/n + z²/4n²) / (1 + z²/n). Source: Wilson,
/// *JASA* 22 (1927) 209. An error if n = 0 or k > n.
pub fn wilson(k: u64, n: u64, level: Level) -> Result<Interval, StatsError> {
    let (kf, nf) = check(k, n)?;
    let z = normal_quantile(1.0 - level.tail());
    let p = kf / nf;
    let z2 = z * z;
    let scale = 1.0 + z2 / nf;
    let centre = (p + z2 / (2.0 * nf)) / scale;
    let half = z * (p * (1.0 - p) / nf + z2 / (4.0 * nf * nf)).sqrt() / scale;
    // At the ends the formula gives 0 and 1 exactly; rounding must not move them.
    let lo = if k == 0 { 0.0 } else { (centre - half).max(0.0) };
    let hi = if k == n { 1.0 } else { (centre + half).min(1.0) };
    Ok(Interval { lo, hi, level, method: IntervalMethod::Wilson })
}

#[expect(clippy::cast_precision_loss, reason = "counts of trials stay far below 2^53")]
fn check(k: u64, n: u64) -> Result<(f64, f64), StatsError> {
    if n == 0 || k > n {
        return Err(StatsError::InvalidCounts { k, n });
    }
    Ok((k as f64, n as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_trials_or_too_many_successes_are_errors() {
        assert_eq!(
            clopper_pearson(0, 0, Level::P95),
            Err(StatsError::InvalidCounts { k: 0, n: 0 })
        );
        assert_eq!(wilson(3, 2, Level::P95), Err(StatsError::InvalidCounts { k: 3, n: 2 }));
    }

    #[test]
    fn all_successes_leave_room_below() {
        let interval = clopper_pearson(48, 48, Level::P95).unwrap();
        // The closed form at k = n: (α/2)^(1/n).
        assert!((interval.lo - 0.025_f64.powf(1.0 / 48.0)).abs() < 1e-12);
        assert!((interval.hi - 1.0).abs() < f64::EPSILON);
    }
}
