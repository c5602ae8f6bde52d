//! A run read by the reader of its format.

use super::recount::Recount;
use super::run_files::{Format, RunFiles};
use super::timeline::Timeline;
use super::{claude_code, codex};

/// Recounts a run.
#[must_use]
pub fn recount(run: &RunFiles) -> Recount {
    match run.format() {
        Format::ClaudeCode => claude_code::recount(run),
        Format::Codex => codex::recount(run),
    }
}

/// Puts a run in order.
#[must_use]
pub fn timeline(run: &RunFiles) -> Timeline {
    match run.format() {
        Format::ClaudeCode => claude_code::timeline(run),
        Format::Codex => codex::timeline(run),
    }
}
