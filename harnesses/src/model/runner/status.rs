//! What a runner is doing, for progress displays.

use rust_decimal::Decimal;
use trace_model::pricing::Dollars;

use super::super::ledger::Spend;

/// What a runner is doing, for progress displays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Attempts that may be under way at once now.
    pub concurrency: usize,
    /// Attempts under way.
    pub under_way: usize,
    /// Attempts that were retries, since the runner was made.
    pub retries: u64,
    /// Calls answered from the cassette, since the runner was made.
    pub replayed: u64,
    /// What was spent, earlier runs of the same ledger included.
    pub spend: Spend,
    /// The most that may be spent.
    pub budget: Option<Dollars>,
}

impl Status {
    /// One line for a progress display, with the running accuracy if there is one.
    #[must_use]
    pub fn line(&self, accuracy: Option<Decimal>) -> String {
        let Self { concurrency, retries, replayed, spend, budget, .. } = self;
        let mut parts = Vec::new();
        parts.extend(accuracy.map(|accuracy| format!("accuracy {accuracy:.3}")));
        let of = budget.map(|budget| format!(" of {budget:.2}")).unwrap_or_default();
        parts.push(format!("{:.4}{of}", spend.dollars()));
        if spend.unpriced > 0 {
            parts.push(format!("{} tokens unpriced", spend.unpriced_tokens.total()));
        }
        if *replayed > 0 {
            parts.push(format!("{replayed} from the cassette"));
        }
        if *retries > 0 {
            parts.push(format!("{retries} retries"));
        }
        parts.push(format!("{concurrency} at once"));
        parts.join(", ")
    }
}
