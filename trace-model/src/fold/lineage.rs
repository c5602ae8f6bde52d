//! Which records and events were seen before, and which name a parent that never came.

use serde::{Deserialize, Serialize};

use super::collections::{DigestMap, DigestSet, sorted_map, sorted_set};
use crate::event::{Body, Event, Record};
use crate::ids::Digest64;

/// What the fold remembers of the records it has seen: a digest of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Lineage {
    #[serde(with = "sorted_set")]
    uuids: DigestSet,
    #[serde(with = "sorted_set")]
    events: DigestSet,
    /// Parents not seen so far, and how many records name each.
    #[serde(with = "sorted_map")]
    missing: DigestMap<u64>,
    /// Events that were seen before.
    pub(super) duplicates: u64,
}

impl Lineage {
    /// Takes in a record's links. A repeated record's parent is not asked for again.
    pub(super) fn link(&mut self, record: &Record<'_>, is_duplicate: bool) {
        let (outer, outer_parent) = match &record.wrapper {
            Some(wrapper) => (&wrapper.uuid, &wrapper.parent),
            None => (&record.uuid, &record.parent),
        };
        self.arrive(record.uuid.as_deref());
        if record.wrapper.is_some() {
            self.arrive(outer.as_deref());
        }
        if let Some(parent) = outer_parent.as_deref().filter(|_| !is_duplicate) {
            let parent = Digest64::of(parent);
            if !self.uuids.contains(&parent) {
                *self.missing.entry(parent).or_default() += 1;
            }
        }
    }

    fn arrive(&mut self, uuid: Option<&str>) {
        let Some(uuid) = uuid.map(Digest64::of) else { return };
        self.uuids.insert(uuid);
        if !self.missing.is_empty() {
            self.missing.remove(&uuid);
        }
    }

    /// Whether an event was seen before; it has been from now on.
    pub(super) fn is_duplicate(&mut self, record: &Record<'_>, event: &Event<'_>) -> bool {
        let Some(identity) = identity(record, event) else { return false };
        let duplicate = !self.events.insert(identity);
        self.duplicates += u64::from(duplicate);
        duplicate
    }

    /// Whether an event was seen before; this look at it does not count.
    pub(super) fn has_seen(&self, record: &Record<'_>, event: &Event<'_>) -> bool {
        identity(record, event).is_some_and(|identity| self.events.contains(&identity))
    }

    /// How many records name a parent that is nowhere in the run.
    pub(super) fn orphans(&self) -> u64 {
        self.missing.values().sum()
    }
}

/// What an event is known by again; none where its record has no id.
fn identity(record: &Record<'_>, event: &Event<'_>) -> Option<Digest64> {
    let uuid = record.uuid.as_ref()?;
    let place = u64::from(event.block) << 8 | event.body.kind() as u64;
    let named = match &event.body {
        Body::ToolCall { id, name, .. } => {
            Digest64::of_parts(&[id.as_deref().unwrap_or_default(), name])
        }
        Body::ToolResult { call_id, .. } => Digest64::of(call_id.as_deref().unwrap_or_default()),
        // Their text is only a type: different records of one type are not duplicates.
        Body::SessionMeta(_) | Body::Unknown(_) => record.written.unwrap_or_default(),
        _ => Digest64::default(),
    };
    Some(Digest64::of(uuid).with(place).with(named.0).with(event.sha256.head()))
}
