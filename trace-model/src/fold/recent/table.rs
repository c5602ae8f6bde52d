//! What was used last, by its text: a bounded number of things, the longest unused dropped first.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::fold::collections::{DigestMap, sorted_map};
use crate::ids::{Digest64, Seq};

/// Something that was used, with what else is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry<V> {
    pub(super) text: String,
    pub(super) uses: u64,
    pub(super) last_at: Seq,
    /// Larger for what was used later, also within an event.
    order: u64,
    pub(super) value: V,
}

/// Where something stands among others: an agent goes on to need what it used last and what it uses often. Twice the
/// uses count as if the last one were 60 events later. (Over recorded runs, `docs/METHODOLOGY.md`, "Replay", the
/// first ten files so ranked hold a fifth more of what is needed than the ten used last; between 40 and 200 events
/// it makes no difference.)
pub(crate) fn standing(last_at: Seq, uses: u64) -> u64 {
    // The binary logarithm in quarters.
    let quarters = uses.max(1).saturating_pow(4).ilog2();
    last_at.0.saturating_add(15 * u64::from(quarters))
}

/// A table of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub(super) struct Table<V> {
    /// How many are kept; up to one more than twice as many are held, so that dropping is rare.
    kept: usize,
    #[serde(with = "sorted_map")]
    entries: DigestMap<Entry<V>>,
    uses: u64,
    dropped: u64,
}

impl<V> Table<V> {
    pub(super) fn new(kept: usize) -> Self {
        Self { kept, entries: DigestMap::default(), uses: 0, dropped: 0 }
    }

    /// Notes a use of a text.
    pub(super) fn use_text(&mut self, text: &str, at: Seq, value: impl FnOnce() -> V) -> &mut V {
        self.use_key(Digest64::of(text), text, at, value)
    }

    /// Notes a use of a text that is known by this key.
    pub(super) fn use_key(
        &mut self,
        key: Digest64,
        text: &str,
        at: Seq,
        value: impl FnOnce() -> V,
    ) -> &mut V {
        if self.entries.len() > 2 * self.kept {
            self.drop_oldest();
        }
        self.uses += 1;
        let order = self.uses;
        let entry = self.entries.entry(key).or_insert_with(|| Entry {
            text: text.to_owned(),
            uses: 0,
            last_at: at,
            order,
            value: value(),
        });
        entry.uses += 1;
        entry.last_at = at;
        entry.order = order;
        &mut entry.value
    }

    /// What is known by a key, without using it.
    pub(super) fn get_mut(&mut self, key: Digest64) -> Option<&mut Entry<V>> {
        self.entries.get_mut(&key)
    }

    fn drop_oldest(&mut self) {
        let mut orders: Vec<u64> = self.entries.values().map(|entry| entry.order).collect();
        let dropped = orders.len().saturating_sub(self.kept);
        if dropped == 0 {
            return;
        }
        let oldest_kept = *orders.select_nth_unstable(dropped).1;
        self.entries.retain(|_, entry| entry.order >= oldest_kept);
        self.dropped += dropped as u64;
    }

    /// The ones kept, used last first.
    pub(super) fn newest_first(&self) -> Vec<&Entry<V>> {
        // With its order beside each: to sort must not mean to look at each entry again and again.
        let mut entries: Vec<(Reverse<u64>, &Entry<V>)> =
            self.entries.values().map(|entry| (Reverse(entry.order), entry)).collect();
        if entries.len() > self.kept {
            entries.select_nth_unstable_by_key(self.kept, |entry| entry.0);
            entries.truncate(self.kept);
        }
        entries.sort_unstable_by_key(|entry| entry.0);
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    /// The ones kept, those worth most first: by the last use, and the more uses the longer ago it may be.
    pub(super) fn most_used_first(&self) -> Vec<&Entry<V>> {
        let mut entries = self.newest_first();
        entries.sort_by_cached_key(|entry| Reverse(standing(entry.last_at, entry.uses)));
        entries
    }

    /// How many there were: held now, and dropped. One that came back counts twice.
    pub(super) fn count(&self) -> u64 {
        self.entries.len() as u64 + self.dropped
    }
}
