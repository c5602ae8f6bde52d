//! The paired test of a yes-or-no outcome over the rows that two scoreboards share.

use std::collections::BTreeMap;

use ground_truth::stats::{self, Direction};
use rust_decimal::Decimal;
use serde::Serialize;

use crate::aggregate::{AggregateSpec, Condition, Method};
use crate::evaluate::{meets, rounded};
use crate::schema::Scoreboard;

/// `McNemar`'s exact test, and what it rests on. "Yes" is a row that meets the aggregate's condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Paired {
    /// Pairs: rows of the group that both scoreboards have, with a value in both.
    pub pairs: u64,
    /// Yes in both.
    pub both: u64,
    /// Yes only in the first.
    pub only_a: u64,
    /// Yes only in the second.
    pub only_b: u64,
    /// Yes in neither.
    pub neither: u64,
    /// Rows of the group, in either scoreboard, without a partner or a value on one side.
    pub unpaired: u64,
    /// Two-sided p-value.
    pub p: Decimal,
    /// The same, adjusted by Holm's method over all paired tests of the comparison.
    pub p_holm: Decimal,
    /// The smallest difference of two shares that this many pairs would show with a probability of
    /// 0.8 at level 0.05, from the first's share in the direction seen, were they independent; none
    /// if there is none.
    pub smallest_detectable: Option<Decimal>,
}

/// `None` if the aggregate is not a share of yes-or-no rows, or there are no pairs.
pub(super) fn paired(a: &Scoreboard, b: &Scoreboard, spec: &AggregateSpec) -> Option<Paired> {
    let (measure, condition) = binary(&spec.method)?;
    let (in_a, of_a) = outcomes(a, spec, measure, &condition)?;
    let (in_b, of_b) = outcomes(b, spec, measure, &condition)?;
    let mut table = [[0_u64; 2]; 2];
    for (id, &yes) in &in_a {
        if let Some(&other) = in_b.get(id) {
            table[usize::from(yes)][usize::from(other)] += 1;
        }
    }
    let [[neither, only_b], [only_a, both]] = table;
    let pairs = neither + only_a + only_b + both;
    if pairs == 0 {
        return None;
    }
    let p = rounded(stats::mcnemar_exact(only_a, only_b)).ok()?;
    Some(Paired {
        pairs,
        both,
        only_a,
        only_b,
        neither,
        unpaired: of_a + of_b - 2 * pairs,
        p,
        p_holm: p,
        smallest_detectable: smallest_detectable(both + only_a, pairs, only_b >= only_a),
    })
}

/// Yes or no by row id for the group's rows with a value, and the number of the group's rows.
fn outcomes<'a>(
    board: &'a Scoreboard,
    spec: &AggregateSpec,
    measure: &str,
    condition: &Condition,
) -> Option<(BTreeMap<&'a str, bool>, u64)> {
    let mut found = BTreeMap::new();
    let mut rows = 0;
    for row in board.rows.iter().filter(|row| spec.over.contains(row)) {
        rows += 1;
        // An error means that the measure is not yes-or-no: then the test does not apply.
        if let Some(yes) = meets(row, measure, condition).ok()? {
            found.insert(row.id.as_str(), yes);
        }
    }
    Some((found, rows))
}

#[expect(clippy::cast_precision_loss, reason = "counts of pairs stay far below 2^53")]
fn smallest_detectable(yes: u64, pairs: u64, upwards: bool) -> Option<Decimal> {
    let share = yes as f64 / pairs as f64;
    let direction = if upwards { Direction::Increase } else { Direction::Decrease };
    let found = stats::minimum_detectable_difference(share, pairs, 0.05, 0.8, direction);
    rounded(found.ok()??).ok()
}

/// The condition that a method counts by, where it is a share of yes-or-no rows.
fn binary(method: &Method) -> Option<(&str, Condition)> {
    match method {
        Method::Share { measure, is } => Some((measure, is.clone())),
        Method::Mean { measure } => Some((measure, Condition::Flag(true))),
        _ => None,
    }
}

/// Adjusts the p-values over all tests of a comparison.
pub(super) fn adjust(tests: Vec<&mut Paired>) {
    let raw: Vec<f64> = tests.iter().filter_map(|test| f64::try_from(test.p).ok()).collect();
    let Ok(adjusted) = stats::holm(&raw) else { return };
    for (test, p) in tests.into_iter().zip(adjusted) {
        if let Ok(p) = rounded(p) {
            test.p_holm = p;
        }
    }
}
