//! What was used last, by its text: a bounded number of things, the longest unused dropped first.

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

/// A table of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(serialize = "V: Serialize", deserialize = "V: Deserialize<'de>"))]
pub(super) struct Table<V> {
    /// How many are kept; up to twice as many are held, so that dropping is rare.
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
        self.uses += 1;
        let key = Digest64::of(text);
        if self.entries.len() >= 2 * self.kept && !self.entries.contains_key(&key) {
            self.drop_oldest();
        }
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

    /// What is known of a text, without using it.
    pub(super) fn get_mut(&mut self, text: &str) -> Option<&mut Entry<V>> {
        self.entries.get_mut(&Digest64::of(text))
    }

    fn drop_oldest(&mut self) {
        let mut orders: Vec<u64> = self.entries.values().map(|entry| entry.order).collect();
        orders.sort_unstable();
        let oldest_kept = orders[orders.len() - self.kept.min(orders.len())];
        let before = self.entries.len();
        self.entries.retain(|_, entry| entry.order >= oldest_kept);
        self.dropped += (before - self.entries.len()) as u64;
    }

    /// The ones kept, used last first.
    pub(super) fn newest_first(&self) -> Vec<&Entry<V>> {
        let mut entries: Vec<&Entry<V>> = self.entries.values().collect();
        entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.order));
        entries.truncate(self.kept);
        entries
    }

    /// How many there were: held now, and dropped. One that came back counts twice.
    pub(super) fn count(&self) -> u64 {
        self.entries.len() as u64 + self.dropped
    }
}
