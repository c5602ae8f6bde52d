//! Summaries of CONTINUE cells.

use std::borrow::Borrow;

use ground_truth::stats::{self, CostPerSuccess, Level, RunCost};
use rust_decimal::Decimal;

use super::bounds::{Bounds, bootstrap_or_percentile};
use crate::cell::{ContinueCell, Ended, Means, Run, Tokens};

/// Dollars per success, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CostPer {
    /// Dollars.
    Dollars(Decimal),
    /// No run succeeded.
    Undefined,
    /// Some run has no cost, or there are no runs.
    NotReleased,
}

/// Summary of a cell's runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// Runs with an outcome that succeeded.
    pub k: u64,
    /// Runs with an outcome.
    pub n: u64,
    /// Runs with an outcome that failed.
    pub failed: u64,
    /// Runs without an outcome.
    pub missing: u64,
    /// Distinct seeds.
    pub clusters: u64,
    /// k of n; none without runs.
    pub rate: Option<Decimal>,
    /// Its interval.
    pub interval: Bounds,
    /// Mean dollars of the worker over the runs that have a cost.
    pub dollars: Option<Decimal>,
    /// The interval of that mean.
    pub dollars_interval: Bounds,
    /// Mean dollars of helpers, where any were used.
    pub helper_dollars: Option<Decimal>,
    /// Mean dollars over success rate.
    pub cost_per_success: CostPer,
    /// Its interval over seeds.
    pub cost_per_success_interval: Bounds,
    /// Mean tokens a run: uncached input, output, cache reads, cache writes.
    pub tokens: [Option<Decimal>; 4],
    /// Mean steps.
    pub steps: Option<Decimal>,
    /// Whether only means were released, and nothing here was computed from runs.
    pub means_only: bool,
}

/// Summarizes runs, one per seed: each seed is its own cluster.
pub fn summarize(runs: &[&Run]) -> RunSummary {
    let k = runs.iter().filter(|run| run.ended == Ended::Success).count() as u64;
    let failed = runs.iter().filter(|run| run.ended == Ended::Failure).count() as u64;
    let n = k + failed;
    let seeds: std::collections::BTreeSet<&str> = runs.iter().map(|r| r.seed.as_str()).collect();
    let dollars: Vec<Decimal> = runs.iter().filter_map(|run| run.dollars).collect();
    let (cost_per_success, cost_per_success_interval) = cost_per_success(runs);
    RunSummary {
        k,
        n,
        failed,
        missing: runs.len() as u64 - n,
        clusters: seeds.len() as u64,
        rate: Decimal::from(k).checked_div(Decimal::from(n)),
        interval: rate_interval(k, n, seeds.len()),
        dollars: mean(&dollars),
        dollars_interval: mean_interval(&dollars),
        helper_dollars: mean_of(runs, |run| run.helper_dollars).filter(|d| !d.is_zero()),
        cost_per_success,
        cost_per_success_interval,
        tokens: tokens(runs),
        steps: mean_of(runs, |run| run.steps.map(Decimal::from)),
        means_only: false,
    }
}

/// Summarizes a cell: its runs, or what was released instead of them.
pub fn summarize_cell(cell: &ContinueCell) -> RunSummary {
    match &cell.means {
        Some(means) if cell.runs.is_empty() => summarize_means(means),
        _ => summarize(&cell.runs.iter().collect::<Vec<_>>()),
    }
}

/// Mean dollars of a cell's runs, without the interval, which takes long.
pub fn mean_dollars(cell: &ContinueCell) -> Option<Decimal> {
    match &cell.means {
        Some(means) if cell.runs.is_empty() => means.dollars,
        _ => mean_of(&cell.runs, |run| run.dollars),
    }
}

/// Mean tokens of a cell's runs: uncached input, output, cache reads, cache writes.
pub fn mean_tokens(cell: &ContinueCell) -> [Option<Decimal>; 4] {
    match &cell.means {
        Some(means) if cell.runs.is_empty() => released_tokens(means),
        _ => tokens(&cell.runs),
    }
}

fn released_tokens(means: &Means) -> [Option<Decimal>; 4] {
    [means.input_tokens, None, means.cache_read, means.cache_write]
}

fn tokens<R: Borrow<Run>>(runs: &[R]) -> [Option<Decimal>; 4] {
    let mean = |class: fn(&Tokens) -> Option<u64>| {
        mean_of(runs, |run| class(&run.tokens).map(Decimal::from))
    };
    [mean(|it| it.input), mean(|it| it.output), mean(|it| it.cache_read), mean(|it| it.cache_write)]
}

