//! Workbench tasks (CONTINUE): a small filesystem, the worker's instructions, and the truth about when the task
//! is done. Used by the workbench, which serves the files and judges the end state, and by nobody who should
//! not know the truth.
//!
//! A task is a function of (family, horizon, seed), byte for byte. None is done before it begins: an
//! untouched start state earns nothing.
//!
//! ```
//! use corpus_gen::tasks::{Family, TaskSpec, generate};
//!
//! let task = generate(TaskSpec { family: Family::Chain, horizon: 30, seed: 1 })?;
//! assert_eq!(task.files.len(), 30);
//! assert!(task.goal.contains(&task.links[0].path));
//! # Ok::<(), corpus_gen::tasks::TaskError>(())
//! ```

mod chain;
mod check;
mod fix;
mod notes;
mod places;
pub mod prose;
mod scatter;
mod spec;

use std::collections::{BTreeMap, BTreeSet};

pub use check::{Check, Link, Repair, Statistic};
pub use notes::notes;
pub use spec::{Family, MAX_HORIZON, TaskError, TaskSpec, Tool};

/// The generator's version: results over tasks of different versions are not pooled.
pub const TASKS_VERSION: u32 = 1;

/// The file that the answer of a chain goes into.
pub const ANSWER_FILE: &str = "answer.txt";
/// The key of the answer of a chain.
pub const ANSWER_KEY: &str = "total";
/// The file that scattered values are collected into.
pub const COLLECTION_FILE: &str = "collected.txt";

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What generated it.
    pub spec: TaskSpec,
    /// The worker's instructions: what to do, how to answer, which tools are disabled.
    pub goal: String,
    /// The files at the start, by path.
    pub files: BTreeMap<String, String>,
    /// Tools that the worker may not use.
    pub disabled: BTreeSet<Tool>,
    /// The statistic that is the answer, which a fold can be configured to keep.
    pub statistic: Statistic,
    /// When the task is done.
    pub check: Check,
    /// The values that the answer is made of: along the traversal for the chains, in order of paths for
    /// scatter, none for fix.
    pub links: Vec<Link>,
}

impl Task {
    /// The number that a chain's answer is; none for the other families.
    #[must_use]
    pub fn total(&self) -> Option<i64> {
        match &self.check {
            Check::Total { prefixes, .. } => prefixes.last().copied(),
            Check::Lines { .. } | Check::State { .. } => None,
        }
    }
}

/// Generates a task.
///
/// # Errors
/// If the horizon is 0 (there would be nothing to do) or above [`MAX_HORIZON`].
pub fn generate(spec: TaskSpec) -> Result<Task, TaskError> {
    if spec.horizon == 0 {
        return Err(TaskError::HorizonZero);
    }
    if spec.horizon > MAX_HORIZON {
        return Err(TaskError::HorizonTooLarge { horizon: spec.horizon });
    }
    Ok(match spec.family {
        Family::Scatter => scatter::task(spec),
        Family::Fix => fix::task(spec),
        Family::Chain | Family::AltChain => chain::task(spec),
        Family::ProseChain => prose::task(spec),
    })
}

#[cfg(test)]
mod tests;
