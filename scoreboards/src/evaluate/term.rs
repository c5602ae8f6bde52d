//! What each row contributes: a numerator and a denominator. Every method of one value, of a ratio or
//! of a count is a sum, or an ordering, of these.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::error::AggregateError;
use crate::aggregate::{Condition, Method};
use crate::row::{Measure, Row};

/// A row's contribution. For a method of single values, `num` is the value and `den` is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) num: Decimal,
    pub(crate) den: Decimal,
}

impl Term {
    const ZERO: Term = Term { num: Decimal::ZERO, den: Decimal::ZERO };

    fn one(num: Decimal) -> Self {
        Self { num, den: Decimal::ONE }
    }

    fn plus(self, other: Term) -> Result<Term, AggregateError> {
        Ok(Term { num: add(self.num, other.num)?, den: add(self.den, other.den)? })
    }
}

/// The rows of a group with their contributions.
pub(crate) struct Sample<'a> {
    pub(crate) present: Vec<(&'a Row, Term)>,
    pub(crate) missing: u64,
}

impl<'a> Sample<'a> {
    pub(crate) fn new(
        rows: impl Iterator<Item = &'a Row>,
        method: &Method,
    ) -> Result<Self, AggregateError> {
        let mut sample = Self { present: Vec::new(), missing: 0 };
        for row in rows {
            match term(row, method)? {
                Some(term) => sample.present.push((row, term)),
                None => sample.missing += 1,
            }
        }
        Ok(sample)
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = Decimal> {
        self.present.iter().map(|(_, term)| term.num)
    }

    pub(crate) fn total(&self) -> Result<Term, AggregateError> {
        self.present.iter().try_fold(Term::ZERO, |sum, (_, term)| sum.plus(*term))
    }

    /// The contributions by the value of a label, which every row must have.
    pub(crate) fn clusters(
        &self,
        label: &str,
    ) -> Result<BTreeMap<&'a str, Vec<Term>>, AggregateError> {
        let mut clusters: BTreeMap<&str, Vec<Term>> = BTreeMap::new();
        for (row, term) in &self.present {
            let Some(value) = row.labels.get(label) else {
                let (row, label) = (row.id.clone(), label.to_owned());
                return Err(AggregateError::NoLabel { row, label });
            };
            clusters.entry(value).or_default().push(*term);
        }
        Ok(clusters)
    }
}

/// The sum of some contributions.
pub(crate) fn sum(terms: &[Term]) -> Result<Term, AggregateError> {
    terms.iter().try_fold(Term::ZERO, |sum, term| sum.plus(*term))
}

/// A row's contribution, or `None` if a measure that it needs is missing.
fn term(row: &Row, method: &Method) -> Result<Option<Term>, AggregateError> {
    Ok(match method {
        Method::Rows | Method::Distinct { .. } => Some(Term::one(Decimal::ONE)),
        Method::Sum { measure }
        | Method::Mean { measure }
        | Method::Median { measure }
        | Method::Percentile { measure, .. }
        | Method::Min { measure }
        | Method::Max { measure } => number(row, measure)?.map(Term::one),
        Method::CountWhere { measure, is } | Method::Share { measure, is } => {
            meets(row, measure, is)?.map(|met| Term::one(Decimal::from(u8::from(met))))
        }
        Method::Precision { tp, fp } => match numbers(row, [tp, fp])? {
            Some([tp, fp]) => Some(Term { num: tp, den: add(tp, fp)? }),
            None => None,
        },
        Method::Recall { tp, r#fn } => match numbers(row, [tp, r#fn])? {
            Some([tp, missed]) => Some(Term { num: tp, den: add(tp, missed)? }),
            None => None,
        },
        Method::F1 { tp, fp, r#fn } => match numbers(row, [tp, fp, r#fn])? {
            Some([tp, fp, missed]) => {
                let twice = add(tp, tp)?;
                Some(Term { num: twice, den: add(twice, add(fp, missed)?)? })
            }
            None => None,
        },
        Method::RatioOfSums { num, den } | Method::PerThousand { num, den } => {
            numbers(row, [num, den])?.map(|[num, den]| Term { num, den })
        }
        Method::CostPerSuccess { cost, success } => {
            numbers(row, [cost, success])?.map(|[num, den]| Term { num, den })
        }
        Method::MostFrequent { measure, .. } => {
            text(row, measure)?.then_some(Term::one(Decimal::ONE))
        }
    })
}

fn measure<'r>(row: &'r Row, name: &str) -> Result<&'r Measure, AggregateError> {
    row.measures
        .get(name)
        .ok_or_else(|| AggregateError::NoMeasure { row: row.id.clone(), measure: name.to_owned() })
}

fn wrong_kind(row: &Row, name: &str, found: &Measure, wanted: &'static str) -> AggregateError {
    AggregateError::WrongKind {
        row: row.id.clone(),
        measure: name.to_owned(),
        found: found.kind(),
        wanted,
    }
}

fn number(row: &Row, name: &str) -> Result<Option<Decimal>, AggregateError> {
    match measure(row, name)? {
        text @ Measure::Text(_) => Err(wrong_kind(row, name, text, "a number")),
        other => Ok(other.number()),
    }
}

fn numbers<const N: usize>(
    row: &Row,
    names: [&String; N],
) -> Result<Option<[Decimal; N]>, AggregateError> {
    let mut found = [Decimal::ZERO; N];
    let mut complete = true;
    for (slot, name) in found.iter_mut().zip(names) {
        match number(row, name)? {
            Some(number) => *slot = number,
            None => complete = false,
        }
    }
    Ok(complete.then_some(found))
}

/// Whether a text is present; an error if the measure is not a text.
fn text(row: &Row, name: &str) -> Result<bool, AggregateError> {
    match measure(row, name)? {
        Measure::Text(_) => Ok(true),
        Measure::Missing { .. } => Ok(false),
        other => Err(wrong_kind(row, name, other, "a text")),
    }
}

/// Whether a row's measure meets a condition; `None` if it is missing (and that is not the question).
pub(crate) fn meets(
    row: &Row,
    name: &str,
    condition: &Condition,
) -> Result<Option<bool>, AggregateError> {
    let found = measure(row, name)?;
    match (found, condition) {
        (Measure::Missing { .. }, Condition::Missing) => Ok(Some(true)),
        (_, Condition::Missing) => Ok(Some(false)),
        (Measure::Missing { .. }, _) => Ok(None),
        (Measure::Flag(a), Condition::Flag(b)) => Ok(Some(a == b)),
        (Measure::Count(a) | Measure::Tokens(a), Condition::Count(b)) => Ok(Some(a == b)),
        (Measure::Text(a), Condition::Text(b)) => Ok(Some(a == b)),
        (_, Condition::Flag(_)) => Err(wrong_kind(row, name, found, "a flag")),
        (_, Condition::Count(_)) => Err(wrong_kind(row, name, found, "a count")),
        (_, Condition::Text(_)) => Err(wrong_kind(row, name, found, "a text")),
    }
}

fn add(a: Decimal, b: Decimal) -> Result<Decimal, AggregateError> {
    a.checked_add(b).ok_or(AggregateError::Overflow)
}
