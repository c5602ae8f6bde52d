//! API calls as every format reports them in the end, and the sums of their tokens.

use serde::{Deserialize, Serialize};

/// Token counts, by class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Input that was neither read from nor written to the cache.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input written to the cache: the 5-minute and the 1-hour part together.
    pub cache_creation: u64,
    /// Input written to the cache for five minutes.
    pub cache_creation_5m: u64,
    /// Input written to the cache for an hour.
    pub cache_creation_1h: u64,
    /// Input read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    /// All tokens: input, output, cache creation and cache read.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_creation + self.cache_read
    }

    /// What the model was given: input, cache creation and cache read.
    #[must_use]
    pub fn context(&self) -> u64 {
        self.input + self.cache_creation + self.cache_read
    }

    /// The class-by-class sum.
    pub(super) fn sum(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            input: sum.input + part.input,
            output: sum.output + part.output,
            cache_creation: sum.cache_creation + part.cache_creation,
            cache_creation_5m: sum.cache_creation_5m + part.cache_creation_5m,
            cache_creation_1h: sum.cache_creation_1h + part.cache_creation_1h,
            cache_read: sum.cache_read + part.cache_read,
        })
    }
}

/// One API call with its final values: the largest of each number, the last of each name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiCall {
    /// For a call out of `usage.iterations`, its position in that list.
    pub iteration: Option<u64>,
    /// The day, in UTC and as `YYYY-MM-DD`, of the call's first record that states a time.
    pub date: Option<String>,
    /// The model's name as written.
    pub model: Option<String>,
    /// `usage.speed`.
    pub speed: Option<String>,
    /// `usage.service_tier`.
    pub service_tier: Option<String>,
    /// `usage.inference_geo`.
    pub inference_geo: Option<String>,
    /// The tokens.
    pub tokens: Tokens,
    /// Web searches made by the server.
    pub web_search_requests: u64,
    /// Web pages fetched by the server.
    pub web_fetch_requests: u64,
    /// For a call that is not finished, and whose records state one number of output tokens at most: what they
    /// hold. None for a call out of iterations.
    pub unstated: Option<Unstated>,
    /// Whether it stands for several calls that no record tells apart: it has no long context then.
    pub is_sum: bool,
}

impl ApiCall {
    /// Whether the call was made in fast mode.
    #[must_use]
    pub fn is_fast(&self) -> bool {
        self.speed.as_deref() == Some("fast")
    }
}

/// The calls of one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelTotals {
    /// The number of calls.
    pub calls: u64,
    /// Their tokens.
    pub tokens: Tokens,
}

/// What the records of a call hold that is not finished and states one number of output tokens at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unstated {
    /// The estimate from text before it is scaled, in thousandths of a token.
    pub text: u64,
    /// What withheld thinking adds to it.
    pub withheld: u64,
    /// Whether the call has thinking of which nothing tells how much it is.
    pub is_lower_bound: bool,
}

/// What a client states to have used of a model above the sum over its calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unattributed {
    /// The name of the model's calls, else the name in the first `result` record that names it.
    pub model: String,
    /// The day, in UTC and as `YYYY-MM-DD`, of that record.
    pub date: Option<String>,
    /// The tokens; all cache writes are for five minutes.
    pub tokens: Tokens,
    /// Web searches made by the server.
    pub web_search_requests: u64,
}

impl Unattributed {
    /// "Priced as one call of that model without speed, tier, geo or long context."
    pub(super) fn as_call(&self) -> ApiCall {
        ApiCall {
            model: Some(self.model.clone()),
            date: self.date.clone(),
            tokens: self.tokens,
            web_search_requests: self.web_search_requests,
            is_sum: true,
            ..ApiCall::default()
        }
    }
}
