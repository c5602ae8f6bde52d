//! `McNemar`'s exact test for paired binary outcomes.

use statrs::function::factorial::ln_binomial;

/// The exact two-sided p-value for `b` pairs that only the first passed and `c` that only the second
/// passed: min(1, 2 P(X <= min(b, c))) with X binomial(b + c, 1/2).
///
/// With no discordant pair the p-value is 1. Source: `McNemar`, *Psychometrika* 12 (1947) 153; the
/// exact form is the sign test on the discordant pairs.
#[expect(clippy::cast_precision_loss, reason = "counts of pairs stay far below 2^53")]
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    let n = b + c;
    let k = b.min(c);
    if b == c {
        return 1.0;
    }
    // From the largest term down: each next one is a rational multiple of the one before.
    let mut term = (ln_binomial(n, k) - n as f64 * std::f64::consts::LN_2).exp();
    let mut sum = 0.0;
    for i in (0..=k).rev() {
        sum += term;
        term *= i as f64 / (n - i + 1) as f64;
        if term < sum * f64::EPSILON * 1e-3 {
            break;
        }
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_by_hand() {
        assert!((mcnemar_exact(0, 0) - 1.0).abs() < f64::EPSILON);
        assert!((mcnemar_exact(1, 0) - 1.0).abs() < 1e-15);
        assert!((mcnemar_exact(0, 5) - 2.0 / 32.0).abs() < 1e-15);
        // 2 (1 + 20) / 2^20: the published paired result 19 against 1.
        assert!((mcnemar_exact(19, 1) - 42.0 / 1_048_576.0).abs() < 1e-15);
        // 2 / 2^22: the published 22 against 0.
        assert!((mcnemar_exact(22, 0) - 2.0 / 4_194_304.0).abs() < 1e-18);
    }
}
