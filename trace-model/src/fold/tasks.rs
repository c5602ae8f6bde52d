//! Background tasks: agents and commands that were launched and keep running by themselves. The receipt of a
//! launch is not an end; the latest statement of a task's state holds.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::calls::OpenCall;
use crate::event::{TaskKind, TaskState};
use crate::ids::{Digest64, Head, Millis, Seq};

/// Characters kept of what a notification says.
const SUMMARY_CHARS: usize = 300;

/// A background task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundTask {
    /// Its id, as the receipt states it.
    pub id: String,
    /// What it is.
    pub kind: TaskKind,
    /// Its state.
    pub state: TaskState,
    /// The id of the call that launched it, the last time if it was resumed.
    pub call: String,
    /// The tool of that call; none if the call is not in the run.
    pub tool: Option<String>,
    /// The start of the call's input.
    pub input: Head,
    /// The event of the receipt.
    pub launched_at: Seq,
    /// When that was.
    pub launched: Option<Millis>,
    /// The event that said that it ended; none while it runs.
    pub ended_at: Option<Seq>,
    /// When that was.
    pub ended: Option<Millis>,
    /// The start of what was reported about its end.
    pub summary: Head,
    /// The thread of the call that launched it, if that was known then.
    pub(super) thread: Option<u32>,
    /// The latest event that stated its state.
    said_at: Seq,
}

impl BackgroundTask {
    /// Whether it still runs, for all that is known.
    pub fn is_running(&self) -> bool {
        self.state == TaskState::Running
    }
}

/// Background tasks by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskCounts {
    /// All of them.
    pub launched: u64,
    /// Those that run.
    pub running: u64,
    /// Those that ended well.
    pub completed: u64,
    /// Those that ended with an error.
    pub failed: u64,
    /// Those that were stopped.
    pub stopped: u64,
}

/// The event that says something, and its time.
#[derive(Clone, Copy)]
pub(super) struct EventTime {
    pub(super) at: Seq,
    pub(super) time: Option<Millis>,
}

/// The background tasks of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tasks {
    by_id: BTreeMap<String, BackgroundTask>,
    /// The task that each call launched.
    by_call: BTreeMap<Digest64, String>,
    /// How often a task was found to have failed.
    pub(super) failures: u64,
}

impl Tasks {
    /// The tasks, by id.
    pub(super) fn iter(&self) -> impl Iterator<Item = &BackgroundTask> {
        self.by_id.values()
    }

    /// The task of this id.
    pub(super) fn get(&self, id: &str) -> Option<&BackgroundTask> {
        self.by_id.get(id)
    }

    /// The task that a call launched.
    pub(super) fn of_call(&self, call: Digest64) -> Option<&BackgroundTask> {
        self.by_id.get(self.by_call.get(&call)?)
    }

    /// The calls that launched a task, the first time and again.
    pub(super) fn calls_of(&self, id: &str) -> Vec<Digest64> {
        self.by_call.iter().filter(|(_, task)| *task == id).map(|(call, _)| *call).collect()
    }

    pub(super) fn counts(&self) -> TaskCounts {
        let count = |state| self.iter().filter(|task| task.state == state).count() as u64;
        TaskCounts {
            launched: self.by_id.len() as u64,
            running: count(TaskState::Running),
            completed: count(TaskState::Completed),
            failed: count(TaskState::Failed),
            stopped: count(TaskState::Stopped),
        }
    }

    /// A receipt came: the task runs, also if it had ended.
    pub(super) fn launch(
        &mut self,
        id: &str,
        kind: TaskKind,
        call_id: &str,
        call: Option<&OpenCall>,
        said: EventTime,
    ) {
        self.by_call.insert(Digest64::of(call_id), id.to_owned());
        let task = BackgroundTask {
            id: id.to_owned(),
            kind,
            state: TaskState::Running,
            call: call_id.to_owned(),
            tool: call.map(|call| call.tool.clone()),
            input: call.map(|call| call.input.clone()).unwrap_or_default(),
            launched_at: said.at,
            launched: said.time,
            ended_at: None,
            ended: None,
            summary: Head::default(),
            thread: call.map(|call| call.thread),
            said_at: said.at,
        };
        self.by_id.insert(id.to_owned(), task);
    }

    /// The call behind a receipt that was read before it.
    pub(super) fn claim(&mut self, digest: Digest64, tool: &str, input: &Head) {
        let Some(id) = self.by_call.get(&digest) else { return };
        if let Some(task) = self.by_id.get_mut(id).filter(|task| task.tool.is_none()) {
            task.tool = Some(tool.to_owned());
            task.input = input.clone();
        }
    }

    /// A statement about a task's state. What was launched only later, or of what was said more since, keeps
    /// its state. Returns the task if this made it one that failed.
    pub(super) fn report(
        &mut self,
        id: &str,
        state: TaskState,
        summary: &str,
        said: EventTime,
    ) -> Option<&BackgroundTask> {
        let task = self.by_id.get_mut(id).filter(|task| task.said_at <= said.at)?;
        task.said_at = said.at;
        let changed = task.state != state;
        if changed {
            task.state = state;
            (task.ended_at, task.ended) = (Some(said.at), said.time);
        }
        if changed || !summary.is_empty() {
            task.summary.set(summary, SUMMARY_CHARS);
        }
        let failed = changed && state == TaskState::Failed;
        self.failures += u64::from(failed);
        failed.then_some(task)
    }
}
