//! What a runner is doing, for progress displays.

use rust_decimal::Decimal;
use trace_model::pricing::Dollars;

use super::super::ledger::Spend;

/// What a runner is doing, for progress displays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Current limit of concurrent attempts.
    pub concurrency: usize,
    /// Attempts in flight.
    pub under_way: usize,
    /// Attempts that were retries, since the runner was made.
    pub retries: u64,
    /// Calls answered from the cassette, since the runner was made.
    pub replayed: u64,
    /// Spending, including earlier runs with the same ledger.
    pub spend: Spend,
    /// The spending cap.
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
