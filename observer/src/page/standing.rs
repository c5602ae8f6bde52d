//! The episodes shown on a page, each in its current state.

use trace_model::derived::{Version, VersionNo};
use trace_model::fold::{Episode, RunState};

/// Episodes on the page: the newest ones.
const SHOWN_EPISODES: usize = 150;

/// An episode in its current state.
pub(crate) struct EpisodeView<'a> {
    pub(super) version: VersionNo,
    pub(super) newest: &'a Version<Episode>,
    pub(crate) episode: &'a Episode,
    pub(crate) under_way: bool,
    /// The turn that took its own back, if one did.
    pub(crate) taken_back_by: Option<u64>,
}

impl EpisodeView<'_> {
    pub(super) fn number(&self) -> u64 {
        self.episode.number
    }
}

/// The newest episodes, newest first, and how many there are.
pub(crate) fn episodes(state: &RunState) -> (Vec<EpisodeView<'_>>, u64) {
    let store = state.episodes();
    let under_way = state.episode_under_way();
    let nodes: Vec<_> = store.nodes().collect();
    let newest = nodes.iter().rev().take(SHOWN_EPISODES);
    let taken_back_by =
        |number: u64| state.turns().iter().find(|turn| turn.number == number)?.taken_back_by;
    // Of a turn that was taken back no version holds: its newest is shown as what it is.
    let standing = newest.filter_map(|node| store.newest(node)).map(|(reference, newest)| {
        let current = under_way.filter(|current| current.number == newest.content.number);
        EpisodeView {
            version: reference.version,
            newest,
            episode: current.unwrap_or(&newest.content),
            under_way: current.is_some(),
            taken_back_by: taken_back_by(newest.content.number),
        }
    });
    (standing.collect(), nodes.len() as u64)
}
