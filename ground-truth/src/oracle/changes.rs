//! What changes within a run: folder, branch, model and permission mode.
//!
//! `docs/DEFINITIONS.md`, "What changes within a run".

use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, Record};

/// A value that records of the main thread state, and how it came to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedValue {
    /// The newest value; none if no record states one.
    pub value: Option<String>,
    /// The event from which it has held, counted from 0 over the whole ledger, duplicates included.
    pub since: Option<u64>,
    /// How often it changed.
    pub changes: u64,
}

/// `cwd`.
pub(super) fn folder(ledger: &Ledger) -> TrackedValue {
    changing(ledger, |record| record.node().string("cwd"))
}

/// `gitBranch`.
pub(super) fn branch(ledger: &Ledger) -> TrackedValue {
    changing(ledger, |record| record.node().string("gitBranch"))
}

/// "`message.model` of an `assistant` record that reports an API call."
pub(super) fn model(ledger: &Ledger) -> TrackedValue {
    changing(ledger, Record::reported_model)
}

/// `permissionMode`.
pub(super) fn permission_mode(ledger: &Ledger) -> TrackedValue {
    changing(ledger, |record| record.node().string("permissionMode"))
}

/// "Those of the last record of the main thread, not a duplicate, that states one that is not empty."
fn changing(ledger: &Ledger, stated: impl Fn(&Record) -> Option<String>) -> TrackedValue {
    let records = ledger.records.iter().enumerate();
    let own = records.filter(|(at, record)| record.in_main() && !ledger.is_duplicate(*at));
    tracked(own.map(|(at, record)| (ledger.first_event_of(at), stated(record))))
}

/// The newest value, from what records state in order, each by the position of its first event.
pub(super) fn tracked(stated: impl Iterator<Item = (usize, Option<String>)>) -> TrackedValue {
    let mut found = TrackedValue::default();
    for (at, value) in stated {
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            continue;
        };
        if found.value.as_ref() == Some(&value) {
            continue;
        }
        found.changes += u64::from(found.value.is_some());
        found.since = Some(at as u64);
        found.value = Some(value);
    }
    found
}
