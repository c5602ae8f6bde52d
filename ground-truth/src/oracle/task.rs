//! Background tasks, as every format reports them in the end.
//!
//! `docs/DEFINITIONS.md`, "Background tasks".

use std::collections::BTreeMap;
use std::fmt;

/// A background task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskKind {
    Agent,
    Command,
}

/// How a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskState {
    Running,
    Completed,
    Failed,
    Stopped,
}

/// A task's final state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) kind: TaskKind,
    pub(super) state: TaskState,
    /// Whether a call of the main thread launched it, the last time that it was launched.
    in_main: bool,
}

impl fmt::Display for Task {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            TaskKind::Agent => "agent",
            TaskKind::Command => "command",
        };
        let state = match self.state {
            TaskState::Running => "running",
            TaskState::Completed => "completed",
            TaskState::Failed => "failed",
            TaskState::Stopped => "stopped",
        };
        write!(out, "{kind} {state}")
    }
}

/// All tasks of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Tasks {
    pub(super) by_id: BTreeMap<String, Task>,
    /// The ids of the agents that calls launched, by the call's id.
    pub(super) agents: BTreeMap<String, String>,
    /// "The records that made a task failed which a call of the main thread launched": the event's position, and
    /// the text that enters there.
    pub(super) failures_in_main: Vec<(usize, String)>,
}

impl Tasks {
    /// The task that an agent is: the one with its id, or the one that its launching call launched.
    pub(super) fn of_agent(&self, agent: &str, launching_call: Option<&str>) -> Option<&Task> {
        let launched = || self.by_id.get(self.agents.get(launching_call?)?);
        self.by_id.get(agent).or_else(launched)
    }
}

/// What an event says of a task.
pub(super) enum TaskReport {
    Launched { id: String, kind: TaskKind, call: String, in_main: bool },
    Is { id: String, state: TaskState, summary: String },
}

/// "From the launch on, what says last how a task of that id stands holds." What is said of a task that was not
/// launched before is not counted.
pub(super) fn enter(tasks: &mut Tasks, at: usize, report: TaskReport) {
    match report {
        TaskReport::Launched { id, kind, call, in_main } => {
            if kind == TaskKind::Agent {
                tasks.agents.insert(call, id.clone());
            }
            tasks.by_id.insert(id, Task { kind, state: TaskState::Running, in_main });
        }
        TaskReport::Is { id, state, summary } => {
            let Some(task) = tasks.by_id.get_mut(&id) else {
                return;
            };
            let made_failed = state == TaskState::Failed && task.state != TaskState::Failed;
            task.state = state;
            if made_failed && task.in_main {
                tasks.failures_in_main.push((at, summary));
            }
        }
    }
}
