//! The calculator: named running totals.

use std::collections::BTreeMap;

/// Most totals that are kept.
const MAX_TOTALS: usize = 64;

/// The totals of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Tallies(BTreeMap<String, (i64, u64)>);

impl Tallies {
    /// Adds to a total, which starts at 0, and returns the new total. Does nothing if the sum is beyond 64 bits
    /// or there are too many totals.
    pub(super) fn add(&mut self, name: &str, add: i64) -> Result<String, String> {
        let known = self.0.get(name).copied();
        if known.is_none() && self.0.len() >= MAX_TOTALS {
            return Err(format!("there are {MAX_TOTALS} totals already; use one of them"));
        }
        let (total, additions) = known.unwrap_or_default();
        let Some(total) = total.checked_add(add) else {
            return Err(format!("the total `{name}` would leave the range of 64-bit integers"));
        };
        let additions = additions + 1;
        self.0.insert(name.to_owned(), (total, additions));
        let times = if additions == 1 { "addition" } else { "additions" };
        Ok(format!("running total `{name}` is {total} after {additions} {times}"))
    }
}
