//! Bootstrap intervals over clusters: percentile and `BCa`, of a mean, a ratio of sums, or any
//! statistic.
//!
//! The clusters (transcripts, tasks), not the rows in them, are drawn with replacement, because the
//! rows of one cluster are not independent (Davison and Hinkley, *Bootstrap Methods and their
//! Application*, 1997, 3.8). Draws come from `ChaCha8` with a stated seed, so an interval is a
//! function of the data and the [`Bootstrap`] that asked for it.
//!
//! *Percentile*: the α/2 and 1-α/2 quantiles (type 7) of the statistic over the resamples. *`BCa`*: the
//! same at levels moved by bias z0 and acceleration a,
//! Φ(z0 + (z0 + z) / (1 - a (z0 + z))), with z0 = Φ⁻¹(share of resamples below the estimate, ties
//! half) and a = Σ d³ / (6 (Σ d²)^1.5) over the jackknife's d = mean - value. Source: Efron, *JASA* 82
//! (1987) 171; Efron and Tibshirani, *An Introduction to the Bootstrap* (1993), 14.3.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use super::error::StatsError;
use super::interval::{Interval, IntervalMethod, Level};
use super::order::quantile_of_sorted;
use super::special::{normal_cdf, normal_quantile};

/// The fewest clusters over which a bootstrap interval says anything. Over fewer the resamples take so few
/// values, and the sample is so small beside what it stands for, that the interval covers far less often
/// than it claims: over two clusters its ends are the two clusters' own values at best. Such intervals can
/// be computed, as verification does, but are not to be shown or rested upon.
pub const FEWEST_CLUSTERS: u64 = 8;

/// Which bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BootstrapKind {
    /// Quantiles of the resampled statistic.
    Percentile,
    /// Bias-corrected and accelerated.
    Bca,
}

/// All that determines a bootstrap interval beside the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Percentile or `BCa`.
    pub kind: BootstrapKind,
    /// Resamples to draw; 10,000 is usual.
    pub resamples: u32,
    /// Seed of the draws.
    pub seed: u64,
    /// Nominal coverage.
    pub level: Level,
}

/// One cluster's share of a ratio of sums, such as its hits and its rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterSum {
    /// Sum of numerators.
    pub num: f64,
    /// Sum of denominators.
    pub den: f64,
}

/// The interval of the mean over all rows of all clusters (each row weighs the same).
///
/// An error on no clusters, one cluster, an empty resample, or no variation at all.
pub fn mean(clusters: &[Vec<f64>], spec: &Bootstrap) -> Result<Interval, StatsError> {
    #[expect(clippy::cast_precision_loss, reason = "rows of a cluster stay far below 2^53")]
    let sums: Vec<_> = clusters
        .iter()
        .map(|rows| ClusterSum { num: rows.iter().sum(), den: rows.len() as f64 })
        .collect();
    ratio(&sums, spec)
}

/// The interval of Σ num / Σ den over clusters. A resample whose denominator is zero is an error
/// ([`StatsError::UndefinedResamples`]).
pub fn ratio(clusters: &[ClusterSum], spec: &Bootstrap) -> Result<Interval, StatsError> {
    statistic(clusters, ratio_of_sums, spec)
}

/// Like [`ratio`], for a cost: a zero denominator under a cost ranks above every finite value, and is an error
/// only where an end of the interval would rest on it.
pub fn cost_ratio(clusters: &[ClusterSum], spec: &Bootstrap) -> Result<Interval, StatsError> {
    statistic(clusters, |drawn| Some(ratio_of_sums(drawn).unwrap_or(f64::INFINITY)), spec)
}

/// The interval of any statistic of a list of clusters, over freshly drawn resamples.
///
/// The statistic returns `None` where it has no value; positive infinity stands for "above every
/// finite value".
pub fn statistic<C>(
    clusters: &[C],
    statistic: impl Fn(&[&C]) -> Option<f64>,
    spec: &Bootstrap,
) -> Result<Interval, StatsError> {
    let all: Vec<&C> = clusters.iter().collect();
    let estimate = point_estimate(&all, &statistic)?;
    let mut resamples = Resamples::new(spec.seed, clusters.len(), spec.resamples);
    let mut resample = Vec::with_capacity(all.len());
    let values = std::iter::from_fn(|| {
        resamples.left = resamples.left.checked_sub(1)?;
        resample.clear();
        // A position is below the number of clusters.
        resample.extend((0..all.len()).map(|_| all[resamples.draw()]));
        Some(Ok(statistic(&resample)))
    });
    let replicates = defined(values)?;
    of_replicates(&all, &statistic, estimate, replicates, spec.kind, spec.level)
}

