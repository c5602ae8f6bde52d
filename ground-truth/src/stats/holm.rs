//! Holm's step-down adjustment of a family of p-values.

use super::error::StatsError;

/// Adjusted p-values, in the order given: sorted ascending, the i-th of m becomes
/// max over j <= i of min(1, (m - j + 1) p_(j)).
///
/// Controls the family-wise error rate under any dependence. Source: Holm, *Scandinavian Journal of
/// Statistics* 6 (1979) 65. An error if a value is not in [0, 1]; an empty family is an empty result.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    if let Some(&value) = p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(StatsError::InvalidProbability { what: "p-value", value });
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut running = 0.0_f64;
    let mut factor = p_values.len();
    for i in order {
        #[expect(clippy::cast_precision_loss, reason = "a family has few members")]
        let scaled = p_values[i] * factor as f64;
        running = running.max(scaled.min(1.0));
        adjusted[i] = running;
        factor -= 1;
    }
    Ok(adjusted)
}
