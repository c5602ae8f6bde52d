//! Our scoreboards as cells. Built on labels and measures by name, so that a board with more of either
//! still reads; rows that lack what a cell needs are counted in a note.

mod answers;
mod runs;

use scoreboards::{Instrument, Row, Scoreboard};

use crate::cell::Cells;

/// The cells of all boards. DETECT and FIDELITY have none: they are read as rows.
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
            Instrument::Detect | Instrument::Fidelity => {}
        }
    }
    cells
}

/// `comprehend 1a6bef7a`, by which a scoreboard is found again.
fn provenance(board: &Scoreboard) -> String {
    format!("{} {}", board.provenance.instrument, board.short_id())
}

fn label<'a>(row: &'a Row, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|&name| row.labels.get(name)).map(String::as_str)
}

fn model(board: &Scoreboard) -> String {
    board.provenance.answerer.as_ref().map_or("not stated".to_owned(), |a| {
        if a.provider == "none" {
            a.model_asked.clone()
        } else {
            format!("{}/{}", a.provider, a.model_asked)
        }
    })
}

fn renderer(board: &Scoreboard, row: &Row) -> String {
    row.renderer.as_ref().map_or("none".to_owned(), |name| {
        let described = board.provenance.renderers.get(name);
        described.map_or(name.clone(), ToString::to_string)
    })
}
