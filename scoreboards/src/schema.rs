//! The scoreboard itself and the version of its schema.

use serde::{Deserialize, Serialize};

use crate::aggregate::Aggregate;
use crate::provenance::Provenance;
use crate::row::Row;

/// The schema version that this code writes, and the only one it reads so far: there is no older one
/// to migrate from, and a newer one is refused.
pub const SCHEMA: u32 = 1;

/// What one run of one instrument measured. Made by [`ScoreboardBuilder`](crate::ScoreboardBuilder)
/// or [`load`](crate::load); the fields are described in `docs/FORMAT.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoreboard {
    /// Schema version.
    pub schema: u32,
    /// SHA-256, in hex, of the whole scoreboard but this field: its identity.
    pub id: String,
    /// SHA-256, in hex, of the rows alone: equal for two runs that measured the same.
    pub rows_sha256: String,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Numbers computed from the rows.
    pub aggregates: Vec<Aggregate>,
    /// What was measured, sorted by id.
    pub rows: Vec<Row>,
}

impl Scoreboard {
    /// The first eight digits of the id: enough to tell scoreboards apart in print.
    pub fn short_id(&self) -> &str {
        self.id.get(..8).unwrap_or(&self.id)
    }

    /// The aggregate of this name over this group.
    pub fn aggregate(&self, name: &str, over: &crate::Group) -> Option<&Aggregate> {
        self.aggregates.iter().find(|a| a.spec.name == name && a.spec.over == *over)
    }
}