/// [`statistic`] on given resamples: each is a list of as many cluster positions as there are
/// clusters. For checking against other implementations, and for sharing draws between statistics.
pub fn from_resamples<C>(
    clusters: &[C],
    statistic: impl Fn(&[&C]) -> Option<f64>,
    resamples: impl IntoIterator<Item = Vec<usize>>,
    kind: BootstrapKind,
    level: Level,
) -> Result<Interval, StatsError> {
    let all: Vec<&C> = clusters.iter().collect();
    let estimate = point_estimate(&all, &statistic)?;
    let replicates = replicate(&all, &statistic, resamples)?;
    of_replicates(&all, &statistic, estimate, replicates, kind, level)
}

/// The interval, from the values of the resamples.
fn of_replicates<C>(
    all: &[&C],
    statistic: &impl Fn(&[&C]) -> Option<f64>,
    estimate: f64,
    mut replicates: Vec<f64>,
    kind: BootstrapKind,
    level: Level,
) -> Result<Interval, StatsError> {
    replicates.sort_unstable_by(f64::total_cmp);
    if replicates.iter().all(|&r| same(r, estimate)) {
        return Err(StatsError::Degenerate { value: estimate });
    }
    let (method, [low, high]) = match kind {
        BootstrapKind::Percentile => {
            (IntervalMethod::PercentileBootstrap, [level.tail(), 1.0 - level.tail()])
        }
        BootstrapKind::Bca => {
            let values = jackknife(all, statistic)?;
            (IntervalMethod::BcaBootstrap, bca_levels(&replicates, estimate, &values, level)?)
        }
    };
    let (lo, hi) = (quantile_of_sorted(&replicates, low), quantile_of_sorted(&replicates, high));
    if !lo.is_finite() || !hi.is_finite() {
        let undefined = replicates.iter().filter(|r| r.is_infinite()).count();
        return Err(StatsError::UndefinedResamples { undefined, of: replicates.len() });
    }
    Ok(Interval { lo, hi, level, method })
}

/// The draws of cluster positions for a seed: each of `count` resamples holds `clusters` positions.
///
/// A position is the high word of (64 random bits) x clusters (Lemire, *ACM TOMACS* 29 (2019), the
/// multiplication without rejection: the bias is below clusters / 2^64).
pub struct Resamples {
    rng: ChaCha8Rng,
    clusters: usize,
    left: u32,
}

impl Resamples {
    /// The draws for this seed.
    pub fn new(seed: u64, clusters: usize, count: u32) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { rng: ChaCha8Rng::from_seed(key), clusters, left: count }
    }

    fn draw(&mut self) -> usize {
        let wide = u128::from(self.rng.next_u64()) * self.clusters as u128;
        #[expect(clippy::cast_possible_truncation, reason = "the high word is below clusters")]
        let position = (wide >> 64) as usize;
        position
    }
}

impl Iterator for Resamples {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        self.left = self.left.checked_sub(1)?;
        Some((0..self.clusters).map(|_| self.draw()).collect())
    }
}

fn ratio_of_sums(drawn: &[&ClusterSum]) -> Option<f64> {
    // Sums as `sum` makes them, both in one pass.
    let add = |(num, den): (f64, f64), c: &&ClusterSum| (num + c.num, den + c.den);
    let (num, den) = drawn.iter().fold((-0.0, -0.0), add);
    (den != 0.0).then(|| num / den)
}

fn point_estimate<C>(
    all: &[&C],
    statistic: &impl Fn(&[&C]) -> Option<f64>,
) -> Result<f64, StatsError> {
    if all.is_empty() {
        return Err(StatsError::NoData);
    }
    let estimate = statistic(all).ok_or(StatsError::Undefined)?;
    if estimate.is_nan() || estimate == f64::NEG_INFINITY {
        return Err(StatsError::NotFinite);
    }
    if estimate.is_infinite() {
        return Err(StatsError::Undefined);
    }
    if all.len() == 1 { Err(StatsError::OneCluster) } else { Ok(estimate) }
}

