//! A scoreboard's aggregates by key and group, and their values as the text of a table's cell.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::aggregate::{Aggregate, Group};
use crate::measures::AggregateKey;
use crate::schema::Scoreboard;
use crate::value::{IntervalOutcome, NotComputable};

/// The text of a cell without a value.
const NONE: &str = "-";

/// A scoreboard's aggregates. A value that is not there is a dash in a table: the scoreboard did not measure
/// it, since the key itself exists.
#[derive(Debug)]
pub struct Lookup<'a>(BTreeMap<(&'a str, &'a Group), &'a Aggregate>);

impl<'a> Lookup<'a> {
    /// The aggregates of a scoreboard.
    pub fn of(board: &'a Scoreboard) -> Self {
        let keyed = board.aggregates.iter().map(|it| ((it.spec.name.as_str(), &it.spec.over), it));
        Self(keyed.collect())
    }

    /// An aggregate over a group.
    pub fn get(&self, key: &AggregateKey, over: &Group) -> Option<&'a Aggregate> {
        self.0.get(&(key.name(), over)).copied()
    }

    /// Its value as a number.
    pub fn decimal(&self, key: &AggregateKey, over: &Group) -> Option<Decimal> {
        self.get(key, over)?.outcome.value.decimal()
    }

    /// Its value, rounded to a number of places.
    pub fn rounded(&self, key: &AggregateKey, over: &Group, places: u32) -> String {
        self.decimal(key, over).map_or_else(|| NONE.to_owned(), |value| fixed(value, places))
    }

    /// Its value with its interval, rounded to a number of places.
    pub fn estimate(&self, key: &AggregateKey, over: &Group, places: u32) -> String {
        let value = self.rounded(key, over, places);
        match self.get(key, over).and_then(|found| found.outcome.shown_interval()) {
            Some(IntervalOutcome::Bounds { lo, hi, .. }) => {
                format!("{value} [{}, {}]", fixed(lo, places), fixed(hi, places))
            }
            Some(IntervalOutcome::NotComputable(few @ NotComputable::TooFewClusters { .. })) => {
                format!("{value}, {few}")
            }
            _ => value,
        }
    }

    /// Its value in dollars; a dash where no row of the group has a price.
    pub fn dollars(&self, key: &AggregateKey, over: &Group) -> String {
        let found = self.get(key, over).filter(|found| found.outcome.n > 0);
        let dollars = found.and_then(|found| found.outcome.value.decimal());
        dollars.map_or_else(|| NONE.to_owned(), |dollars| format!("${}", fixed(dollars, 4)))
    }
}

/// Rounded half to even, with a fixed number of decimals.
fn fixed(value: Decimal, places: u32) -> String {
    format!("{:.*}", places as usize, value.round_dp(places))
}
