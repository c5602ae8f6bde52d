//! Computes an aggregate from rows: the one function behind building, verifying and reports.

mod error;
mod interval;
mod term;

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use crate::aggregate::{AggregateSpec, Group, Method, PoolAxis};
use crate::row::{Measure, Row};
use crate::value::{Estimate, Undefined, Value};
pub use error::AggregateError;
pub(crate) use interval::rounded;
pub(crate) use term::meets;
use term::{Sample, Term};

/// Computes a declared aggregate from the rows of its group.
pub fn evaluate<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    spec: &AggregateSpec,
) -> Result<Estimate, AggregateError> {
    let group = rows.into_iter().filter(|row| spec.over.contains(row));
    let sample = Sample::new(group, &spec.method)?;
    check_renderers(&sample, spec)?;
    let clusters = spec.cluster.as_deref().map(|label| sample.clusters(label)).transpose()?;
    let value = value(&spec.method, &sample)?;
    let interval = spec
        .interval
        .as_ref()
        .map(|wanted| interval::interval(wanted, &spec.method, &sample, clusters.as_ref(), &value))
        .transpose()?;
    Ok(Estimate {
        value,
        interval,
        n: sample.present.len() as u64,
        missing: sample.missing,
        clusters: clusters.map(|found| found.len() as u64),
    })
}

/// Every label value that a group names must occur in some row: otherwise it is a misspelling. (All
/// of them together may occur in none: then the aggregate is over no rows.)
pub(crate) fn check_group(rows: &[Row], group: &Group) -> Result<(), AggregateError> {
    for (label, value) in &group.0 {
        if !rows.iter().any(|row| row.labels.get(label) == Some(value)) {
            let (label, value) = (label.clone(), value.clone());
            return Err(AggregateError::UnknownGroup { label, value });
        }
    }
    Ok(())
}

/// Counting rows may span renderers; anything measured may not, unless it is asked for.
fn check_renderers(sample: &Sample<'_>, spec: &AggregateSpec) -> Result<(), AggregateError> {
    if matches!(spec.method, Method::Rows | Method::Distinct { .. })
        || spec.pooled_across.contains(&PoolAxis::Renderer)
    {
        return Ok(());
    }
    let found: BTreeSet<_> =
        sample.present.iter().map(|(row, _)| row.renderer.as_deref().unwrap_or("none")).collect();
    if found.len() > 1 {
        let found = found.into_iter().map(str::to_owned).collect();
        return Err(AggregateError::MixedRenderers { found });
    }
    Ok(())
}

fn value(method: &Method, sample: &Sample<'_>) -> Result<Value, AggregateError> {
    match method {
        Method::Rows => Ok(Value::Count(sample.present.len() as u64)),
        Method::Distinct { label } => Ok(Value::Count(sample.clusters(label)?.len() as u64)),
        Method::CountWhere { .. } => {
            let met = sample.present.iter().filter(|(_, term)| !term.num.is_zero());
            Ok(Value::Count(met.count() as u64))
        }
        Method::Sum { .. } => Ok(Value::Number(sample.total()?.num.normalize())),
        Method::Median { .. } => percentile(sample, Decimal::from(50)),
        Method::Percentile { p, .. } => percentile(sample, *p),
        Method::Min { .. } => Ok(extreme(sample.numbers().min())),
        Method::Max { .. } => Ok(extreme(sample.numbers().max())),
        Method::MostFrequent { measure, top } => Ok(frequencies(sample, measure, *top)),
        Method::PerThousand { .. } => {
            ratio(sample, |Term { num, den }| Value::PerThousand { num, den })
        }
        Method::Share { .. }
        | Method::Mean { .. }
        | Method::Precision { .. }
        | Method::Recall { .. }
        | Method::F1 { .. }
        | Method::RatioOfSums { .. }
        | Method::CostPerSuccess { .. } => {
            ratio(sample, |Term { num, den }| Value::Ratio { num, den })
        }
    }
}

fn ratio(sample: &Sample<'_>, make: impl Fn(Term) -> Value) -> Result<Value, AggregateError> {
    if sample.present.is_empty() {
        return Ok(Value::Undefined(Undefined::NoRows));
    }
    let Term { num, den } = sample.total()?;
    if den.is_zero() {
        return Ok(Value::Undefined(Undefined::ZeroDenominator));
    }
    Ok(make(Term { num: num.normalize(), den: den.normalize() }))
}

fn extreme(found: Option<Decimal>) -> Value {
    found.map_or(Value::Undefined(Undefined::NoRows), |d| Value::Number(d.normalize()))
}

/// Type 7 in exact decimals, as documented at [`Method::Percentile`].
fn percentile(sample: &Sample<'_>, p: Decimal) -> Result<Value, AggregateError> {
    if p < Decimal::ZERO || p > Decimal::ONE_HUNDRED {
        return Err(AggregateError::OutOfRange(format!("percentile {p}: from 0 to 100")));
    }
    let mut sorted: Vec<Decimal> = sample.numbers().collect();
    sorted.sort();
    let Some(last) = sorted.len().checked_sub(1) else {
        return Ok(Value::Undefined(Undefined::NoRows));
    };
    let position = Decimal::from(last) * p / Decimal::ONE_HUNDRED;
    let below = usize::try_from(position.trunc()).map_err(|_| AggregateError::Overflow)?;
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    let between = b
        .checked_sub(a)
        .and_then(|gap| gap.checked_mul(position.fract()))
        .and_then(|part| a.checked_add(part))
        .ok_or(AggregateError::Overflow)?;
    Ok(Value::Number(between.normalize()))
}

fn frequencies(sample: &Sample<'_>, measure: &str, top: u32) -> Value {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (row, _) in &sample.present {
        if let Some(Measure::Text(text)) = row.measures.get(measure) {
            *counts.entry(text).or_default() += 1;
        }
    }
    let distinct = counts.len() as u64;
    let mut entries: Vec<_> =
        counts.into_iter().map(|(text, rows)| (text.to_owned(), rows)).collect();
    // Stable: equal counts stay in order of their text.
    entries.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    entries.truncate(top as usize);
    Value::Frequencies { entries, distinct }
}
