//! The requests that a call's usage lists, and which of them its own numbers hold.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::terms::{CallCost, CallIndex, TermsIndex};
use crate::event::{RawUsage, StatedTokens};
use crate::ids::Seq;

/// A request made for an answer, as the records so far describe it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its place in the list.
    pub(super) at: u32,
    /// The name of its type.
    pub(super) kind: Option<u32>,
    pub(super) usage: RawUsage,
    pub(super) stated: StatedTokens,
    /// The place of its terms, its own model included; the day is the call's.
    pub(super) terms: TermsIndex,
    /// Its cost, if it is a separate call.
    pub(super) cost: Option<Box<CallCost>>,
}

/// What the types of entries mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// An attempt at the answer.
    Attempt,
    /// A request besides the answer, to any model.
    Beside,
    /// This version does not know; counted, and taken for an attempt.
    Unknown,
}

impl EntryKind {
    /// Of a `type`.
    pub(super) fn of(name: Option<&str>) -> Self {
        match name {
            Some("message" | "fallback_message") => Self::Attempt,
            Some("compaction" | "advisor_message") => Self::Beside,
            _ => Self::Unknown,
        }
    }
}

/// Which entries a call's own numbers cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covered {
    /// All of the answer.
    All,
    /// The last of the answer.
    Last,
    /// Nothing tells: all of the answer count as covered.
    Unknown,
}

/// Decides what the numbers of a call cover of its entries of the answer, in the order of the list.
pub(super) fn covered<'a>(
    top: &RawUsage,
    answer: impl Iterator<Item = &'a Entry> + Clone,
) -> Option<Covered> {
    let last = answer.clone().last()?;
    let stated = answer.clone().fold(StatedTokens::default(), |all, entry| all.or(entry.stated));
    let sum = answer.fold([0_u64; 4], |sum, entry| {
        let mut numbers = numbers(&entry.usage).into_iter();
        sum.map(|so_far| so_far.saturating_add(numbers.next().unwrap_or(0)))
    });
    let equal = |held: [u64; 4]| {
        let compared = [stated.input, stated.output, stated.cache_read, stated.cache_creation];
        let pairs = held.into_iter().zip(numbers(top));
        pairs.zip(compared).all(|((held, top), compared)| !compared || held == top)
    };
    Some(if equal(sum) {
        Covered::All
    } else if equal(numbers(&last.usage)) {
        Covered::Last
    } else {
        Covered::Unknown
    })
}

/// The numbers that are compared.
fn numbers(usage: &RawUsage) -> [u64; 4] {
    [usage.input, usage.output, usage.cache_read, usage.cache_creation]
}

/// The list of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Listed {
    /// The first event of the record that listed some first.
    seq: Seq,
    /// In the order of the list.
    entries: Vec<Entry>,
}

/// The entries of all calls that list some.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Entries(BTreeMap<CallIndex, Listed>);

impl Entries {
    /// The entries of a call.
    pub(super) fn of(&self, call: CallIndex) -> &[Entry] {
        self.0.get(&call).map_or(&[], |listed| &listed.entries)
    }

    /// The same, to change them in place.
    pub(super) fn of_mut(&mut self, call: CallIndex) -> &mut [Entry] {
        self.0.get_mut(&call).map_or(&mut [], |listed| &mut listed.entries)
    }

    /// The entry at a place of a call's list, if a record listed one there.
    pub(super) fn get(&self, call: CallIndex, at: u32) -> Option<&Entry> {
        let entries = self.of(call);
        entries.binary_search_by_key(&at, |entry| entry.at).ok().map(|found| &entries[found])
    }

    /// Puts an entry at its place of a call's list, as a record at an event states it.
    pub(super) fn put(&mut self, call: CallIndex, entry: Entry, seq: Seq) {
        let listed = self.0.entry(call).or_insert_with(|| Listed { seq, entries: Vec::new() });
        match listed.entries.binary_search_by_key(&entry.at, |known| known.at) {
            Ok(found) => listed.entries[found] = entry,
            Err(free) => {
                // Most lists have one entry: a long run must not keep room for more.
                listed.entries.reserve_exact(1);
                listed.entries.insert(free, entry);
            }
        }
    }

    /// All calls with entries, and where the first of them were listed.
    pub(super) fn calls(&self) -> impl Iterator<Item = (CallIndex, Seq)> {
        self.0.iter().map(|(call, listed)| (*call, listed.seq))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(input: u64, output: u64) -> Entry {
        let usage = RawUsage { input, output, ..RawUsage::default() };
        let stated = StatedTokens { input: true, output: true, ..StatedTokens::default() };
        Entry { at: 0, kind: None, usage, stated, terms: 0, cost: None }
    }

    fn of(top: [u64; 4], entries: &[Entry]) -> Option<Covered> {
        let [input, output, cache_read, cache_creation] = top;
        let top = RawUsage { input, output, cache_read, cache_creation, ..RawUsage::default() };
        covered(&top, entries.iter())
    }

    #[test]
    fn the_figures_tell_what_the_top_level_holds() {
        let two = [entry(1, 2), entry(3, 4)];
        assert_eq!(of([4, 6, 0, 0], &two), Some(Covered::All));
        assert_eq!(of([3, 4, 0, 0], &two), Some(Covered::Last));
        assert_eq!(of([1, 2, 0, 0], &two), Some(Covered::Unknown));
        assert_eq!(of([1, 2, 0, 0], &[]), None);
    }

    #[test]
    fn a_number_that_no_entry_states_is_not_compared() {
        assert_eq!(of([3, 4, 900, 70], &[entry(3, 4)]), Some(Covered::All));
        let mut reads = entry(0, 0);
        reads.stated.cache_read = true;
        assert_eq!(of([3, 4, 900, 70], &[entry(3, 4), reads]), Some(Covered::Unknown));
    }
}
