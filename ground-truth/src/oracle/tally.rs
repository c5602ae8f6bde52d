//! Plain counts over events and records.
//!
//! `docs/DEFINITIONS.md`: the table of "Records to events", "Threads", and the paragraph at the end of
//! "API calls and tokens".

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Event, KINDS, counted};
use super::ledger::{Ledger, SIDECHAIN};

/// The number of events of each kind, duplicates not counted. Every kind is present.
pub(super) fn events_by_kind(events: &[Event]) -> BTreeMap<String, u64> {
    KINDS.iter().map(|kind| ((*kind).to_owned(), of_kind(events, kind))).collect()
}

/// The number of events of a kind, duplicates not counted.
pub(super) fn of_kind(events: &[Event], kind: &str) -> u64 {
    counted(events).filter(|event| event.kind == kind).count() as u64
}

/// The number of duplicate events.
pub(super) fn duplicates(events: &[Event]) -> u64 {
    events.iter().filter(|event| event.duplicate).count() as u64
}

/// "`subagents` counts the distinct agents other than `sidechain`."
pub(super) fn subagents(events: &[Event]) -> u64 {
    let agents: BTreeSet<_> = counted(events).filter_map(|event| event.agent.as_deref()).collect();
    agents.iter().filter(|&&agent| agent != SIDECHAIN).count() as u64
}

/// "`retries` the `system` records of subtype `api_error`: duplicates not counted."
pub(super) fn retries(ledger: &Ledger) -> u64 {
    let is_retry = |&position: &usize| {
        let record = &ledger.records[position];
        record.is("system")
            && record.node().string("subtype").as_deref() == Some("api_error")
            && !ledger.is_duplicate(position)
    };
    (0..ledger.records.len()).filter(is_retry).count() as u64
}

/// "`orphans` counts records whose `parentUuid` is no record's `uuid` anywhere in the run": of an unwrapped
/// record the outer one by its own `parentUuid`, while both uuids are present. Duplicates are not counted.
pub(super) fn orphans(ledger: &Ledger) -> u64 {
    let wrappers = ledger.records.iter().filter_map(|record| record.wrapper.as_ref());
    let outer = wrappers.filter_map(|wrapper| wrapper.uuid.clone());
    let uuids: BTreeSet<String> =
        ledger.records.iter().filter_map(super::ledger::Record::uuid).chain(outer).collect();
    let is_orphan = |&position: &usize| {
        let record = &ledger.records[position];
        let parent = match &record.wrapper {
            Some(wrapper) => wrapper.parent.clone(),
            None => record.node().id("parentUuid"),
        };
        parent.is_some_and(|parent| !uuids.contains(&parent)) && !ledger.is_duplicate(position)
    };
    (0..ledger.records.len()).filter(is_orphan).count() as u64
}
