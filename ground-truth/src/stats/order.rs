//! Order statistics: median and percentiles.

use super::error::StatsError;

/// The `p`-th percentile (0 to 100) of the observations, interpolated linearly between order
/// statistics: at position (n - 1) p / 100 from the smallest.
///
/// This is type 7 of Hyndman and Fan, *The American Statistician* 50 (1996) 361, the default of R
/// and `NumPy`. An error on no data, NaN, or `p` outside [0, 100].
pub fn percentile(observations: &[f64], p: f64) -> Result<f64, StatsError> {
    if observations.is_empty() {
        return Err(StatsError::NoData);
    }
    if observations.iter().any(|v| !v.is_finite()) {
        return Err(StatsError::NotFinite);
    }
    if !(0.0..=100.0).contains(&p) {
        return Err(StatsError::InvalidProbability { what: "percentile / 100", value: p / 100.0 });
    }
    let mut sorted = observations.to_vec();
    sorted.sort_by(f64::total_cmp);
    Ok(quantile_of_sorted(&sorted, p / 100.0))
}

/// The 50th [`percentile`]: the middle observation, or the mean of the two middle ones.
pub fn median(observations: &[f64]) -> Result<f64, StatsError> {
    percentile(observations, 50.0)
}

/// The type 7 quantile at `q` in [0, 1] of ascending, non-empty values, which may end in infinities.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a position among the values, clamped to them"
)]
pub(super) fn quantile_of_sorted(sorted: &[f64], q: f64) -> f64 {
    let last = sorted.len() - 1;
    let position = (q * last as f64).clamp(0.0, last as f64);
    let below = position.floor();
    let index = below as usize;
    let weight = position - below;
    let (a, b) = (sorted[index], sorted[(index + 1).min(last)]);
    // Without this, two infinities would give NaN.
    if weight == 0.0 || a.total_cmp(&b).is_eq() { a } else { a + (b - a) * weight }
}
