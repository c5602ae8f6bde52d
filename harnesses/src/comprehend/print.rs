//! A COMPREHEND scoreboard in print.

use scoreboards::measures::comprehend as names;
use scoreboards::{Group, Scoreboard, ShowOptions, show};

use super::tables::tables;
use crate::common::{CommonArgs, Reporter, deliver, print};

/// A scoreboard for people: a summary and the tables.
#[must_use]
pub fn text(board: &Scoreboard) -> String {
    show(board, shown(board)) + &tables(board)
}

/// The readers' total scores, and how much the conditions show; the rest is in the tables.
fn shown(board: &Scoreboard) -> ShowOptions {
    let is_total = |over: &Group| !over.names(&names::QUESTION) && !over.names(&names::CORPUS);
    let totals = board.aggregates.iter().take_while(|it| is_total(&it.spec.over));
    ShowOptions { max_aggregates: totals.count(), ..ShowOptions::default() }
}

/// Saves a scoreboard and prints it, for people with its tables.
pub(super) fn deliver_with_tables(
    board: &Scoreboard,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<()> {
    deliver(board, common, progress, shown(board))?;
    if common.json { Ok(()) } else { print(&tables(board)) }
}
