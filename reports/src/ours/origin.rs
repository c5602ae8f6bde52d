//! Where the rows of a scoreboard come from, in words.

use scoreboards::{Row, Scoreboard};

/// `comprehend 1a6bef7a`, to identify a scoreboard.
pub(super) fn provenance(board: &Scoreboard) -> String {
    format!("{} {}", board.provenance.instrument, board.short_id())
}

/// Who worked or read, by the scoreboard's header.
pub(super) fn model(board: &Scoreboard) -> String {
    board.provenance.answerer.as_ref().map_or("not stated".to_owned(), |a| {
        if a.provider == "none" {
            a.model_asked.clone()
        } else {
            format!("{}/{}", a.provider, a.model_asked)
        }
    })
}

/// What made the text that a row is about.
pub(super) fn renderer(board: &Scoreboard, row: &Row) -> String {
    row.renderer.as_ref().map_or("none".to_owned(), |name| {
        let described = board.provenance.renderers.get(name);
        described.map_or(name.clone(), ToString::to_string)
    })
}
