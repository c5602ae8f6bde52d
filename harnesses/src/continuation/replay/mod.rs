//! Replay: what of a recorded agent's past, in the contexts that could have stood in its place, its next calls
//! went on to use. Defined in `docs/METHODOLOGY.md`, section "Replay"; `ground_truth` measures the same
//! independently.
//!
//! A run is read once ([`session`]): items, cuts, and what the contexts at each cut are made of. What is looked
//! for at each cut is found by one pass over all items ([`scored`], [`holds`]); [`measure`] makes the contexts
//! and looks it up; [`recall`] sums, [`tables`] prints.

mod args;
mod arms;
mod board;
mod command;
mod contexts;
mod cuts;
mod entities;
mod holds;
mod input;
mod items;
mod measure;
mod normal;
mod recall;
mod scored;
mod sections;
mod session;
mod tables;

use std::path::Path;

pub use args::ReplayArgs;
pub use command::{Replayed, command, run};
pub use cuts::{CutKind, CutRules};
pub use scored::CutEntities;

use crate::inputs::{Input, RunInput};

/// Every cut of a session's file and what is looked for at it, in the order of the run: for checking this
/// implementation against another.
///
/// # Errors
/// If the run cannot be read.
pub fn cuts_of(session: &Path, rules: CutRules) -> anyhow::Result<Vec<CutEntities>> {
    let input = RunInput::load(&Input::Transcript(session.to_owned()))?;
    let run = session::Session::read(input.files.transcripts(), rules, &[]);
    let scored = scored::score(&run.items, &run.cuts, &run.folder, rules);
    Ok(scored.iter().map(CutEntities::of).collect())
}
