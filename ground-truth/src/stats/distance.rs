//! The distance between two distributions over named categories.

use std::collections::BTreeMap;

use super::error::StatsError;

/// Total variation distance: half the sum of |p - q| over all categories of either side.
///
/// Each side is divided by its own total first, so counts and rounded shares both work. In [0, 1].
/// Source: Levin and Peres, *Markov Chains and Mixing Times*, 2nd ed. (2017), prop. 4.2. An error if
/// a side is empty or sums to zero, or holds a negative or non-finite weight.
pub fn total_variation<K: Ord>(
    p: &BTreeMap<K, f64>,
    q: &BTreeMap<K, f64>,
) -> Result<f64, StatsError> {
    let (p_total, q_total) = (total(p)?, total(q)?);
    let in_p: f64 =
        p.iter().map(|(k, v)| (v / p_total - q.get(k).map_or(0.0, |w| w / q_total)).abs()).sum();
    let only_q: f64 = q.iter().filter(|(k, _)| !p.contains_key(k)).map(|(_, w)| w / q_total).sum();
    Ok(0.5 * (in_p + only_q))
}

fn total<K>(side: &BTreeMap<K, f64>) -> Result<f64, StatsError> {
    if side.values().any(|v| !v.is_finite() || *v < 0.0) {
        return Err(StatsError::NotFinite);
    }
    let sum: f64 = side.values().sum();
    if sum > 0.0 { Ok(sum) } else { Err(StatsError::NoData) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_is_zero_and_disjoint_is_one() {
        let a = BTreeMap::from([("x", 3.0), ("y", 1.0)]);
        let doubled = BTreeMap::from([("x", 6.0), ("y", 2.0)]);
        let other = BTreeMap::from([("z", 5.0)]);
        assert!(total_variation(&a, &doubled).unwrap().abs() < 1e-15);
        assert!((total_variation(&a, &other).unwrap() - 1.0).abs() < 1e-15);
        let half = BTreeMap::from([("x", 1.0), ("y", 1.0)]);
        assert!((total_variation(&a, &half).unwrap() - 0.25).abs() < 1e-15);
    }

    #[test]
    fn nothing_to_compare_is_an_error() {
        let empty: BTreeMap<&str, f64> = BTreeMap::new();
        let zero = BTreeMap::from([("x", 0.0)]);
        let one = BTreeMap::from([("x", 1.0)]);
        assert_eq!(total_variation(&empty, &one), Err(StatsError::NoData));
        assert_eq!(total_variation(&one, &zero), Err(StatsError::NoData));
    }
}
