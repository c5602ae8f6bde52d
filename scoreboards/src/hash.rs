//! The two hashes of a scoreboard, over compact JSON with keys in a fixed order.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::row::Row;
use crate::schema::Scoreboard;

/// The hash of the rows, in the order given.
pub(crate) fn rows_sha256(rows: &[Row]) -> Result<String, serde_json::Error> {
    json_sha256(&rows)
}

/// The hash of everything but the id.
pub(crate) fn board_id(board: &Scoreboard) -> Result<String, serde_json::Error> {
    json_sha256(&(
        board.schema,
        &board.rows_sha256,
        &board.provenance,
        &board.aggregates,
        &board.rows,
    ))
}

fn json_sha256<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let digest = Sha256::digest(serde_json::to_vec(value)?);
    let mut hex = String::with_capacity(64);
    for byte in digest {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    Ok(hex)
}
