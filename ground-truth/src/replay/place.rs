//! Where a run is cut.

use crate::oracle::{ItemKind, Past};

/// Why a run is cut at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutKind {
    /// Before a prompt of a person.
    Turn,
    /// Behind a compaction.
    Compaction,
    /// After so many calls.
    Calls,
}

/// All places at which a run is cut, each by the number of items before it, in order of place, then kind. "It is
/// scored if a call follows it."
pub(super) fn places(past: &Past, every: usize, min_calls: usize) -> Vec<(usize, CutKind)> {
    let of = |kind| move |place| (place, kind);
    let mut places: Vec<(usize, CutKind)> = Vec::new();
    places.extend(turns(past, min_calls).into_iter().map(of(CutKind::Turn)));
    places.extend(compactions(past).into_iter().map(of(CutKind::Compaction)));
    places.extend(every_calls(past, every).into_iter().map(of(CutKind::Calls)));
    places.sort_unstable();
    places.dedup();
    places.retain(|(place, _)| past.items[*place..].iter().any(|item| item.kind == ItemKind::Call));
    places
}

/// The positions of the calls.
pub(super) fn calls(past: &Past) -> Vec<usize> {
    (0..past.items.len()).filter(|at| past.items[*at].kind == ItemKind::Call).collect()
}

/// "The message of a prompt of a person, if at least 30 calls stand between it and the last `turn` cut before it (or
/// the start)."
fn turns(past: &Past, min_calls: usize) -> Vec<usize> {
    let calls = calls(past);
    let mut cuts: Vec<usize> = Vec::new();
    for prompt in &past.prompts {
        let last = cuts.last().copied().unwrap_or(0);
        if calls.iter().filter(|call| (last..*prompt).contains(call)).count() >= min_calls {
            cuts.push(*prompt);
        }
    }
    cuts
}

/// "The first item after each `compaction` event of the main thread that has a call before it."
fn compactions(past: &Past) -> Vec<usize> {
    let is_behind_a_call =
        |place: usize| past.items[..place].iter().any(|item| item.kind == ItemKind::Call);
    past.compactions.iter().copied().filter(|place| is_behind_a_call(*place)).collect()
}

/// "Call 50n + 1, for every n from 1."
fn every_calls(past: &Past, every: usize) -> Vec<usize> {
    let calls = calls(past);
    if every == 0 { Vec::new() } else { calls.into_iter().step_by(every).skip(1).collect() }
}
