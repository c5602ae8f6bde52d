//! One run of a cell.

use rust_decimal::Decimal;

/// One run: an arm's worker on one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The seed of its task: what pairs it with another arm's run, and the cluster of every interval.
    pub seed: String,
    /// How it ended.
    pub ended: Ended,
    /// The task's score, where there is partial credit.
    pub score: Option<Decimal>,
    /// Dollars of the worker's own calls.
    pub dollars: Option<Decimal>,
    /// Dollars of what helps the worker: an extractor, a summarizer.
    pub helper_dollars: Option<Decimal>,
    /// Steps that it took.
    pub steps: Option<u64>,
    /// Batches that the extractor refused.
    pub refusals: Option<u64>,
    /// Its tokens by class.
    pub tokens: Tokens,
}

impl Run {
    /// A run with only its ending known so far.
    pub fn new(seed: impl Into<String>, ended: Ended) -> Self {
        Self {
            seed: seed.into(),
            ended,
            score: None,
            dollars: None,
            helper_dollars: None,
            steps: None,
            refusals: None,
            tokens: Tokens::default(),
        }
    }

    /// Whether it succeeded; none if it has no outcome.
    pub fn success(&self) -> Option<bool> {
        match self.ended {
            Ended::Success => Some(true),
            Ended::Failure => Some(false),
            Ended::Missing(_) => None,
        }
    }

    /// Dollars of the worker and of what helped it; none where the worker's are not known.
    pub fn all_dollars(&self) -> Option<Decimal> {
        self.dollars?.checked_add(self.helper_dollars.unwrap_or_default())
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The whole task is done.
    Success,
    /// It is not.
    Failure,
    /// No outcome, with the reason. Counted as missing, never as a failure.
    Missing(String),
}

/// Tokens by class; none where not released or not measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Input that was neither read from nor written to the cache.
    pub input: Option<u64>,
    /// Output.
    pub output: Option<u64>,
    /// Read from the cache.
    pub cache_read: Option<u64>,
    /// Written to the cache.
    pub cache_write: Option<u64>,
}