/// Released figures of a cell without runs.
fn summarize_means(means: &Means) -> RunSummary {
    let none = || Bounds::None("only means were released".to_owned());
    RunSummary {
        k: 0,
        n: means.n.unwrap_or(0),
        failed: 0,
        missing: 0,
        clusters: 0,
        rate: means.success_rate,
        interval: none(),
        dollars: means.dollars,
        dollars_interval: none(),
        helper_dollars: None,
        cost_per_success: CostPer::NotReleased,
        cost_per_success_interval: none(),
        tokens: released_tokens(means),
        steps: None,
        means_only: true,
    }
}

/// Exact binomial over seeds. One seed says nothing about others.
fn rate_interval(k: u64, n: u64, clusters: usize) -> Bounds {
    match clusters {
        0 => Bounds::None("no runs".to_owned()),
        1 => Bounds::None("one seed".to_owned()),
        _ => Bounds::of(stats::clopper_pearson(k, n, Level::P95)),
    }
}

fn mean(values: &[Decimal]) -> Option<Decimal> {
    values.iter().sum::<Decimal>().checked_div(Decimal::from(values.len()))
}

/// Over the runs that have the value.
fn mean_of<R: Borrow<Run>>(runs: &[R], value: impl Fn(&Run) -> Option<Decimal>) -> Option<Decimal> {
    mean(&runs.iter().filter_map(|run| value(run.borrow())).collect::<Vec<_>>())
}

fn mean_interval(values: &[Decimal]) -> Bounds {
    let clusters: Vec<Vec<f64>> = values.iter().map(|&v| vec![super::float(v)]).collect();
    bootstrap_or_percentile(clusters.len(), |spec| stats::bootstrap::mean(&clusters, spec))
}

/// Every run needs a cost: leaving one out would make successes cheaper than they were.
fn cost_per_success(runs: &[&Run]) -> (CostPer, Bounds) {
    let costs: Option<Vec<RunCost>> = runs
        .iter()
        .map(|run| Some(RunCost { dollars: run.dollars?, success: run.success()? }))
        .collect();
    let absent = || (CostPer::NotReleased, Bounds::None("a run has no cost or outcome".to_owned()));
    let Some(costs) = costs.filter(|costs| !costs.is_empty()) else { return absent() };
    match stats::cost_per_success_of(&costs) {
        Ok(CostPerSuccess::Dollars(dollars)) => {
            let clusters: Vec<Vec<RunCost>> = costs.iter().map(|cost| vec![*cost]).collect();
            let bounds = bootstrap_or_percentile(clusters.len(), |spec| {
                stats::cost_per_success_interval(&clusters, spec)
            });
            (CostPer::Dollars(dollars), bounds)
        }
        Ok(CostPerSuccess::Undefined) => {
            (CostPer::Undefined, Bounds::None("no run succeeded".to_owned()))
        }
        Err(_) => absent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: &str, ended: Ended, cents: i64) -> Run {
        Run { dollars: Some(Decimal::new(cents, 2)), ..Run::new(seed, ended) }
    }

    #[test]
    fn one_seed_has_no_interval() {
        let only = run("1", Ended::Success, 100);
        let summary = summarize(&[&only]);
        assert_eq!(summary.interval, Bounds::None("one seed".to_owned()));
        let few = || Bounds::TooFew(1);
        assert_eq!((summary.dollars_interval, summary.cost_per_success_interval), (few(), few()));
    }

    #[test]
    fn no_success_has_no_cost_per_success() {
        let runs = [run("1", Ended::Failure, 100), run("2", Ended::Failure, 200)];
        let summary = summarize(&runs.iter().collect::<Vec<_>>());
        assert_eq!(summary.cost_per_success, CostPer::Undefined);
        assert_eq!((summary.k, summary.failed, summary.missing), (0, 2, 0));
    }

    #[test]
    fn a_run_without_an_outcome_is_missing_not_failed() {
        let runs = [run("1", Ended::Success, 100), run("2", Ended::Missing("stopped".into()), 200)];
        let summary = summarize(&runs.iter().collect::<Vec<_>>());
        assert_eq!((summary.k, summary.n, summary.missing), (1, 1, 1));
        assert_eq!(summary.cost_per_success, CostPer::NotReleased);
    }
}
