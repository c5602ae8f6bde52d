//! What calls used and cost, as sums that contributions are given to and taken back from.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::event::RawUsage;

/// Input tokens above which a request counts as long, whatever its price.
const LONG_CONTEXT: u64 = 200_000;

/// Tokens by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Neither read from nor written to the cache.
    pub input: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// Written to the cache, in all.
    pub cache_creation: u64,
    /// Of those, for five minutes.
    pub cache_creation_5m: u64,
    /// Of those, for an hour.
    pub cache_creation_1h: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    pub(super) fn of(raw: &RawUsage) -> Self {
        let stated = raw.cache_5m + raw.cache_1h;
        let cache_creation = raw.cache_creation.max(stated);
        Self {
            input: raw.input,
            output: raw.output,
            cache_creation,
            cache_creation_5m: cache_creation - raw.cache_1h,
            cache_creation_1h: raw.cache_1h,
            cache_read: raw.cache_read,
        }
    }

    /// All classes together.
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_creation + self.cache_read
    }

    pub(super) fn change(&mut self, sign: Sign, by: &Self) {
        sign.count(&mut self.input, by.input);
        sign.count(&mut self.output, by.output);
        sign.count(&mut self.cache_creation, by.cache_creation);
        sign.count(&mut self.cache_creation_5m, by.cache_creation_5m);
        sign.count(&mut self.cache_creation_1h, by.cache_creation_1h);
        sign.count(&mut self.cache_read, by.cache_read);
    }
}

/// Whether a contribution is given or taken back.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    Give,
    TakeBack,
}

impl Sign {
    pub(super) fn count(self, total: &mut u64, by: u64) {
        *total = match self {
            Self::Give => total.saturating_add(by),
            Self::TakeBack => total.saturating_sub(by),
        };
    }

    pub(super) fn dollars(self, total: &mut Decimal, by: Decimal) {
        *total = match self {
            Self::Give => total.saturating_add(by),
            Self::TakeBack => total.saturating_sub(by),
        };
    }
}

/// What a set of calls used and cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// API calls.
    pub calls: u64,
    /// Their tokens.
    pub tokens: Tokens,
    /// What the priced ones cost, in US dollars.
    pub dollars: Decimal,
    /// Calls without a price.
    pub unpriced_calls: u64,
    /// Their tokens.
    pub unpriced_tokens: u64,
    /// Calls in fast mode.
    pub fast_calls: u64,
    /// Calls whose input, cached or not, is above 200,000 tokens.
    pub over_200k_calls: u64,
    /// Web searches that the provider ran.
    pub web_searches: u64,
    /// Web pages that the provider fetched.
    pub web_fetches: u64,
    /// Cost in units of each call's own input price: see [`crate::pricing::relative_units`].
    pub input_price_units: Decimal,
}

impl Spending {
    pub(super) fn change(&mut self, sign: Sign, by: &Contribution) {
        sign.count(&mut self.calls, by.calls);
        self.tokens.change(sign, &by.tokens);
        match by.dollars {
            Some(dollars) => sign.dollars(&mut self.dollars, dollars),
            None => {
                sign.count(&mut self.unpriced_calls, by.calls);
                sign.count(&mut self.unpriced_tokens, by.tokens.total());
            }
        }
        sign.count(&mut self.fast_calls, by.fast.into());
        sign.count(&mut self.over_200k_calls, by.is_long().into());
        sign.count(&mut self.web_searches, by.web_searches);
        sign.count(&mut self.web_fetches, by.web_fetches);
        sign.dollars(&mut self.input_price_units, by.input_price_units);
    }
}

/// What one call, or usage outside any call, adds to the totals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Contribution {
    /// How many calls it is: one, or none.
    pub(super) calls: u64,
    pub(super) tokens: Tokens,
    pub(super) dollars: Option<Decimal>,
    pub(super) fast: bool,
    pub(super) web_searches: u64,
    pub(super) web_fetches: u64,
    pub(super) input_price_units: Decimal,
}

impl Contribution {
    fn is_long(&self) -> bool {
        self.calls > 0
            && self.tokens.input + self.tokens.cache_read + self.tokens.cache_creation
                > LONG_CONTEXT
    }
}
