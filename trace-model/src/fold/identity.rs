//! Which session a run is: what its records say of themselves.

use serde::{Deserialize, Serialize};

use crate::event::Record;
use crate::ids::Millis;

/// What is known of the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The session's id, as the first record that has one states it.
    pub session: Option<String>,
    /// The title given last.
    pub title: Option<String>,
    /// The working folder stated first.
    pub cwd: Option<String>,
    /// The git branch stated last.
    pub branch: Option<String>,
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
        first(&mut self.cwd, note.cwd.as_deref());
        last(&mut self.title, note.title.as_deref());
        last(&mut self.branch, note.branch.as_deref());
        last(&mut self.client_version, note.client_version.as_deref());
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
