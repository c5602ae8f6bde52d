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
//! **An observation** is the result, then (unless it is an error) the line [`PADDING_MARK`] and filler, since
//! real tools are verbose. The result comes first, so the lines of a file that is read have their own numbers.

mod action;
mod bench;
mod config;
mod paths;
mod schedule;
mod tally;
mod verdict;

pub use action::{Action, ActionError, MAX_CONTENT, MAX_NAME, MAX_PATH, MAX_PATTERN};
pub use bench::{CallOutcome, MAX_FILES, MAX_FOUND, Observation, Workbench, tool_help};
pub use config::{BenchConfig, DEFAULT_PADDING, PADDING_MARK};
pub use schedule::{ErrorRate, ErrorRateError, Schedule};
pub use verdict::{Partial, Verdict};

#[cfg(test)]
mod tests;
