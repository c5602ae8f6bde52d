//! Helpers of the integration tests.

mod model;
mod script;

use serde_json::Value;
use trace_model::adapter::FileRole;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::{ReadStats, TranscriptReader};
use trace_model::totals::{TokenTotals, Totals};
use trace_model::view::worker::{self, WorkerViewConfig};

pub(crate) use model::{Pairs, ScriptedModel};
pub(crate) use script::{Script, usage};

/// Asserts that two JSON values are the same, numbers by value.
pub(crate) fn assert_same(place: &str, field: &str, expected: &Value, actual: &Value) {
    let same = match (expected.as_f64(), actual.as_f64()) {
        (Some(expected), Some(actual)) => (expected - actual).abs() < 1e-9,
        _ => expected == actual,
    };
    assert!(same, "{place}: {field} is {actual}, not {expected}");
}

/// What folding came to.
pub(crate) struct Folded {
    pub(crate) state: RunState,
    pub(crate) reading: ReadStats,
}

impl Folded {
    /// The totals.
    pub(crate) fn totals(&self) -> Totals {
        Totals::of(&self.state, &self.reading)
    }

    /// The worker view.
    pub(crate) fn view(&self) -> String {
        worker::compile(&self.state, &WorkerViewConfig::default())
    }

    /// The state as JSON: what a snapshot of it would hold.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(&self.state).unwrap()
    }
}

/// Folds a session's bytes as a finished run.
pub(crate) fn fold(bytes: &[u8]) -> Folded {
    fold_with(bytes, FoldConfig::default())
}

/// Folds a session's bytes as a finished run.
pub(crate) fn fold_with(bytes: &[u8], config: FoldConfig) -> Folded {
    let (state, reading) = trace_model::run::fold_bytes([(FileRole::default(), bytes)], config);
    Folded { state, reading }
}

/// Folds a session's bytes as a finished run, fed in pieces that end at the given places.
pub(crate) fn fold_in_pieces(bytes: &[u8], cuts: &[usize]) -> Folded {
    fold_in_pieces_as(FileRole::default(), bytes, cuts)
}

/// The same of a file of this role.
pub(crate) fn fold_in_pieces_as(role: FileRole, bytes: &[u8], cuts: &[usize]) -> Folded {
    let mut state = RunState::new(FoldConfig::default());
    let mut reader = TranscriptReader::new(role);
    for piece in pieces(bytes, cuts) {
        reader.feed(piece, |record| state.apply(record));
    }
    reader.finish(|record| state.apply(record));
    Folded { state, reading: reader.stats().clone() }
}

/// The pieces between the given places, in any order and possibly beyond the end.
pub(crate) fn pieces<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    ends.extend([0, bytes.len()]);
    ends.sort_unstable();
    ends.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

/// Input, output, cache writes and cache reads.
pub(crate) fn four(tokens: TokenTotals) -> [u64; 4] {
    [tokens.input, tokens.output, tokens.cache_creation, tokens.cache_read]
}
