//! Which session a run is: what its records say of themselves.

use serde::{Deserialize, Serialize};

use crate::event::Record;
use crate::ids::{Millis, Seq};

/// What is known about the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The session's id, as the first record that has one states it.
    pub session: Option<String>,
    /// The title given last.
    pub title: Option<String>,
    /// The working folder, as stated last.
    pub cwd: Option<String>,
    /// The event at which it took effect.
    pub cwd_since: Option<Seq>,
    /// How often it changed.
    pub cwd_changes: u64,
    /// The git branch, as stated last.
    pub branch: Option<String>,
    /// The event at which it took effect.
    pub branch_since: Option<Seq>,
    /// How often it changed.
    pub branch_changes: u64,
    /// The model that answers the main thread, as stated last.
    pub model: Option<String>,
    /// The event at which it took effect.
    pub model_since: Option<Seq>,
    /// How often it changed.
    pub model_changes: u64,
    /// What the agent may do without asking, as stated last.
    pub permission_mode: Option<String>,
    /// The event at which it took effect.
    pub permission_mode_since: Option<Seq>,
    /// How often it changed.
    pub permission_mode_changes: u64,
    /// The client's version stated last.
    pub client_version: Option<String>,
    /// The earliest time of a record.
    pub first_time: Option<Millis>,
    /// The latest.
    pub last_time: Option<Millis>,
    /// Records whose time is earlier than that of a record before them.
    pub backward_times: u64,
}

impl Identity {
    pub(super) fn observe(&mut self, record: &Record<'_>, main: bool) {
        if let Some(time) = record.time {
            self.backward_times += u64::from(self.last_time.is_some_and(|last| time < last));
            self.first_time = Some(self.first_time.map_or(time, |first| first.min(time)));
            self.last_time = self.last_time.max(Some(time));
        }
        if !main {
            return;
        }
        let note = &record.note;
        first(&mut self.session, note.session.as_deref());
        last(&mut self.title, note.title.as_deref());
        last(&mut self.client_version, note.client_version.as_deref());
    }

    /// Takes in what may change within a run, from a record of the main thread that is not a duplicate and
    /// whose first event is `at`.
    pub(super) fn hold(&mut self, record: &Record<'_>, at: Seq) {
        let note = &record.note;
        let model = record.api.as_ref().and_then(|api| api.model.as_deref());
        let Self {
            cwd,
            cwd_since,
            cwd_changes,
            branch,
            branch_since,
            branch_changes,
            model: known_model,
            model_since,
            model_changes,
            permission_mode,
            permission_mode_since,
            permission_mode_changes,
            ..
        } = self;
        held((cwd, cwd_since, cwd_changes), note.cwd.as_deref(), at);
        held((branch, branch_since, branch_changes), note.branch.as_deref(), at);
        held((known_model, model_since, model_changes), model, at);
        held(
            (permission_mode, permission_mode_since, permission_mode_changes),
            note.permission_mode.as_deref(),
            at,
        );
    }
}

/// Takes in a value that holds until another is stated.
fn held(
    (known, since, changes): (&mut Option<String>, &mut Option<Seq>, &mut u64),
    stated: Option<&str>,
    at: Seq,
) {
    let Some(stated) = stated.filter(|stated| !stated.is_empty()) else { return };
    if known.as_deref() != Some(stated) {
        *changes += u64::from(known.is_some());
        *since = Some(at);
        *known = Some(stated.to_owned());
    }
}

fn first(known: &mut Option<String>, stated: Option<&str>) {
    if known.is_none() {
        *known = stated.map(str::to_owned);
    }
}

fn last(known: &mut Option<String>, stated: Option<&str>) {
    let Some(stated) = stated else { return };
    if known.as_deref() != Some(stated) {
        *known = Some(stated.to_owned());
    }
}
