//! The fixed run by which renderers are fingerprinted.

use crate::event::Record;
use crate::fold::{FoldConfig, RunState, Statistic};
use crate::ids::Sha256;
use crate::reader::TranscriptReader;

/// A small transcript that has a bit of everything that renderers show.
pub(super) const TRANSCRIPT: &[u8] = include_bytes!("reference.jsonl");

/// The state of the reference run.
pub(super) fn state() -> RunState {
    let mut config = FoldConfig::default();
    config.facts.statistics = Statistic::ALL.to_vec();
    config.facts.in_view = 6;
    let mut state = RunState::new(config);
    let mut reader = TranscriptReader::new(crate::adapter::claude_code::FileRole::default());
    reader.feed(TRANSCRIPT, |record| state.apply(record));
    state
}

/// Reads the reference run's records.
pub(super) fn read(take: impl FnMut(&Record<'_>)) {
    let mut reader = TranscriptReader::new(crate::adapter::claude_code::FileRole::default());
    reader.feed(TRANSCRIPT, take);
}

/// The fingerprint of a renderer that writes this for the reference run.
pub(super) fn fingerprint(output: &str) -> String {
    Sha256::of(output).short()
}
