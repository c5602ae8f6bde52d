//! The scoreboard as tables: question types down, readers and conditions across; what was lost where; and
//! of a model what its calls took and how steady it is. All of it is read from the scoreboard's
//! aggregates: nothing is computed here.

mod board;
mod calls;
mod losses;
mod scores;
mod sizes;

use std::collections::BTreeSet;

use scoreboards::{Scoreboard, Table};

use board::AnsweredBoard;

/// The tables of a scoreboard: for each pack and inputs what each type scores with the number of questions
/// asked and left out, the sums under each rule set, what is shown, the loss table; then the conditions by size, and a model's calls.
#[must_use]
pub fn tables(board: &Scoreboard) -> String {
    let board = AnsweredBoard::of(board);
    let mut tables: Vec<Table> = Vec::new();
    for &(inputs, pack) in &board.parts {
        tables.extend(scores::table(&board, inputs, pack));
        tables.extend(losses::table(&board, inputs, pack));
        tables.extend(calls::repeats(&board, inputs, pack));
    }
    let inputs: BTreeSet<&str> = board.parts.iter().map(|(inputs, _)| *inputs).collect();
    tables.extend(inputs.iter().filter_map(|inputs| sizes::table(&board, inputs)));
    tables.extend(inputs.into_iter().filter_map(|inputs| calls::table(&board, inputs)));
    tables.iter().flat_map(|table| ["\n".to_owned(), table.to_text()]).collect()
}
