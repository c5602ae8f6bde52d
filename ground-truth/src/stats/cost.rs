//! Dollars per success: mean cost over success rate, failures in the numerator.

use rust_decimal::Decimal;

use super::bootstrap::{self, Bootstrap, ClusterSum};
use super::error::StatsError;
use super::interval::Interval;

/// What a success costs. With no success it has no value: neither zero nor infinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostPerSuccess {
    /// Dollars per success.
    Dollars(Decimal),
    /// No run succeeded.
    Undefined,
}

/// One run's cost in dollars and outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunCost {
    /// Dollars spent, on success or not.
    pub dollars: Decimal,
    /// Whether the run succeeded.
    pub success: bool,
}

/// Mean cost / success rate, which is total cost / successes (the number of runs cancels).
pub fn cost_per_success(total_dollars: Decimal, successes: u64) -> CostPerSuccess {
    match total_dollars.checked_div(Decimal::from(successes)) {
        Some(dollars) => CostPerSuccess::Dollars(dollars),
        None => CostPerSuccess::Undefined,
    }
}

/// [`cost_per_success`] of a list of runs. An error without runs, or if the sum overflows.
pub fn cost_per_success_of(runs: &[RunCost]) -> Result<CostPerSuccess, StatsError> {
    if runs.is_empty() {
        return Err(StatsError::NoData);
    }
    let total = runs
        .iter()
        .try_fold(Decimal::ZERO, |sum, run| sum.checked_add(run.dollars))
        .ok_or(StatsError::Overflow)?;
    let successes = runs.iter().filter(|run| run.success).count();
    Ok(cost_per_success(total, successes as u64))
}

/// A bootstrap interval of cost per success, resampling clusters of runs (a cluster is what shares a
/// task or seed).
///
/// A resample without a success counts as above every finite value. Where an end of the interval
/// would rest on such resamples it is an error that says how many they are: with few successes the
/// data do not bound the cost from above.
pub fn cost_per_success_interval(
    clusters: &[Vec<RunCost>],
    spec: &Bootstrap,
) -> Result<Interval, StatsError> {
    let sums = clusters.iter().map(|runs| cluster_sum(runs)).collect::<Result<Vec<_>, _>>()?;
    bootstrap::cost_ratio(&sums, spec)
}

fn cluster_sum(runs: &[RunCost]) -> Result<ClusterSum, StatsError> {
    let mut total = Decimal::ZERO;
    let mut successes = 0_u32;
    for run in runs {
        total = total.checked_add(run.dollars).ok_or(StatsError::Overflow)?;
        successes += u32::from(run.success);
    }
    let num = f64::try_from(total).map_err(|_| StatsError::Overflow)?;
    Ok(ClusterSum { num, den: f64::from(successes) })
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::BootstrapKind;
    use super::super::interval::Level;
    use super::*;

    fn run(cents: i64, success: bool) -> RunCost {
        RunCost { dollars: Decimal::new(cents, 2), success }
    }

    #[test]
    fn failures_are_paid_for_and_zero_successes_are_undefined() {
        let runs = [run(100, true), run(50, false)];
        assert_eq!(cost_per_success_of(&runs), Ok(CostPerSuccess::Dollars(Decimal::new(150, 2))));
        assert_eq!(cost_per_success_of(&[run(100, false)]), Ok(CostPerSuccess::Undefined));
        assert_eq!(cost_per_success_of(&[]), Err(StatsError::NoData));
    }

    #[test]
    fn an_unbounded_end_is_an_error_with_its_share() {
        let spec = Bootstrap {
            kind: BootstrapKind::Percentile,
            resamples: 1000,
            seed: 1,
            level: Level::P95,
        };
        let rare: Vec<_> = (0..5).map(|i| vec![run(100 + i, i == 0)]).collect();
        let outcome = cost_per_success_interval(&rare, &spec);
        // One success among five: (4/5)^5 = 33% of resamples hold none.
        let Err(StatsError::UndefinedResamples { undefined, of: 1000 }) = outcome else {
            panic!("{outcome:?}");
        };
        assert!((250..420).contains(&undefined), "{undefined}");
        let common: Vec<_> = (0..12).map(|i| vec![run(100 + i, i % 3 != 0)]).collect();
        let interval = cost_per_success_interval(&common, &spec).unwrap();
        assert!(interval.lo < 1.06 * 1.5 && 1.06 * 1.5 < interval.hi, "{interval:?}");
    }
}
