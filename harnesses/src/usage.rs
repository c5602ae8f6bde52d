//! Tokens by class: what a model call used, what a recorded turn states, what a simulated cache charges for.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};
use trace_model::pricing::CallUsage;

/// Tokens by class, as a provider counts and bills them. The classes are disjoint, except `reasoning`, which is
/// a part of `output`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenUsage {
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

impl TokenUsage {
    /// All that the model read, from a cache or not.
    #[must_use]
    pub fn all_input(&self) -> u64 {
        self.input.saturating_add(self.cache_read).saturating_add(self.cache_write())
    }

    /// All tokens.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.all_input().saturating_add(self.output)
    }

    /// The part of the input that was written to a cache.
    #[must_use]
    pub fn cache_write(&self) -> u64 {
        self.cache_write_5m.saturating_add(self.cache_write_1h)
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

impl Add for TokenUsage {
    type Output = Self;

    /// Sums saturate at the largest number.
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

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
