//! Calls that the person, or a rule, refused, and calls that the person interrupted.

use serde::{Deserialize, Serialize};

use super::work::CallAt;
use crate::event::Outcome;
use crate::ids::{Head, Seq};

/// How many are kept.
const KEPT: usize = 40;
/// Characters kept of a call's input.
const INPUT_CHARS: usize = 160;
/// Characters kept of a reason.
const REASON_CHARS: usize = 300;

/// A call that was refused or interrupted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Its result, or the interruption or the prompt that closed it.
    pub at: Seq,
    /// Its call.
    pub call_at: Seq,
    /// The call's id.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The start of its input, as JSON with sorted keys.
    pub input: Head,
    /// [`Outcome::Denied`] or [`Outcome::Interrupted`].
    pub outcome: Outcome,
    /// What the person said; empty if they said nothing.
    pub reason: Head,
}

/// The last refusals, in the order of the calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Refusals {
    list: Vec<Refusal>,
    count: u64,
}

impl Refusals {
    pub(super) fn refuse(
        &mut self,
        call: &CallAt,
        outcome: Outcome,
        at: Seq,
        reason: Option<&str>,
    ) {
        let refusal = Refusal {
            at,
            call_at: call.at,
            id: call.id.clone(),
            tool: call.tool.clone(),
            input: call.input.shortened(INPUT_CHARS),
            outcome,
            reason: Head::new(reason.unwrap_or_default(), REASON_CHARS),
        };
        self.count += 1;
        let place = self.list.partition_point(|known| known.call_at < call.at);
        self.list.insert(place, refusal);
        if self.list.len() > KEPT {
            self.list.remove(0);
        }
    }

    /// The call has a result of its own, whatever was known of it.
    pub(super) fn settle(&mut self, call: Seq) {
        if let Some(place) = self.list.iter().rposition(|known| known.call_at == call) {
            self.list.remove(place);
            self.count -= 1;
        }
    }

    pub(super) fn list(&self) -> &[Refusal] {
        &self.list
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
