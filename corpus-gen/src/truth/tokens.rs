//! Counts of tokens.

use serde::{Deserialize, Serialize};

/// Token counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Uncached input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Written to the cache.
    pub cache_creation: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    pub(crate) fn add(&mut self, other: Tokens) {
        self.input += other.input;
        self.output += other.output;
        self.cache_creation += other.cache_creation;
        self.cache_read += other.cache_read;
    }

    /// What `self` has above `other`, number by number.
    pub(crate) fn above(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_sub(other.input),
            output: self.output.saturating_sub(other.output),
            cache_creation: self.cache_creation.saturating_sub(other.cache_creation),
            cache_read: self.cache_read.saturating_sub(other.cache_read),
        }
    }

    /// The larger of both, number by number.
    pub(crate) fn largest(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_creation: self.cache_creation.max(other.cache_creation),
            cache_read: self.cache_read.max(other.cache_read),
        }
    }
}

/// Tokens written to the cache, by how long they live.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheWrites {
    /// Five minutes.
    pub five_minutes: u64,
    /// One hour.
    pub one_hour: u64,
}
