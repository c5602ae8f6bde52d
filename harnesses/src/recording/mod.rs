//! Writes a run of CONTINUE as a transcript in Claude Code's format, so that the fold, the observer and
//! FIDELITY read it like any other; and folds it while it is written, each record once. Used by the worker
//! loop and by the arms that show a worker its own run.
//!
//! The record is a function of its inputs: ids come from the run's name and a counter, time is logical
//! ([`STEP_SECONDS`] a turn from [`EPOCH`]), keys are sorted. A tool is recorded under the workbench's own name
//! (`read_file`, `write_file`, `search`, `list_files` are known to the fold, with the file as `path`), so facts
//! belong to the files that state them. What the harness says to a worker, such as that its reply could not be
//! read, is a meta record, not a request.

mod live;
mod recorder;
mod records;

pub use live::LiveFold;
pub use recorder::{EPOCH, Recorder, RunLabel, STEP_SECONDS};

#[cfg(test)]
mod tests;
