//! What changes within a run: the newest value of each, since when, and how often it changed.

use serde::{Deserialize, Serialize};

/// The newest of several values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedValue {
    /// The value.
    pub value: String,
    /// The first event of the record that stated it first after another value, or at all: counted from
    /// 0 over the whole ledger, duplicates included.
    pub since: u64,
    /// How often a value followed another one.
    pub changes: u64,
}

/// A value that records of the main thread state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tracked {
    Folder,
    Branch,
    Model,
    PermissionMode,
}

/// The newest value of each.
#[derive(Debug, Default)]
pub(crate) struct TrackedValues {
    pub(crate) cwd: Option<TrackedValue>,
    pub(crate) branch: Option<TrackedValue>,
    pub(crate) model: Option<TrackedValue>,
    pub(crate) permission_mode: Option<TrackedValue>,
}

impl TrackedValues {
    /// A record whose first event is number `at` states `value`.
    pub(crate) fn state(&mut self, what: Tracked, value: &str, at: u64) {
        let held = match what {
            Tracked::Folder => &mut self.cwd,
            Tracked::Branch => &mut self.branch,
            Tracked::Model => &mut self.model,
            Tracked::PermissionMode => &mut self.permission_mode,
        };
        match held {
            None => *held = Some(TrackedValue { value: value.to_owned(), since: at, changes: 0 }),
            Some(known) if known.value != value => {
                value.clone_into(&mut known.value);
                known.since = at;
                known.changes += 1;
            }
            Some(_) => {}
        }
    }
}
