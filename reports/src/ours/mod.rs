//! Our scoreboards as cells. Built on the names of [`scoreboards::measures`]: a board with more labels or
//! measures still reads, and rows that lack what a cell needs are counted in a note.

mod answers;
mod origin;
mod runs;

use scoreboards::{Instrument, Scoreboard};

use crate::cell::Cells;

/// The cells of all boards. DETECT, FIDELITY and replay have none: they are read as rows.
pub fn cells(boards: &[Scoreboard]) -> Cells {
    let mut cells = Cells::default();
    for board in boards {
        match board.provenance.instrument {
            Instrument::Comprehend => {
                let (found, notes) = answers::cells(board);
                cells.answers.extend(found);
                cells.notes.extend(notes);
            }
            Instrument::Continue => {
                let (found, notes) = runs::cells(board);
                cells.runs.extend(found);
                cells.notes.extend(notes);
            }
            Instrument::Detect | Instrument::Fidelity | Instrument::Replay => {}
        }
    }
    cells
}
