//! What a comparison finds, as data.

use rust_decimal::Decimal;
use serde::Serialize;

use super::paired::Paired;
use crate::aggregate::Group;
use crate::provenance::Instrument;
use crate::value::Estimate;

/// All that [`compare`](crate::compare()) finds. [`Comparison::render`] prints it; serialized, it is the `--json` form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The first scoreboard.
    pub a: BoardRef,
    /// The second.
    pub b: BoardRef,
    /// What differs in their origin. Where renderer, protocol or grader differ, a difference of
    /// values is not the effect of one change alone.
    pub provenance: Vec<ProvenanceDifference>,
    /// Aggregates that both have.
    pub shared: Vec<AggregateDelta>,
    /// Aggregates that only the first has.
    pub only_in_a: Vec<Named>,
    /// Aggregates that only the second has.
    pub only_in_b: Vec<Named>,
    /// Rows that both have, by id.
    pub rows_shared: u64,
    /// Rows that only the first has.
    pub rows_only_in_a: u64,
    /// Rows that only the second has.
    pub rows_only_in_b: u64,
    /// Whether the two have the same rows with the same values.
    pub same_rows: bool,
}

/// Which scoreboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardRef {
    /// Its id.
    pub id: String,
    /// Its instrument.
    pub instrument: Instrument,
    /// Its date.
    pub date: String,
}

/// Something in which the two origins differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProvenanceDifference {
    /// What.
    pub what: String,
    /// In the first.
    pub a: String,
    /// In the second.
    pub b: String,
}

/// An aggregate's name and group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its group.
    pub over: Group,
}

/// One aggregate in both scoreboards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AggregateDelta {
    /// Its name and group.
    #[serde(flatten)]
    pub aggregate: Named,
    /// In the first, with its interval as it is shown ([`Estimate::shown`]).
    pub a: Estimate,
    /// In the second, likewise.
    pub b: Estimate,
    /// Second minus first; none where either has no value, or the methods differ.
    pub difference: Option<Decimal>,
    /// Whether both compute it by the same method. If not, the values are not comparable.
    pub same_method: bool,
    /// The paired test over the rows that both have, where the outcome is yes or no.
    pub paired: Option<Paired>,
}
