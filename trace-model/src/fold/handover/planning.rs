//! The plan that the agent proposed, and its todo list. Turns that were taken back leave both as they are: the
//! clients do not take their lists back either.

use serde::{Deserialize, Serialize};

use crate::event::{PlanChange, Step, TodoStatus};
use crate::ids::{Head, Seq};

/// How many steps are kept.
const KEPT: usize = 200;
/// Characters kept of a step's text.
const STEP_CHARS: usize = 200;
/// Characters kept of a plan's text.
const PLAN_CHARS: usize = 2000;

/// A plan that the agent proposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The call that proposed it.
    pub at: Seq,
    /// Its text.
    pub text: Head,
}

/// A step of the todo list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// What is to be done.
    pub text: Head,
    /// Where it stands.
    pub status: TodoStatus,
}

impl Todo {
    fn new(step: &Step, id: Option<&str>) -> Self {
        let text = Head::new(&step.text, STEP_CHARS);
        Self { id: id.map(str::to_owned), text, status: step.status }
    }
}

/// Plan and todo list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Planning {
    /// The plan that the person accepted last.
    accepted: Option<Plan>,
    /// A plan that they have not answered.
    proposed: Option<Plan>,
    todos: Vec<Todo>,
    todos_at: Option<Seq>,
    dropped: u64,
}

impl Planning {
    pub(super) fn plan(&self) -> Option<&Plan> {
        self.proposed.as_ref().or(self.accepted.as_ref())
    }

    pub(super) fn todos(&self) -> &[Todo] {
        &self.todos
    }

    pub(super) fn todos_at(&self) -> Option<Seq> {
        self.todos_at
    }

    pub(super) fn todos_dropped(&self) -> u64 {
        self.dropped
    }

    /// A call proposed a plan.
    pub(super) fn propose(&mut self, text: &str, at: Seq) {
        self.proposed = Some(Plan { at, text: Head::new(text, PLAN_CHARS) });
    }

    /// The call that proposed a plan was closed without an answer.
    pub(super) fn withdraw(&mut self, call: Seq) {
        self.proposed.take_if(|plan| plan.at == call);
    }

    /// The call of a change ended, with this result and the id that it tells.
    pub(super) fn settle(
        &mut self,
        change: PlanChange,
        call: Seq,
        succeeded: bool,
        (at, id): (Seq, Option<&str>),
    ) {
        self.withdraw(call);
        if !succeeded {
            return;
        }
        match change {
            PlanChange::Proposed(text) => {
                self.accepted = Some(Plan { at: call, text: Head::new(&text, PLAN_CHARS) });
                return;
            }
            PlanChange::Whole(steps) => {
                self.todos = steps.iter().take(KEPT).map(|step| Todo::new(step, None)).collect();
                self.dropped = steps.len().saturating_sub(KEPT) as u64;
            }
            PlanChange::Add { step } if self.todos.len() < KEPT => {
                self.todos.push(Todo::new(&step, id));
            }
            PlanChange::Add { .. } => self.dropped += 1,
            PlanChange::Set { id, status, text } => self.set(&id, status, text.as_deref()),
        }
        self.todos_at = Some(at);
    }

    fn set(&mut self, id: &str, status: Option<TodoStatus>, text: Option<&str>) {
        let named = |todo: &&mut Todo| todo.id.as_deref() == Some(id);
        let Some(todo) = self.todos.iter_mut().rev().find(named) else { return };
        if let Some(status) = status {
            todo.status = status;
        }
        if let Some(text) = text {
            todo.text.set(text, STEP_CHARS);
        }
    }
}
