//! What changes within a run: the newest value of each, since when, and how often it changed.

use super::Held;

/// A value that records of the main thread state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Folder,
    Branch,
    Model,
    PermissionMode,
}

/// The newest value of each.
#[derive(Debug, Default)]
pub(crate) struct Holding {
    pub(crate) cwd: Option<Held>,
    pub(crate) branch: Option<Held>,
    pub(crate) model: Option<Held>,
    pub(crate) permission_mode: Option<Held>,
}

impl Holding {
    /// A record whose first event is number `at` states `value`.
    pub(crate) fn state(&mut self, what: What, value: &str, at: u64) {
        let held = match what {
            What::Folder => &mut self.cwd,
            What::Branch => &mut self.branch,
            What::Model => &mut self.model,
            What::PermissionMode => &mut self.permission_mode,
        };
        match held {
            None => *held = Some(Held { value: value.to_owned(), since: at, changes: 0 }),
            Some(known) if known.value != value => {
                value.clone_into(&mut known.value);
                known.since = at;
                known.changes += 1;
            }
            Some(_) => {}
        }
    }
}