fn replicate<C>(
    all: &[&C],
    statistic: &impl Fn(&[&C]) -> Option<f64>,
    resamples: impl IntoIterator<Item = Vec<usize>>,
) -> Result<Vec<f64>, StatsError> {
    let mut drawn = Vec::with_capacity(all.len());
    let values = resamples.into_iter().enumerate().map(|(resample, positions)| {
        drawn.clear();
        drawn.extend(positions.iter().filter_map(|&i| all.get(i)));
        if positions.len() != all.len() || drawn.len() != all.len() {
            return Err(StatsError::InvalidResample { resample, clusters: all.len() });
        }
        Ok(statistic(&drawn))
    });
    defined(values)
}

/// The values, if all of them are defined.
fn defined(
    values: impl Iterator<Item = Result<Option<f64>, StatsError>>,
) -> Result<Vec<f64>, StatsError> {
    let mut replicates = Vec::new();
    let mut undefined = 0;
    for value in values {
        match value? {
            Some(value) if value.is_nan() => return Err(StatsError::NotFinite),
            Some(value) => replicates.push(value),
            None => undefined += 1,
        }
    }
    match (undefined, replicates.len()) {
        (0, 0) => Err(StatsError::NoResamples),
        (0, _) => Ok(replicates),
        (_, defined) => Err(StatsError::UndefinedResamples { undefined, of: undefined + defined }),
    }
}

/// The statistic with each cluster left out in turn.
fn jackknife<C>(
    all: &[&C],
    statistic: &impl Fn(&[&C]) -> Option<f64>,
) -> Result<Vec<f64>, StatsError> {
    let mut rest = all[1..].to_vec();
    let mut values = Vec::with_capacity(all.len());
    for left_out in 0..all.len() {
        match statistic(&rest) {
            Some(value) if value.is_finite() => values.push(value),
            _ => return Err(StatsError::BcaOutOfRange),
        }
        if left_out < rest.len() {
            rest[left_out] = all[left_out];
        }
    }
    Ok(values)
}

/// The two quantile levels of the `BCa` interval.
fn bca_levels(
    replicates: &[f64],
    estimate: f64,
    jackknife: &[f64],
    level: Level,
) -> Result<[f64; 2], StatsError> {
    // Counting ties within rounding as ties keeps the result free of the order of summation.
    let ties = replicates.iter().filter(|&&r| same(r, estimate)).count();
    let below = replicates.iter().filter(|&&r| r < estimate && !same(r, estimate)).count();
    #[expect(clippy::cast_precision_loss, reason = "resamples stay far below 2^53")]
    let share = (2 * below + ties) as f64 / (2 * replicates.len()) as f64;
    let bias = normal_quantile(share);
    let acceleration = acceleration(jackknife)?;
    let moved = |z: f64| {
        let shifted = bias + z;
        let scale = 1.0 - acceleration * shifted;
        let level = normal_cdf(bias + shifted / scale);
        (scale > 0.0 && level.is_finite()).then_some(level).ok_or(StatsError::BcaOutOfRange)
    };
    if !bias.is_finite() {
        return Err(StatsError::BcaOutOfRange);
    }
    let z = normal_quantile(level.tail());
    Ok([moved(z)?, moved(-z)?])
}

fn acceleration(jackknife: &[f64]) -> Result<f64, StatsError> {
    #[expect(clippy::cast_precision_loss, reason = "clusters stay far below 2^53")]
    let mean = jackknife.iter().sum::<f64>() / jackknife.len() as f64;
    let squares: f64 = jackknife.iter().map(|v| (mean - v).powi(2)).sum();
    let cubes: f64 = jackknife.iter().map(|v| (mean - v).powi(3)).sum();
    if squares <= 0.0 {
        return Err(StatsError::BcaOutOfRange);
    }
    Ok(cubes / (6.0 * squares.powf(1.5)))
}

/// Equal up to the rounding of a sum taken in another order.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1.0)
}
