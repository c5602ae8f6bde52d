//! What a handover needs of the work itself: standing instructions, the plan and the todo list, refusals,
//! what mended which failure, and the calls that stand out.
//!
//! [`RunState`](super::RunState) holds a [`Handover`] and feeds it (`feed`) with what happens in the main thread
//! only, duplicates aside. Views read it through [`RunState::handover`](super::RunState::handover). Every list is
//! bounded and says how many there were in all. The other files hold one part each.

mod answers;
mod cues;
mod feed;
mod instructions;
mod launches;
mod mending;
mod planning;
mod refusals;
mod sentences;
mod target;
mod work;

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::collections::{DigestMap, sorted_map};
use super::state::Failure;
use crate::ids::{Millis, Seq};

pub use answers::Answer;
pub(super) use feed::{IssuedWork, WorkResult};
pub use instructions::Instruction;
pub use launches::Launch;
pub use planning::{Plan, Todo};
pub use refusals::Refusal;
pub use work::{CallAt, SlowCall, TurnWork};

use answers::Answers;
use feed::OpenWork;
use instructions::Instructions;
use launches::Launches;
use mending::Mending;
use planning::Planning;
use refusals::Refusals;
use work::Work;

/// What a handover needs of the work itself, of the main thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Handover {
    instructions: Instructions,
    planning: Planning,
    refusals: Refusals,
    mending: Mending,
    work: Work,
    launches: Launches,
    answers: Answers,
    first_failure: Option<Failure>,
    last_prompt_time: Option<Millis>,
    /// Calls without a result, also those that were stopped: they may be answered late.
    #[serde(with = "sorted_map")]
    open: DigestMap<Box<OpenWork>>,
}

impl Handover {
    /// Standing instructions of the person, oldest first, each text once: of turns in force only.
    pub fn instructions(&self) -> &[Instruction] {
        self.instructions.in_force()
    }

    /// How many more there were.
    pub fn instructions_dropped(&self) -> u64 {
        self.instructions.dropped()
    }

    /// The plan that the agent proposed last, unless the person refused it: then the one before.
    pub fn plan(&self) -> Option<&Plan> {
        self.planning.plan()
    }

    /// The todo list as it stands.
    pub fn todos(&self) -> &[Todo] {
        self.planning.todos()
    }

    /// The event that changed it last.
    pub fn todos_at(&self) -> Option<Seq> {
        self.planning.todos_at()
    }

    /// How many steps more it has.
    pub fn todos_dropped(&self) -> u64 {
        self.planning.todos_dropped()
    }

    /// The latest calls that were refused or interrupted, in the order of the calls.
    pub fn refusals(&self) -> &[Refusal] {
        self.refusals.list()
    }

    /// How many calls were refused or interrupted.
    pub fn refusal_count(&self) -> u64 {
        self.refusals.count()
    }

    /// The result that mended the failure at this event, if one did and the failure is among those kept: that of
    /// a later succeeded call of the same tool with the same target.
    pub fn mended(&self, failure: Seq) -> Option<Seq> {
        self.mending.mended(failure)
    }

    /// The first failure.
    pub fn first_failure(&self) -> Option<&Failure> {
        self.first_failure.as_ref()
    }

    /// The call that took longest to succeed or fail; of several the first to end.
    pub fn slowest_call(&self) -> Option<&SlowCall> {
        self.work.slowest()
    }

    /// The first call after the last succeeded call of a tool that writes files, by the order of the calls.
    pub fn after_last_edit(&self) -> Option<&CallAt> {
        self.work.after_last_edit()
    }

    /// The last call.
    pub fn last_call(&self) -> Option<&CallAt> {
        self.work.last()
    }

    /// The file that the last call of a tool for files named.
    pub fn last_file(&self) -> Option<&str> {
        self.work.last_file()
    }

    /// The calls of a turn; 0 is what came before the first prompt. None for a turn that did not begin.
    pub fn turn_work(&self, turn: u64) -> Option<&TurnWork> {
        self.work.turns().get(&turn)
    }

    /// The same of all turns.
    pub fn turns_work(&self) -> &BTreeMap<u64, TurnWork> {
        self.work.turns()
    }

    /// When the person wrote last, if that prompt has a time.
    pub fn last_prompt_time(&self) -> Option<Millis> {
        self.last_prompt_time
    }

    /// The latest launches of subagents with a description that were not refused, oldest first.
    pub fn launches(&self) -> &[Launch] {
        self.launches.list()
    }

    /// How many there were.
    pub fn launch_count(&self) -> u64 {
        self.launches.count()
    }

    /// The agent's last messages that are not blank, oldest first.
    pub fn answers(&self) -> &VecDeque<Answer> {
        self.answers.list()
    }

    /// How many it wrote.
    pub fn answer_count(&self) -> u64 {
        self.answers.count()
    }
}
