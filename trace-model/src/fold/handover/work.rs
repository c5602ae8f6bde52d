//! The calls that stand out, and the calls of each turn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::feed::OpenWork;
use crate::ids::{Digest64, Head, Millis, Seq};

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallAt {
    /// Its event.
    pub at: Seq,
    /// The tool.
    pub tool: String,
    /// The start of its input, as JSON with sorted keys.
    pub input: Head,
    /// The call's id.
    pub id: Option<String>,
}

/// A call and how long it took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowCall {
    /// The tool.
    pub tool: String,
    /// The start of its input, as JSON with sorted keys.
    pub input: Head,
    /// The call's id.
    pub id: Option<String>,
    /// The event of the call.
    pub at: Seq,
    /// The time from the call to its result, in milliseconds.
    pub millis: u64,
}

/// The calls of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnWork {
    /// How often each tool was called.
    pub calls: BTreeMap<String, u64>,
    /// How many of the calls failed.
    pub failed: u64,
    /// When its prompt was written.
    pub began: Option<Millis>,
}

impl TurnWork {
    /// Calls of all tools.
    pub fn total(&self) -> u64 {
        self.calls.values().sum()
    }
}

/// The calls so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Work {
    turns: BTreeMap<u64, TurnWork>,
    slowest: Option<SlowCall>,
    last: Option<CallAt>,
    /// The last succeeded call of a tool that writes files.
    last_edit: Option<Seq>,
    after_last_edit: Option<CallAt>,
    last_file: Option<String>,
}

impl Work {
    pub(super) fn turns(&self) -> &BTreeMap<u64, TurnWork> {
        &self.turns
    }

    pub(super) fn slowest(&self) -> Option<&SlowCall> {
        self.slowest.as_ref()
    }

    pub(super) fn last(&self) -> Option<&CallAt> {
        self.last.as_ref()
    }

    pub(super) fn last_file(&self) -> Option<&str> {
        self.last_file.as_deref()
    }

    /// A call of a tool for files named this one.
    pub(super) fn touch(&mut self, path: &str) {
        self.last_file = Some(path.to_owned());
    }

    pub(super) fn after_last_edit(&self) -> Option<&CallAt> {
        self.after_last_edit.as_ref()
    }

    /// A turn began.
    pub(super) fn begin(&mut self, turn: u64, time: Option<Millis>) {
        self.turns.entry(turn).or_default().began = time;
    }

    /// A call was issued. Returns the id of the call before it.
    pub(super) fn issue(&mut self, call: &CallAt, turn: u64) -> Option<Digest64> {
        let calls = &mut self.turns.entry(turn).or_default().calls;
        match calls.get_mut(&call.tool) {
            Some(count) => *count += 1,
            None => {
                calls.insert(call.tool.clone(), 1);
            }
        }
        let before = self.last.replace(call.clone())?;
        if self.last_edit == Some(before.at) {
            self.after_last_edit = Some(call.clone());
        }
        before.id.as_deref().map(Digest64::of)
    }

    /// A call of the turn failed.
    pub(super) fn fail(&mut self, turn: u64) {
        self.turns.entry(turn).or_default().failed += 1;
    }

    /// A call of a tool that writes files succeeded; `next` is the call after it. Its result may come after
    /// those of later calls.
    pub(super) fn edit(&mut self, call: &CallAt, next: Option<CallAt>) {
        if self.last_edit.is_none_or(|last| last < call.at) {
            self.last_edit = Some(call.at);
            self.after_last_edit = next;
        }
    }

    /// A call succeeded or failed at this time.
    pub(super) fn time(&mut self, open: &OpenWork, ended: Option<Millis>) {
        let Some((from, to)) = open.time.zip(ended) else { return };
        let Ok(millis) = u64::try_from(to.0.saturating_sub(from.0)) else { return };
        if self.slowest.as_ref().is_none_or(|slowest| slowest.millis < millis) {
            let CallAt { at, tool, input, id } = open.call.clone();
            self.slowest = Some(SlowCall { tool, input, id, at, millis });
        }
    }
}
