//! The interval of an aggregate, from the statistics of `ground-truth`.

use std::collections::BTreeMap;

use ground_truth::stats::{self, Bootstrap, ClusterSum, Interval, Level, StatsError, bootstrap};
use rust_decimal::Decimal;

use super::error::AggregateError;
use super::term::{self, Sample, Term};
use crate::aggregate::{IntervalSpec, Method};
use crate::value::{IntervalOutcome, NotComputable, Value};

type Clusters<'a> = BTreeMap<&'a str, Vec<Term>>;

pub(super) fn interval(
    wanted: &IntervalSpec,
    method: &Method,
    sample: &Sample<'_>,
    clusters: Option<&Clusters<'_>>,
    value: &Value,
) -> Result<IntervalOutcome, AggregateError> {
    let level = Level::new(float(wanted.level())?).map_err(out_of_range)?;
    let computed = match wanted {
        IntervalSpec::ClopperPearson { .. } => {
            trials(method, sample)?.map(|(k, n)| stats::clopper_pearson(k, n, level))
        }
        IntervalSpec::Wilson { .. } => {
            trials(method, sample)?.map(|(k, n)| stats::wilson(k, n, level))
        }
        IntervalSpec::Bootstrap { kind, resamples, seed, .. } => {
            let clusters = clusters.ok_or(AggregateError::NeedsCluster)?;
            let spec = Bootstrap { kind: *kind, resamples: *resamples, seed: *seed, level };
            Some(resampled(method, clusters, &spec)?)
        }
    };
    match (value, computed) {
        (Value::Undefined(_), _) | (_, None) => {
            Ok(IntervalOutcome::NotComputable(NotComputable::UndefinedValue))
        }
        (_, Some(computed)) => outcome(computed),
    }
}

/// Successes and trials of a method that is a share of independent trials; `None` without trials.
fn trials(method: &Method, sample: &Sample<'_>) -> Result<Option<(u64, u64)>, AggregateError> {
    if !matches!(
        method,
        Method::Share { .. }
            | Method::Mean { .. }
            | Method::Precision { .. }
            | Method::Recall { .. }
            | Method::RatioOfSums { .. }
    ) {
        return Err(AggregateError::UnsupportedInterval { interval: "binomial" });
    }
    let whole = |d: Decimal| d.fract().is_zero() && d >= Decimal::ZERO;
    for (row, Term { num, den }) in &sample.present {
        if !whole(*num) || !whole(*den) || num > den {
            return Err(AggregateError::NotAProportion { row: row.id.clone() });
        }
    }
    let Term { num, den } = sample.total()?;
    let count = |d: Decimal| u64::try_from(d).map_err(|_| AggregateError::Overflow);
    Ok((!den.is_zero()).then_some((count(num)?, count(den)?)))
}

fn resampled(
    method: &Method,
    clusters: &Clusters<'_>,
    spec: &Bootstrap,
) -> Result<Result<Interval, StatsError>, AggregateError> {
    let quantile = match method {
        Method::Median { .. } => 50.0,
        Method::Percentile { p, .. } => float(*p)?,
        Method::Share { .. }
        | Method::Mean { .. }
        | Method::Precision { .. }
        | Method::Recall { .. }
        | Method::F1 { .. }
        | Method::RatioOfSums { .. }
        | Method::PerThousand { .. }
        | Method::CostPerSuccess { .. } => return resampled_ratio(method, clusters, spec),
        _ => return Err(AggregateError::UnsupportedInterval { interval: "bootstrap" }),
    };
    let mut values = Vec::with_capacity(clusters.len());
    for terms in clusters.values() {
        values.push(terms.iter().map(|t| float(t.num)).collect::<Result<Vec<f64>, _>>()?);
    }
    let statistic = |drawn: &[&Vec<f64>]| {
        let all: Vec<f64> = drawn.iter().flat_map(|v| v.iter().copied()).collect();
        stats::percentile(&all, quantile).ok()
    };
    Ok(bootstrap::statistic(&values, statistic, spec))
}

fn resampled_ratio(
    method: &Method,
    clusters: &Clusters<'_>,
    spec: &Bootstrap,
) -> Result<Result<Interval, StatsError>, AggregateError> {
    let scale = if matches!(method, Method::PerThousand { .. }) { 1000.0 } else { 1.0 };
    let mut sums = Vec::with_capacity(clusters.len());
    for terms in clusters.values() {
        let Term { num, den } = term::sum(terms)?;
        sums.push(ClusterSum { num: scale * float(num)?, den: float(den)? });
    }
    Ok(match method {
        Method::CostPerSuccess { .. } => bootstrap::cost_ratio(&sums, spec),
        _ => bootstrap::ratio(&sums, spec),
    })
}

fn outcome(computed: Result<Interval, StatsError>) -> Result<IntervalOutcome, AggregateError> {
    let why = match computed {
        Ok(Interval { lo, hi, method, .. }) => {
            let (lo, hi) = (rounded(lo)?, rounded(hi)?);
            return Ok(IntervalOutcome::Bounds { lo, hi, method });
        }
        Err(StatsError::NoData | StatsError::Undefined) => NotComputable::UndefinedValue,
        Err(StatsError::OneCluster) => NotComputable::OneCluster,
        Err(StatsError::Degenerate { .. }) => NotComputable::NoVariation,
        Err(StatsError::BcaOutOfRange) => NotComputable::BcaOutOfRange,
        Err(StatsError::UndefinedResamples { undefined, of }) => {
            let (undefined, of) = (undefined as u64, of as u64);
            NotComputable::UndefinedResamples { undefined, of }
        }
        Err(other) => return Err(out_of_range(other)),
    };
    Ok(IntervalOutcome::NotComputable(why))
}

#[expect(clippy::needless_pass_by_value, reason = "an error converter, used with map_err")]
fn out_of_range(error: StatsError) -> AggregateError {
    AggregateError::OutOfRange(error.to_string())
}

fn float(d: Decimal) -> Result<f64, AggregateError> {
    f64::try_from(d).map_err(|_| AggregateError::Overflow)
}

/// A float as a decimal of 12 significant digits: more than any reader uses, fewer than differ
/// between platforms' logarithms.
pub(crate) fn rounded(x: f64) -> Result<Decimal, AggregateError> {
    if x.abs() < 1e-15 {
        return Ok(Decimal::ZERO);
    }
    Decimal::from_scientific(&format!("{x:.11e}"))
        .map(|d| d.normalize())
        .map_err(|_| AggregateError::Overflow)
}
