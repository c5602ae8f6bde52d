//! The fixed run by which renderers are fingerprinted.

use crate::adapter::FileRole;
use crate::fold::{FoldConfig, RunState, Statistic};
use crate::ids::Sha256;
use crate::run::{FoldObserver, Folder};

/// A small transcript that has a bit of everything that renderers show.
pub(super) const TRANSCRIPT: &[u8] = include_bytes!("reference.jsonl");

/// The state of the reference run.
pub(super) fn state() -> RunState {
    let mut config = FoldConfig::default();
    config.facts.statistics = Statistic::ALL.to_vec();
    config.facts.in_view = 6;
    fold(config, &mut ())
}

/// Folds the reference run.
pub(super) fn fold(config: FoldConfig, observer: &mut impl FoldObserver) -> RunState {
    Folder::of([(FileRole::default(), TRANSCRIPT)], config, observer).into_state()
}

/// The fingerprint of a renderer that writes this for the reference run.
pub(super) fn fingerprint(output: &str) -> String {
    Sha256::of(output).short()
}
