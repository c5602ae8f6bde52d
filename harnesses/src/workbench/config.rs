//! What a bench adds to a task: padding, errors, the tool that adds.

use super::schedule::ErrorRate;

/// The line between the result and the padding. A file may hold such a line too: the last one of an observation
/// is the mark.
pub const PADDING_MARK: &str = "--- notes ---";

/// Default characters of padding per observation: with them a step of a chain (call and observation) is about
/// as many tokens of a public tokenizer as the published steps were of the provider's.
///
/// The input tokens of a full context's n steps are n B + s n (n - 1) / 2, B being what stands before the
/// first step and s what a step adds. With B = 293 and s = 231 that is within 2% of each of the nine
/// published runs that such rows exist for (chain, v10; 35 to 145 steps). The published padding itself, in
/// characters, is not known.
pub const DEFAULT_PADDING: usize = 1000;

/// Settings that are not the task's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchConfig {
    /// Characters of padding an observation.
    pub padding_chars: usize,
    /// The share of calls that meet a transient error.
    pub error_rate: ErrorRate,
    /// Whether the worker has the calculator.
    pub tally: bool,
}

impl Default for BenchConfig {
    fn default() -> Self {
        Self { padding_chars: DEFAULT_PADDING, error_rate: ErrorRate::NONE, tally: false }
    }
}
