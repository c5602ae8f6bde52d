//! The sign-change test of paired differences: Fisher's randomization test over clusters.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::error::StatsError;

/// Up to this many clusters, all 2^n changes of sign are counted; above it, a sample of them.
pub const SIGN_FLIP_EXACT: usize = 20;

/// Changes of sign drawn where there are too many to count.
const DRAWS: u32 = 100_000;

/// The two-sided p-value of the hypothesis that the differences (one a cluster: the sum over its
/// pairs) are symmetric about zero: the share of all changes of sign whose sum is at least as far from
/// zero as the one seen.
///
/// Source: Fisher, *The Design of Experiments* (1935), 21. Above [`SIGN_FLIP_EXACT`] clusters it is
/// (1 + hits) / (1 + draws) over 100,000 changes drawn from a stated seed (Phipson and Smyth, *Stat.
/// Appl. Genet. Mol. Biol.* 9 (2010) 39). An error on no data or NaN. If all are zero, p is 1.
pub fn sign_flip(differences: &[f64], seed: u64) -> Result<f64, StatsError> {
    if differences.is_empty() {
        return Err(StatsError::NoData);
    }
    if differences.iter().any(|d| !d.is_finite()) {
        return Err(StatsError::NotFinite);
    }
    let observed = differences.iter().sum::<f64>().abs();
    // Equal sums taken in another order differ in their last digits.
    let bar = observed - 1e-12 * differences.iter().map(|d| d.abs()).sum::<f64>();
    Ok(if differences.len() <= SIGN_FLIP_EXACT {
        exact(differences, bar)
    } else {
        sampled(differences, bar, seed)
    })
}

/// All changes in the order of a Gray code, in which neighbours differ in one sign. Half of them: the
/// other half are their mirror images.
#[expect(clippy::cast_precision_loss, reason = "at most 2^20 changes")]
fn exact(differences: &[f64], bar: f64) -> f64 {
    let (first, rest) = (differences[0], &differences[1..]);
    let mut signs = vec![1.0; rest.len()];
    let mut sum: f64 = first + rest.iter().sum::<f64>();
    let total = 1_u64 << rest.len();
    let mut hits = u64::from(sum.abs() >= bar);
    for step in 1..total {
        let place = step.trailing_zeros() as usize;
        signs[place] = -signs[place];
        sum += 2.0 * signs[place] * rest[place];
        hits += u64::from(sum.abs() >= bar);
    }
    hits as f64 / total as f64
}

fn sampled(differences: &[f64], bar: f64, seed: u64) -> f64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = ChaCha8Rng::from_seed(key);
    let mut hits = 1_u32;
    for _ in 0..DRAWS {
        let mut sum = 0.0;
        for chunk in differences.chunks(64) {
            let mut bits = rng.next_u64();
            for difference in chunk {
                sum += if bits & 1 == 1 { *difference } else { -difference };
                bits >>= 1;
            }
        }
        hits += u32::from(sum.abs() >= bar);
    }
    f64::from(hits) / f64::from(DRAWS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_by_hand() {
        // Of the 8 changes of sign only +++ and --- reach 6.
        assert!((sign_flip(&[1.0, 2.0, 3.0], 1).unwrap() - 0.25).abs() < 1e-15);
        assert!((sign_flip(&[0.0, 0.0], 1).unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(sign_flip(&[], 1), Err(StatsError::NoData));
        assert_eq!(sign_flip(&[f64::NAN], 1), Err(StatsError::NotFinite));
    }

    #[test]
    fn a_sample_of_changes_agrees_with_all_of_them() {
        let differences: Vec<f64> =
            (0_u32..).map(|i| (f64::from(i) - 6.0) / 7.0).take(SIGN_FLIP_EXACT).collect();
        let all = sign_flip(&differences, 1).unwrap();
        let some = sampled(&differences, differences.iter().sum::<f64>().abs() - 1e-12, 7);
        assert!((all - some).abs() < 0.005, "{all} {some}");
    }
}
