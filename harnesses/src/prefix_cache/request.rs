//! A request, what it would be charged, and why it would be refused.

use super::rules::Lifetime;
use super::simulator::Block;

/// What a block is, as far as lookups care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A position of its own.
    Other,
    /// A tool call: a run of them is one position.
    ToolUse,
    /// A tool result: a run of them is one position.
    ToolResult,
}

/// A block of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The block.
    pub block: Block,
    /// What it is.
    pub kind: PartKind,
    /// The breakpoint that it carries.
    pub breakpoint: Option<Lifetime>,
}

impl Part {
    /// A block that is a position of its own and carries no breakpoint.
    pub fn new(block: Block) -> Self {
        Self { block, kind: PartKind::Other, breakpoint: None }
    }

    /// The same of another kind.
    #[must_use]
    pub fn of_kind(self, kind: PartKind) -> Self {
        Self { kind, ..self }
    }

    /// The same with a breakpoint.
    #[must_use]
    pub fn with_breakpoint(self, lifetime: Lifetime) -> Self {
        Self { breakpoint: Some(lifetime), ..self }
    }
}

/// The tokens of a request's blocks, by what is paid for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheUsage {
    /// Neither read from the cache nor written to it.
    pub input: u64,
    /// Read from the cache.
    pub cache_read: u64,
    /// Written for five minutes.
    pub cache_write_5m: u64,
    /// Written for an hour.
    pub cache_write_1h: u64,
}

impl CacheUsage {
    /// All tokens.
    pub fn total(&self) -> u64 {
        self.input + self.cache_read + self.cache_write_5m + self.cache_write_1h
    }

    /// What they cost, in hundredths of a token of input, by the multipliers that hold for most models.
    pub fn price_in_hundredths(&self) -> u128 {
        u128::from(self.input) * 100
            + u128::from(self.cache_read) * 10
            + u128::from(self.cache_write_5m) * 125
            + u128::from(self.cache_write_1h) * 200
    }

    /// Adds another request's.
    pub fn add(&mut self, other: &Self) {
        self.input += other.input;
        self.cache_read += other.cache_read;
        self.cache_write_5m += other.cache_write_5m;
        self.cache_write_1h += other.cache_write_1h;
    }
}

/// Why a request would be refused, or cannot be simulated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// Too many breakpoints.
    #[error("a request carries {count} cache breakpoints; the provider takes at most {most}")]
    TooManyBreakpoints {
        /// How many it carries.
        count: usize,
        /// How many are taken.
        most: usize,
    },
    /// Lifetimes out of order.
    #[error("a 5-minute cache breakpoint stands before a 1-hour one; put the 1-hour ones first")]
    LifetimeOrder,
    /// A request before an earlier one.
    #[error(
        "a request at second {at} comes after one at second {last}; give them in order of time"
    )]
    TimeWentBack {
        /// The time given.
        at: u64,
        /// The time of the request before.
        last: u64,
    },
    /// A block of another simulation.
    #[error("a block was made by another simulator; make each run's blocks with its own")]
    ForeignBlock,
}
