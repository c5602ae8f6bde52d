//! Background tasks: launched by a receipt, and later reports about them.

use std::collections::BTreeMap;

/// A background task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskKind {
    Agent,
    Command,
}

/// How a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskState {
    Running,
    Completed,
    Failed,
    Stopped,
}

/// The tasks by id.
#[derive(Debug, Default)]
pub(crate) struct Background {
    tasks: BTreeMap<String, (TaskKind, TaskState)>,
}

impl Background {
    /// A receipt: the task runs, also one that had ended.
    pub(crate) fn launched(&mut self, id: &str, kind: TaskKind) {
        self.tasks.insert(id.to_owned(), (kind, TaskState::Running));
    }

    /// What a notification, a result or a call says; nothing of a task that was not launched.
    /// Says whether there is such a task.
    pub(crate) fn says(&mut self, id: &str, state: TaskState) -> bool {
        self.tasks.get_mut(id).is_some_and(|task| {
            task.1 = state;
            true
        })
    }

    /// How the task `id` stands.
    pub(crate) fn state(&self, id: &str) -> Option<TaskState> {
        self.tasks.get(id).map(|task| task.1)
    }

    /// Kind and state by id, as text.
    pub(crate) fn list(&self) -> BTreeMap<String, String> {
        let text = |(id, (kind, state)): (&String, &(TaskKind, TaskState))| {
            let kind = match kind {
                TaskKind::Agent => "agent",
                TaskKind::Command => "command",
            };
            let state = match state {
                TaskState::Running => "running",
                TaskState::Completed => "completed",
                TaskState::Failed => "failed",
                TaskState::Stopped => "stopped",
            };
            (id.clone(), format!("{kind} {state}"))
        };
        self.tasks.iter().map(text).collect()
    }
}
