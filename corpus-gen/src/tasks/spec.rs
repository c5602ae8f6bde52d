//! What names a task: family, horizon, seed; and the tools that the workbench has.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::rng::Draw;

/// The longest horizon that is generated.
pub const MAX_HORIZON: u32 = 5000;

/// What kind of task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Values spread over files are collected into one.
    Scatter,
    /// Violations of configuration rules are repaired; good files stay as they are.
    Fix,
    /// Each file holds a delta and the next file's path; the answer is the sum.
    Chain,
    /// The same, stated in prose that no `key = value` line holds.
    ProseChain,
    /// As chain, but the deltas' signs alternate along the traversal: order matters.
    AltChain,
}

named!(Family {
    Scatter: "scatter",
    Fix: "fix",
    Chain: "chain",
    ProseChain: "prosechain",
    AltChain: "altchain"
});

impl FromStr for Family {
    type Err = TaskError;

    fn from_str(text: &str) -> Result<Self, TaskError> {
        Self::of_name(text).ok_or_else(|| TaskError::UnknownFamily(text.to_owned()))
    }
}

/// Why a task cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskError {
    /// Nothing to do.
    #[error("a task of horizon 0 has nothing to do; name a horizon of 1 or more")]
    HorizonZero,
    /// Beyond the supported range.
    #[error("a horizon of {horizon} is too large; the largest is {MAX_HORIZON}")]
    HorizonTooLarge {
        /// The horizon asked for.
        horizon: u32,
    },
    /// Unknown family.
    #[error(
        "there is no task family `{0}`; there are `scatter`, `fix`, `chain`, `prosechain` and `altchain`"
    )]
    UnknownFamily(String),
}

/// A family, how long it takes, and which of its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskSpec {
    /// The family.
    pub family: Family,
    /// Links of a chain, files with a value of scatter, violations of fix.
    pub horizon: u32,
    /// Which task of these.
    pub seed: u64,
}

impl TaskSpec {
    /// The draws of one aspect of the task; aspects are independent of one another.
    pub(super) fn draw(self, aspect: &str) -> Draw {
        let stream = format!("{}/{aspect}", self.horizon);
        Draw::new(&format!("task/{}", self.family), self.seed, &stream)
    }
}

impl fmt::Display for TaskSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.family, self.horizon, self.seed)
    }
}

/// A tool of the workbench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Lists the paths of all files.
    ListFiles,
    /// Shows a file.
    ReadFile,
    /// Replaces a file, or makes a new one.
    WriteFile,
    /// Finds the lines that contain a text.
    Search,
    /// Adds a number to a named running total.
    Tally,
    /// Says that the task is done.
    Done,
}

named!(Tool {
    ListFiles: "list_files",
    ReadFile: "read_file",
    WriteFile: "write_file",
    Search: "search",
    Tally: "tally",
    Done: "done",
});
