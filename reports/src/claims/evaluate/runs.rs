//! Operations over single runs.

use std::collections::BTreeMap;

use ground_truth::stats::{self, CostPerSuccess, RunCost};
use rust_decimal::Decimal;

use crate::cell::{Pooled, Run};
use crate::claims::failure::{Failure, divide};
use crate::claims::figure::Figure;
use crate::claims::operation::{Price, RunMeasure};

pub(super) fn mcnemar(a: &Pooled<'_>, b: &Pooled<'_>) -> Result<Figure, Failure> {
    let (a, b) = discordant(a, b)?;
    let p = stats::mcnemar_exact(a, b);
    Decimal::try_from(p)
        .map(Figure::Number)
        .map_err(|e| Failure::Unusable(format!("{p} is out of range: {e}")))
}

/// Every run must have an outcome: a missing one would be a silent failure or a silent gap.
fn outcome(run: &Run) -> Result<bool, Failure> {
    run.success().ok_or_else(|| Failure::Absent(format!("seed {} has no outcome", run.seed)))
}

pub(super) fn successes(pooled: &Pooled<'_>) -> Result<(u64, u64), Failure> {
    let mut k = 0;
    for run in &pooled.runs {
        k += u64::from(outcome(run)?);
    }
    Ok((k, pooled.runs.len() as u64))
}

pub(super) fn rate(pooled: &Pooled<'_>) -> Result<Decimal, Failure> {
    let (k, n) = successes(pooled)?;
    divide(Decimal::from(k), Decimal::from(n), "no runs")
}

pub(super) fn cost_per_success(pooled: &Pooled<'_>) -> Result<Figure, Failure> {
    let mut costs = Vec::new();
    for run in &pooled.runs {
        let dollars = value(run, RunMeasure::Dollars)?;
        costs.push(RunCost { dollars, success: outcome(run)? });
    }
    match stats::cost_per_success_of(&costs) {
        Ok(CostPerSuccess::Dollars(dollars)) => Ok(Figure::Number(dollars)),
        Ok(CostPerSuccess::Undefined) => Err(Failure::Undefined("no run succeeded".to_owned())),
        Err(e) => Err(Failure::Unusable(e.to_string())),
    }
}

fn value(run: &Run, of: RunMeasure) -> Result<Decimal, Failure> {
    let count = |n: Option<u64>| n.map(Decimal::from);
    let found = match of {
        RunMeasure::Dollars => run.dollars,
        RunMeasure::HelperDollars => run.helper_dollars,
        RunMeasure::AllDollars => run.all_dollars(),
        RunMeasure::InputTokens => count(run.tokens.input),
        RunMeasure::CacheRead => count(run.tokens.cache_read),
        RunMeasure::CacheWrite => count(run.tokens.cache_write),
        RunMeasure::Refusals => count(run.refusals),
    };
    found.ok_or_else(|| Failure::Absent(format!("{of:?} of seed {} was not released", run.seed)))
}

pub(super) fn total(pooled: &Pooled<'_>, of: RunMeasure) -> Result<(Decimal, Decimal), Failure> {
    let mut sum = Decimal::ZERO;
    for run in &pooled.runs {
        sum += value(run, of)?;
    }
    Ok((sum, Decimal::from(pooled.runs.len())))
}

fn million() -> Decimal {
    Decimal::from(1_000_000)
}

pub(super) fn mean_priced(pooled: &Pooled<'_>, price: &Price) -> Result<Figure, Failure> {
    let sum = priced(pooled, price)?;
    divide(sum, Decimal::from(pooled.runs.len()), "no runs").map(Figure::Number)
}

fn priced(pooled: &Pooled<'_>, price: &Price) -> Result<Decimal, Failure> {
    let mut sum = Decimal::ZERO;
    for run in &pooled.runs {
        sum +=
            without_writes(run, price)? + value(run, RunMeasure::CacheWrite)? * price.cache_write;
    }
    divide(sum, million(), "no price")
}

/// Dollars, times a million, of everything but cache writes.
fn without_writes(run: &Run, price: &Price) -> Result<Decimal, Failure> {
    let output = run.tokens.output.map(Decimal::from);
    let output = output.ok_or_else(|| Failure::Absent("output tokens were not released".into()))?;
    Ok(value(run, RunMeasure::InputTokens)? * price.input
        + output * price.output
        + value(run, RunMeasure::CacheRead)? * price.cache_read)
}

pub(super) fn implied_premium(pooled: &Pooled<'_>, price: &Price) -> Result<Figure, Failure> {
    let (dollars, _) = total(pooled, RunMeasure::Dollars)?;
    let (written, _) = total(pooled, RunMeasure::CacheWrite)?;
    let mut others = Decimal::ZERO;
    for run in &pooled.runs {
        others += without_writes(run, price)?;
    }
    let per_token = divide(dollars * million() - others, written, "nothing was written")?;
    divide(per_token, price.input, "no price").map(Figure::Number)
}

pub(super) fn discordant(a: &Pooled<'_>, b: &Pooled<'_>) -> Result<(u64, u64), Failure> {
    let other = by_seed(b)?;
    let (mut only_a, mut only_b, mut pairs) = (0, 0, 0_usize);
    for (seed, yes) in by_seed(a)? {
        let Some(also) = other.get(seed) else { continue };
        pairs += 1;
        only_a += u64::from(yes && !also);
        only_b += u64::from(*also && !yes);
    }
    if pairs != a.runs.len() || pairs != b.runs.len() {
        let reason = format!(
            "the two arms share {pairs} seeds of {} and {}: a paired test needs all of them",
            a.runs.len(),
            b.runs.len()
        );
        return Err(Failure::Unusable(reason));
    }
    Ok((only_a, only_b))
}

fn by_seed<'a>(pooled: &Pooled<'a>) -> Result<BTreeMap<&'a str, bool>, Failure> {
    pooled.runs.iter().map(|run| Ok((run.seed.as_str(), outcome(run)?))).collect()
}

pub(super) fn recovered(failed: &Pooled<'_>, now: &Pooled<'_>) -> Result<Figure, Failure> {
    let now = by_seed(now)?;
    let (mut k, mut n) = (0, 0);
    for (seed, yes) in by_seed(failed)? {
        if !yes {
            n += 1;
            k += u64::from(now.get(seed) == Some(&true));
        }
    }
    Ok(Figure::Fraction { k, n })
}
