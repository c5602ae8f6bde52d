//! The facts whose text is kept for views: the most recent ones, with a share per source so that one
//! long file does not push out everything else.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::ids::Seq;

/// A fact as a view shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownFact<'a> {
    /// The source's name.
    pub source: &'a str,
    /// The key.
    pub key: &'a str,
    /// Its line.
    pub line: u64,
    /// The value as written.
    pub value: &'a str,
    /// The event that last showed it.
    pub read_at: Seq,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) source: u32,
    pub(super) key: u32,
    pub(super) line: u64,
    pub(super) value: String,
    pub(super) read_at: Seq,
}

/// A bounded number of facts, by their place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ShownFacts {
    limit: usize,
    entries: BTreeMap<u64, Entry>,
    /// Entries by age, oldest first: of the whole, and of each source.
    by_age: BTreeSet<(Seq, u64)>,
    by_source: BTreeMap<u32, BTreeSet<(Seq, u64)>>,
    /// How many facts each key has here.
    by_key: BTreeMap<u32, u64>,
    /// Facts of turns that are not in force, at most as many again; the newest are kept.
    aside: BTreeMap<u64, Entry>,
}

impl ShownFacts {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Takes in a fact; it is shown if its turn is in force.
    pub(super) fn read(&mut self, place: u64, entry: Entry, in_force: bool) {
        self.hide(place);
        if in_force {
            self.insert(place, entry);
        } else {
            self.insert_aside(place, entry);
        }
    }

    fn insert(&mut self, place: u64, entry: Entry) {
        let age = (entry.read_at, place);
        self.by_age.insert(age);
        self.by_source.entry(entry.source).or_default().insert(age);
        *self.by_key.entry(entry.key).or_default() += 1;
        self.entries.insert(place, entry);
        while self.entries.len() > self.limit {
            let Some(place) = self.next_to_go() else { break };
            self.hide(place);
        }
    }

    pub(super) fn hide(&mut self, place: u64) {
        self.aside.remove(&place);
        self.take_out(place);
    }

    /// A fact's turn was taken back.
    pub(super) fn set_aside(&mut self, place: u64) {
        if let Some(entry) = self.take_out(place) {
            self.insert_aside(place, entry);
        }
    }

    fn insert_aside(&mut self, place: u64, entry: Entry) {
        self.aside.insert(place, entry);
        if self.aside.len() > self.limit {
            let oldest = self.aside.iter().min_by_key(|(place, entry)| (entry.read_at, **place));
            if let Some(oldest) = oldest.map(|(place, _)| *place) {
                self.aside.remove(&oldest);
            }
        }
    }

    /// A fact's turn is in force again.
    pub(super) fn bring_back(&mut self, place: u64) {
        if let Some(entry) = self.aside.remove(&place) {
            self.insert(place, entry);
        }
    }

    fn take_out(&mut self, place: u64) -> Option<Entry> {
        let entry = self.entries.remove(&place)?;
        let age = (entry.read_at, place);
        self.by_age.remove(&age);
        if let Some(ages) = self.by_source.get_mut(&entry.source) {
            ages.remove(&age);
            if ages.is_empty() {
                self.by_source.remove(&entry.source);
            }
        }
        if let Some(count) = self.by_key.get_mut(&entry.key) {
            *count -= 1;
        }
        Some(entry)
    }

    pub(super) fn of_key(&self, key: u32) -> u64 {
        self.by_key.get(&key).copied().unwrap_or(0)
    }

    pub(super) fn list<'a>(
        &'a self,
        source: impl Fn(u32) -> &'a str,
        key: impl Fn(u32) -> &'a str,
    ) -> Vec<ShownFact<'a>> {
        self.by_age
            .iter()
            .filter_map(|(_, place)| self.entries.get(place))
            .map(|entry| ShownFact {
                source: source(entry.source),
                key: key(entry.key),
                line: entry.line,
                value: &entry.value,
                read_at: entry.read_at,
            })
            .collect()
    }

    /// The oldest fact of the source that has more than a third of the room, otherwise the oldest.
    fn next_to_go(&self) -> Option<u64> {
        let share = self.limit.div_ceil(3);
        let largest = self
            .by_source
            .iter()
            .max_by_key(|(source, ages)| (ages.len(), std::cmp::Reverse(**source)));
        let ages = match largest {
            Some((_, ages)) if ages.len() > share => ages,
            _ => &self.by_age,
        };
        ages.first().map(|(_, place)| *place)
    }
}
