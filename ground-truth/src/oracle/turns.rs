//! Turns, and which of them were taken back.
//!
//! `docs/DEFINITIONS.md`, "Turns, and turns taken back".

use std::collections::{BTreeMap, BTreeSet};

use super::ledger::{Ledger, Record};
use super::prompts::Prompt;

/// A turn other than turn 0.
#[derive(Debug, Clone)]
struct Turn {
    /// The position of the record with which it begins.
    since: usize,
    parent: usize,
}

/// The turns of a run. Turn N is at N - 1; turn 0 is not among them.
#[derive(Debug, Clone, Default)]
pub(super) struct Turns(Vec<Turn>);

impl Turns {
    /// Turns by the record with which each begins and its parent, in their order.
    pub(super) fn with_parents(turns: impl Iterator<Item = (usize, usize)>) -> Self {
        Self(turns.map(|(since, parent)| Turn { since, parent }).collect())
    }

    /// The turns that these prompts begin, in their order.
    pub(super) fn of(ledger: &Ledger, prompts: &[Prompt]) -> Self {
        let mut turns =
            Self(prompts.iter().map(|prompt| Turn { since: prompt.since, parent: 0 }).collect());
        let stands = turns.stands(ledger);
        for (before, prompt) in prompts.iter().enumerate() {
            turns.0[before].parent = match parent_uuid(&ledger.records[prompt.record]) {
                None if is_linked(ledger, prompts, prompt) => 0,
                None => before,
                Some(uuid) => match stands.get(&uuid) {
                    Some((at, turn)) if *at < prompt.record => *turn,
                    _ => before,
                },
            };
        }
        turns
    }

    /// The turn that is under way at a record. A record with which a turn begins is in it.
    pub(super) fn under_way(&self, record: usize) -> usize {
        self.0.iter().filter(|turn| turn.since <= record).count()
    }

    /// "Every record of the main thread with a `uuid` [...] stands in the turn that was under way when it was
    /// read first": the position and the turn of each uuid. A `progress` record whose inner record stands for
    /// it is one too, by its own uuid.
    fn stands(&self, ledger: &Ledger) -> BTreeMap<String, (usize, usize)> {
        let mut stands = BTreeMap::new();
        for (at, record) in ledger.records.iter().enumerate() {
            let outer = record.wrapper.as_ref().filter(|wrapper| wrapper.in_main);
            let outer = outer.and_then(|wrapper| wrapper.uuid.clone());
            let own = record.uuid().filter(|_| record.in_main());
            for uuid in outer.into_iter().chain(own) {
                stands.entry(uuid).or_insert_with(|| (at, self.under_way(at)));
            }
        }
        stands
    }

    fn parent(&self, turn: usize) -> Option<usize> {
        turn.checked_sub(1).map(|at| self.0[at].parent)
    }

    /// "The turns in force are the newest, its parent turn, that turn's, and so on to turn 0", where
    /// `newest` is the newest.
    pub(super) fn in_force_with(&self, newest: usize) -> BTreeSet<usize> {
        std::iter::successors(Some(newest), |turn| self.parent(*turn)).collect()
    }

    /// The turns in force at the end.
    pub(super) fn in_force(&self) -> BTreeSet<usize> {
        self.in_force_with(self.0.len())
    }

    /// How many turns were taken back.
    pub(super) fn taken_back(&self) -> u64 {
        (self.0.len() + 1 - self.in_force().len()) as u64
    }

    /// Each turn as "N parent P", in order, and whether it was taken back.
    pub(super) fn lines(&self) -> Vec<String> {
        let in_force = self.in_force();
        let line = |(turn, it): (usize, &Turn)| {
            let end = if in_force.contains(&turn) { "" } else { " taken back" };
            format!("{turn} parent {}{end}", it.parent)
        };
        (1..).zip(&self.0).map(line).collect()
    }
}

fn parent_uuid(record: &Record) -> Option<String> {
    record.node().id("parentUuid")
}

/// Whether "the last record between the first prompt and this one, other than a prompt, of type `user` or
/// `assistant` and of the main thread, has a `parentUuid`".
fn is_linked(ledger: &Ledger, prompts: &[Prompt], prompt: &Prompt) -> bool {
    let is_prompt = |at: usize| prompts.iter().any(|prompt| prompt.record == at);
    let is_said = |at: &usize| {
        let record = &ledger.records[*at];
        record.in_main() && (record.is("user") || record.is("assistant")) && !is_prompt(*at)
    };
    let first = prompts.first().map_or(0, |first| first.record);
    let last = (first + 1..prompt.record).rev().find(is_said);
    last.is_some_and(|at| parent_uuid(&ledger.records[at]).is_some())
}
