//! What clients state in the end, and what of it no call has: the records of `claude -p` hold
//! placeholders, the `result` record the true sums.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::terms::Terms;
use super::totals::{Contribution, Sign};
use crate::event::RawUsage;

/// Stated usage of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StatedModel {
    /// Its name as first written.
    pub(super) name: u32,
    /// The day of the first record that names it.
    pub(super) date: Option<u32>,
    /// The largest of each number.
    pub(super) peak: RawUsage,
    /// What the totals were given that is in no call.
    pub(super) given: Option<Unattributed>,
}

/// What a model used that is in no call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Unattributed {
    pub(super) usage: RawUsage,
    pub(super) terms: Terms,
    pub(super) part: Contribution,
    /// The name of the reason for which it has no price.
    pub(super) unpriced: Option<u32>,
}

/// What all `result` records state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StatedSums {
    /// By the model's name without its mark of a long context.
    pub(super) models: BTreeMap<u32, StatedModel>,
    /// The last total, in dollars.
    pub(super) cost: Option<Decimal>,
}

/// Usage of a model's counted calls, whatever long-context suffix their names have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Attributed {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_creation: u64,
    pub(super) web_searches: u64,
}

impl Attributed {
    pub(super) fn change(&mut self, sign: Sign, by: &Contribution) {
        sign.count(&mut self.input, by.tokens.input);
        sign.count(&mut self.output, by.tokens.output);
        sign.count(&mut self.cache_read, by.tokens.cache_read);
        sign.count(&mut self.cache_creation, by.tokens.cache_creation);
        sign.count(&mut self.web_searches, by.web_searches);
    }

    /// What is stated above it.
    pub(super) fn missing_of(&self, stated: &RawUsage) -> RawUsage {
        RawUsage {
            input: stated.input.saturating_sub(self.input),
            output: stated.output.saturating_sub(self.output),
            cache_read: stated.cache_read.saturating_sub(self.cache_read),
            cache_creation: stated.cache_creation.saturating_sub(self.cache_creation),
            web_searches: stated.web_searches.saturating_sub(self.web_searches),
            ..RawUsage::default()
        }
    }
}

/// A model's name without its mark of a long context.
pub(super) fn unmarked(name: &str) -> &str {
    name.strip_suffix("[1m]").unwrap_or(name)
}
