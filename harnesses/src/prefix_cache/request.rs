//! A request, its charge, and why it would be rejected.

use super::rules::Lifetime;

/// A block's text, as the simulator that made it knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub(super) id: u32,
    pub(super) tokens: u64,
}

impl Block {
    /// Its tokens, as counted when it was made.
    pub fn tokens(self) -> u64 {
        self.tokens
    }
}

/// What a block is, as far as lookups care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// A separate position.
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
    /// A block with its own position and no breakpoint.
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

/// Why a request would be rejected, or cannot be simulated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// Too many breakpoints.
    #[error("a request carries {count} cache breakpoints; the provider takes at most {most}")]
    TooManyBreakpoints {
        /// Breakpoints in the request.
        count: usize,
        /// Breakpoints allowed.
        most: usize,
    },
    /// Lifetimes out of order.
    #[error("a 5-minute cache breakpoint comes before a 1-hour one; put the 1-hour ones first")]
    LifetimeOrder,
    /// A request before an earlier one.
    #[error(
        "a request at second {at} comes after one at second {last}; give them in chronological order"
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
