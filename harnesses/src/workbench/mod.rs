//! The workbench of CONTINUE: a task's files in memory, the tools that a worker has, errors at calls
//! that were fixed before the run, and the verdict on the end state. Used by the worker loop; no model
//! and no arm is known here.
//!
//! **A call** is first validated: its shape, whether the tool exists and is enabled, the form of its
//! path, the size of its arguments. What fails there is answered by a validation error, does nothing and
//! uses no call index. Each other call but `done` takes the next index, and the schedule of (seed, index)
//! says whether it meets a transient error, which does nothing either: the same call tried again has the
//! next index. So the errors that a run meets depend on how many real calls it has made and on nothing
//! else, whichever arm makes them. `done` never meets one.
//!
//! **An observation** is what was asked for, then (unless it is an error) the line [`PADDING_MARK`] and
//! padding that says nothing, since real tools are verbose. What was asked for comes first, so the lines
//! of a file that is read have their own numbers.

mod action;
mod bench;
mod paths;
mod schedule;
mod tally;
mod verdict;

pub use action::{Action, ActionError, MAX_CONTENT, MAX_NAME, MAX_PATH, MAX_PATTERN};
pub use bench::{MAX_FILES, MAX_FOUND, Observation, Outcome, Workbench, tool_help};
pub use schedule::{ErrorRate, ErrorRateError, Schedule};
pub use verdict::{Partial, Verdict};

/// The line between what was asked for and the padding. A file may hold such a line too: the last one of
/// an observation is the mark.
pub const PADDING_MARK: &str = "--- notes ---";

/// Characters of padding an observation, unless told otherwise: with them a step of a chain (call and
/// observation) is about as many tokens of a public tokenizer as the published steps were of the
/// provider's.
///
/// The input tokens of a full context's n steps are n B + s n (n - 1) / 2, B being what stands before the
/// first step and s what a step adds. With B = 293 and s = 231 that is within 2% of each of the nine
/// published runs that such rows exist for (chain, v10; 35 to 145 steps). The published padding itself, in
/// characters, is not known.
pub const DEFAULT_PADDING: usize = 1000;

/// What is not the task's.
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

#[cfg(test)]
mod tests;
