//! What a model answered, in no provider's own words. Stored in cassettes and rows.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};
use trace_model::pricing::CallUsage;

/// Tokens by class, as the provider counted them. The classes are disjoint, but for `reasoning`, which
/// is a part of `output`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input that was neither read from nor written to a cache.
    pub input: u64,
    /// What the model wrote, thinking included.
    pub output: u64,
    /// The part of `output` that was thinking, where the provider says.
    pub reasoning: u64,
    /// Input read from a cache.
    pub cache_read: u64,
    /// Input written to a cache for five minutes.
    pub cache_write_5m: u64,
    /// Input written to a cache for one hour.
    pub cache_write_1h: u64,
}

impl Usage {
    /// All that the model read, from a cache or not.
    #[must_use]
    pub fn all_input(&self) -> u64 {
        [self.cache_read, self.cache_write_5m, self.cache_write_1h]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }

    /// All tokens.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.all_input().saturating_add(self.output)
    }

    /// The same for a price table; the call is at the standard tier, speed and geography.
    #[must_use]
    pub fn for_pricing<'a>(&self, date: Option<&'a str>) -> CallUsage<'a> {
        CallUsage {
            input: self.input,
            output: self.output,
            cache_read: self.cache_read,
            cache_write_5m: self.cache_write_5m,
            cache_write_1h: self.cache_write_1h,
            date,
            ..CallUsage::default()
        }
    }
}

impl Add for Usage {
    type Output = Self;

    /// The largest number stands where a sum would be larger.
    fn add(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write_5m: self.cache_write_5m.saturating_add(other.cache_write_5m),
            cache_write_1h: self.cache_write_1h.saturating_add(other.cache_write_1h),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was done.
    End,
    /// It reached the most tokens it may write, or the end of its context window.
    Length,
    /// It, or a filter before or after it, refused. The provider's words or code for it.
    Refusal(String),
    /// Anything else, by the provider's word.
    Other(String),
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// The answer's text, without thinking; it may be empty.
    pub text: String,
    /// Why it ended.
    pub stop: Stop,
    /// The model that answered, by the provider's word; none if the provider does not say.
    pub model_returned: Option<String>,
    /// What it took, if the provider says: nothing is estimated.
    pub usage: Option<Usage>,
}

impl Completion {
    /// Whether the model, or a filter, refused.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.stop, Stop::Refusal(_))
    }

    /// Whether there is no text, and no refusal that would explain it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.is_refusal() && self.text.trim().is_empty()
    }
}
