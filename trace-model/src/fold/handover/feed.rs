//! What the state tells the handover: calls, their results and what closes them, prompts, messages.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::target::Target;
use super::work::CallAt;
use super::{Handover, target};
use crate::event::{Event, Outcome, PlanChange, Remark, RemarkKind, ToolRole};
use crate::fold::input::CallInput;
use crate::fold::state::Failure;
use crate::ids::{Digest64, Head, Millis, Seq};

/// Characters kept of a call's input.
const INPUT_CHARS: usize = 2000;
/// Characters kept of the first failure's text.
const FAILURE_CHARS: usize = 2000;

/// A call of the main thread that was not issued before.
pub(in crate::fold) struct IssuedWork<'a> {
    pub(in crate::fold) id: Option<&'a str>,
    pub(in crate::fold) tool: &'a str,
    pub(in crate::fold) role: ToolRole,
    pub(in crate::fold) input: &'a CallInput<'a>,
    /// The files that the adapter found in it.
    pub(in crate::fold) paths: &'a [Cow<'a, str>],
    pub(in crate::fold) plan: Option<&'a PlanChange>,
    pub(in crate::fold) at: Seq,
    pub(in crate::fold) time: Option<Millis>,
    /// The turn that was under way.
    pub(in crate::fold) turn: u64,
}

/// The first result of a call.
pub(in crate::fold) struct WorkResult<'a> {
    pub(in crate::fold) outcome: Outcome,
    pub(in crate::fold) at: Seq,
    pub(in crate::fold) time: Option<Millis>,
    /// Its block in the record.
    pub(in crate::fold) block: u32,
    /// What the record's results say besides their texts.
    pub(in crate::fold) remarks: &'a [Remark],
}

impl WorkResult<'_> {
    fn remarks(&self) -> impl Iterator<Item = &RemarkKind> {
        self.remarks.iter().filter(|remark| remark.block == self.block).map(|remark| &remark.kind)
    }

    fn step(&self) -> Option<&str> {
        self.remarks().find_map(|kind| match kind {
            RemarkKind::Step(id) => Some(id.as_str()),
            RemarkKind::Reason(_) => None,
        })
    }

    fn reason(&self) -> Option<&str> {
        self.remarks().find_map(|kind| match kind {
            RemarkKind::Reason(text) => Some(text.as_str()),
            RemarkKind::Step(_) => None,
        })
    }
}

/// A call that has no result yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenWork {
    pub(super) call: CallAt,
    pub(super) time: Option<Millis>,
    pub(super) turn: u64,
    /// Whether its tool writes files.
    pub(super) writes: bool,
    pub(super) target: Target,
    pub(super) plan: Option<PlanChange>,
    /// The call after it, if its tool writes files.
    pub(super) next: Option<CallAt>,
}

impl Handover {
    /// A turn began.
    pub(in crate::fold) fn begin(&mut self, turn: u64, time: Option<Millis>) {
        self.last_prompt_time = time;
        self.work.begin(turn, time);
    }

    /// The turn that began last began with this text, which may have put others out of force.
    pub(in crate::fold) fn instruct(
        &mut self,
        text: &str,
        (turn, at): (u64, Seq),
        is_in_force: impl Fn(u64) -> bool,
    ) {
        self.instructions.read(text, turn, at);
        self.instructions.recount(is_in_force);
    }

    /// The agent wrote this.
    pub(in crate::fold) fn say(&mut self, event: &Event<'_>, text: &str, at: Seq) {
        self.answers.say(event, text, at);
    }

    /// A call was issued. `answered` is how its result ended it, and where, if that came before.
    pub(in crate::fold) fn call(
        &mut self,
        issued: &IssuedWork<'_>,
        answered: Option<(Outcome, Seq)>,
    ) {
        let call = CallAt {
            at: issued.at,
            tool: issued.tool.to_owned(),
            input: Head::new(issued.input.canonical(), INPUT_CHARS),
            id: issued.id.map(str::to_owned),
        };
        let id = issued.id.map(Digest64::of);
        let writes = issued.role == ToolRole::Writer;
        if let Some(before) = self.work.issue(&call, issued.turn)
            && let Some(open) = self.open.get_mut(&before).filter(|open| open.writes)
        {
            open.next = Some(call.clone());
        }
        if issued.role == ToolRole::Launcher
            && let Some(text) = issued.input.text("description")
        {
            self.launches.launch(&call, text);
        }
        if matches!(issued.role, ToolRole::Reader | ToolRole::Writer)
            && let Some(path) = issued.paths.first()
        {
            self.work.touch(path);
        }
        let Some(id) = id else { return };
        if let Some(PlanChange::Proposed(text)) = issued.plan {
            self.planning.propose(text, issued.at);
        }
        let open = OpenWork {
            target: target::of(issued),
            call,
            time: issued.time,
            turn: issued.turn,
            writes,
            plan: issued.plan.cloned(),
            next: None,
        };
        match answered {
            None => {
                self.open.insert(id, Box::new(open));
            }
            Some((outcome, at)) => {
                let result = WorkResult { outcome, at, time: None, block: 0, remarks: &[] };
                self.end(open, &result);
            }
        }
    }

    /// A call got its first result.
    pub(in crate::fold) fn result(&mut self, id: Digest64, result: &WorkResult<'_>) {
        let Some(open) = self.open.remove(&id) else { return };
        match result.outcome {
            Outcome::Failed => {
                self.mending.fail(&open, result.at);
                self.work.time(&open, result.time);
            }
            Outcome::Succeeded => {
                self.mending.succeed(&open, result.at);
                self.work.time(&open, result.time);
            }
            Outcome::Denied | Outcome::Interrupted | Outcome::Cancelled => {}
        }
        self.end(*open, result);
    }

    /// A call ended; its result may have come before it.
    fn end(&mut self, open: OpenWork, result: &WorkResult<'_>) {
        let WorkResult { outcome, at, .. } = *result;
        self.refusals.settle(open.call.at);
        match outcome {
            Outcome::Failed => self.work.fail(open.turn),
            Outcome::Denied => {
                self.launches.refuse(open.call.at);
                self.refusals.refuse(&open.call, outcome, at, result.reason());
            }
            Outcome::Interrupted => {
                self.refusals.refuse(&open.call, outcome, at, result.reason());
            }
            Outcome::Succeeded | Outcome::Cancelled => {}
        }
        let succeeded = outcome == Outcome::Succeeded;
        if let Some(change) = open.plan {
            self.planning.settle(change, open.call.at, succeeded, (at, result.step()));
        }
        if succeeded && open.writes {
            self.work.edit(&open.call, open.next);
        }
    }

    /// Calls were closed without a result, by what stands at this event.
    pub(in crate::fold) fn interrupt(&mut self, calls: &[Digest64], at: Seq) {
        let open = calls.iter().filter_map(|id| self.open.get(id));
        let mut closed: Vec<&OpenWork> = open.map(Box::as_ref).collect();
        closed.sort_by_key(|open| open.call.at);
        for open in closed {
            self.refusals.refuse(&open.call, Outcome::Interrupted, at, None);
            if open.plan.is_some() {
                self.planning.withdraw(open.call.at);
            }
        }
    }

    /// A call failed, or a background task; this is all that was said of it.
    pub(in crate::fold) fn fail(&mut self, failure: &Failure, text: &str) {
        if self.first_failure.is_none() {
            let text = Head::new(text, FAILURE_CHARS);
            self.first_failure = Some(Failure { text, ..failure.clone() });
        }
    }
}
