//! Published cells that are parts of one: the same arm and task over other seeds. They differ in what
//! is known of their caching alone, and are pooled across that by name.

use super::{Cells, ContinueCell, PoolError, pool};

/// Cells that make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The name of the whole.
    pub name: &'static str,
    /// The parts' ids.
    pub cells: &'static [&'static str],
}

/// Wholes by arm and horizon.
pub const PARTS: [Part; 7] = [
    Part { name: "full, 30 (v10+v23)", cells: &["v10/full@30", "v23_nscale_full_30"] },
    Part { name: "full, 60 (v10+v23)", cells: &["v10/full@60", "v23_nscale_full_60"] },
    Part {
        name: "full, 120 (v10+v23+v26)",
        cells: &["v10/full@120", "v23_nscale_full_120", "v26_n30_full_120"],
    },
    Part { name: "curated, 30 (v10+v23)", cells: &["v10/trace@30", "v23_nscale_trace_30"] },
    Part { name: "curated, 60 (v10+v23)", cells: &["v10/trace@60", "v23_nscale_trace_60"] },
    Part {
        name: "curated, 120 (v12+v23+v26)",
        cells: &["v12/trace@120", "v23_nscale_trace_120", "v26_n30_trace_120"],
    },
    Part {
        name: "conversational, 120 (v24+v33)",
        cells: &["v24_missing_baselines/convfull_chain120", "v33_convfull_120_n10ext"],
    },
];

/// The whole as one cell; none where a part is not there.
pub fn of_parts(cells: &Cells, part: &Part) -> Result<Option<ContinueCell>, PoolError> {
    let found: Vec<&ContinueCell> = part.cells.iter().filter_map(|id| cells.find(id)).collect();
    let Some(first) = found.first().filter(|_| found.len() == part.cells.len()) else {
        return Ok(None);
    };
    let pooled = pool(&found, &["cached".to_owned()])?;
    let mut identity = first.identity.clone();
    let mut cached: Vec<&str> = found.iter().map(|cell| cell.identity.setting("cached")).collect();
    cached.dedup();
    identity.protocol.insert("cached".to_owned(), cached.join(" / "));
    Ok(Some(ContinueCell {
        id: part.name.to_owned(),
        identity,
        runs: pooled.runs.into_iter().cloned().collect(),
        means: None,
        provenance: part.cells.join(" + "),
    }))
}
