//! Tool calls from issue to answer: each is in flight, answered, or closed without an answer, and
//! each result goes to its call whichever of them comes first.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::collections::{DigestMap, DigestSet, sorted_map, sorted_set};
use super::facts::{Extent, SourceRef};
use crate::event::Outcome;
use crate::ids::{Digest64, Head, Millis, Seq};

/// A call without an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenCall {
    /// The call's id as written.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The event that issued it.
    pub issued_at: Seq,
    /// When it was issued.
    pub time: Option<Millis>,
    /// The start of its input, for people.
    pub input: Head,
    /// The file it names.
    pub path: Option<String>,
    /// Whether a person stopped it; it may still answer late.
    pub interrupted: bool,
    /// Whether it was stopped before it was read, because its agent had been: a result that follows
    /// it in the same file is not late.
    pub(super) stopped_unread: bool,
    pub(super) thread: u32,
    /// Where facts of its result come from; none if its results state none.
    pub(super) source: Option<SourceRef>,
    pub(super) extent: Extent,
    /// The episode it was issued in.
    pub(super) episode: Option<u64>,
}

impl OpenCall {
    /// The number of the episode that issued it; none for a subagent's call.
    pub fn episode(&self) -> Option<u64> {
        self.episode
    }

    /// Whether the main thread issued it.
    pub fn is_of_main_thread(&self) -> bool {
        self.thread == super::state::MAIN
    }

    /// Whether a result that comes now is late.
    pub(super) fn is_late(&self) -> bool {
        self.interrupted && !self.stopped_unread
    }
}

/// What calls of one tool came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolTally {
    /// Calls issued.
    pub calls: u64,
    /// Calls that succeeded.
    pub succeeded: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Calls that were refused.
    pub denied: u64,
    /// Calls that were interrupted.
    pub interrupted: u64,
}

impl ToolTally {
    /// Adds another tool's.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.denied += other.denied;
        self.interrupted += other.interrupted;
    }

    fn outcome(&mut self, outcome: Outcome) -> &mut u64 {
        match outcome {
            Outcome::Succeeded => &mut self.succeeded,
            Outcome::Failed => &mut self.failed,
            Outcome::Denied => &mut self.denied,
            Outcome::Interrupted => &mut self.interrupted,
        }
    }
}

/// What became of a result.
pub(super) enum Answer {
    /// It answers this call.
    Call(Box<OpenCall>),
    /// Its call has an answer already.
    Duplicate,
    /// Its call is not known; it may still come.
    Orphan,
}

/// What became of a call when it was issued.
pub(super) enum Issue {
    /// It is in flight.
    InFlight,
    /// Its result had come before.
    Answered(Outcome),
    /// It has no id, so nothing can answer it.
    Unanswerable,
    /// It was issued before.
    Duplicate,
}

/// All calls of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Calls {
    #[serde(with = "sorted_map")]
    open: DigestMap<Box<OpenCall>>,
    /// Calls in flight, by thread, in the order of their issue.
    in_flight: BTreeMap<u32, BTreeSet<(Seq, Digest64)>>,
    #[serde(with = "sorted_set")]
    answered: DigestSet,
    /// Results whose call has not come: how the first of them says it ended, and their number.
    #[serde(with = "sorted_map")]
    early: DigestMap<(Outcome, u64)>,
    /// Calls that an interruption or a prompt closed, answered late or not.
    #[serde(with = "sorted_set")]
    stopped: DigestSet,
    tools: BTreeMap<String, ToolTally>,
    /// Of those, calls of the main thread.
    main_tools: BTreeMap<String, ToolTally>,
    pub(super) results: u64,
    pub(super) duplicate_results: u64,
    /// Second and later calls of an id.
    pub(super) duplicates: u64,
    /// Results that name no call.
    pub(super) unaddressed_results: u64,
    /// Results that came after their call had been interrupted.
    pub(super) late_results: u64,
}

impl Calls {
    /// Takes in a call.
    pub(super) fn issue(&mut self, id: Option<Digest64>, call: OpenCall) -> Issue {
        let Some(id) = id else {
            self.note(call.thread, &call.tool, |tally| tally.calls += 1);
            return Issue::Unanswerable;
        };
        if self.open.contains_key(&id) || self.answered.contains(&id) {
            self.duplicates += 1;
            return Issue::Duplicate;
        }
        self.note(call.thread, &call.tool, |tally| tally.calls += 1);
        if let Some((outcome, results)) = self.early.remove(&id) {
            self.results += 1;
            self.duplicate_results += results - 1;
            self.answered.insert(id);
            self.note(call.thread, &call.tool, |tally| *tally.outcome(outcome) += 1);
            return Issue::Answered(outcome);
        }
        self.in_flight.entry(call.thread).or_default().insert((call.issued_at, id));
        self.open.insert(id, Box::new(call));
        Issue::InFlight
    }

    /// Takes in a result.
    pub(super) fn answer(&mut self, id: Digest64, outcome: Outcome) -> Answer {
        if let Some(call) = self.open.remove(&id) {
            self.answered.insert(id);
            self.results += 1;
            if call.interrupted {
                self.late_results += u64::from(call.is_late());
                self.note(call.thread, &call.tool, |tally| tally.interrupted -= 1);
                if call.stopped_unread {
                    self.stopped.remove(&id);
                }
            } else {
                self.land(call.thread, (call.issued_at, id));
            }
            self.note(call.thread, &call.tool, |tally| *tally.outcome(outcome) += 1);
            return Answer::Call(call);
        }
        if self.answered.contains(&id) {
            self.duplicate_results += 1;
            return Answer::Duplicate;
        }
        self.early.entry(id).or_insert((outcome, 0)).1 += 1;
        Answer::Orphan
    }

    /// Closes all calls in flight of a thread without an answer; returns their ids. `unread` says
    /// that they were stopped before they were read.
    pub(super) fn interrupt(&mut self, thread: u32, unread: bool) -> Vec<Digest64> {
        let closed = self.in_flight.remove(&thread).unwrap_or_default();
        let ids: Vec<Digest64> = closed.into_iter().map(|(_, id)| id).collect();
        for id in &ids {
            if let Some(call) = self.open.get_mut(id) {
                call.interrupted = true;
                call.stopped_unread = unread;
                self.stopped.insert(*id);
                let tool = call.tool.clone();
                self.note(thread, &tool, |tally| tally.interrupted += 1);
            }
        }
        ids
    }

    /// Whether an interruption or a prompt closed the call before it was answered.
    pub(super) fn was_interrupted(&self, call: Digest64) -> bool {
        self.stopped.contains(&call)
    }

    /// Results whose call never came.
    pub(super) fn orphan_results(&self) -> u64 {
        self.early.values().map(|(_, results)| results).sum()
    }

    /// The call of this id, if it has no result.
    pub(super) fn open(&self, id: Digest64) -> Option<&OpenCall> {
        self.open.get(&id).map(Box::as_ref)
    }

    /// Calls in flight in all threads, in the order of their issue.
    pub(super) fn in_flight(&self) -> Vec<&OpenCall> {
        self.sorted(|call| !call.interrupted)
    }

    /// Calls of a thread without a result: in flight or interrupted.
    pub(super) fn dangling(&self, thread: u32) -> Vec<&OpenCall> {
        self.sorted(|call| call.thread == thread)
    }

    /// How many calls are in flight.
    pub(super) fn in_flight_count(&self) -> u64 {
        self.in_flight.values().map(|calls| calls.len() as u64).sum()
    }

    /// How many calls of an episode are in flight in a thread.
    pub(super) fn in_flight_of(&self, thread: u32) -> impl Iterator<Item = &OpenCall> {
        let ids = self.in_flight.get(&thread).into_iter().flatten();
        ids.filter_map(|(_, id)| self.open.get(id).map(Box::as_ref))
    }

    /// Tallies by tool, in order of the name.
    pub(super) fn tools(&self) -> &BTreeMap<String, ToolTally> {
        &self.tools
    }

    /// The same of the main thread alone.
    pub(super) fn main_tools(&self) -> &BTreeMap<String, ToolTally> {
        &self.main_tools
    }

    fn sorted(&self, wanted: impl Fn(&OpenCall) -> bool) -> Vec<&OpenCall> {
        let mut calls: Vec<&OpenCall> =
            self.open.values().map(Box::as_ref).filter(|call| wanted(call)).collect();
        calls.sort_by_key(|call| call.issued_at);
        calls
    }

    fn land(&mut self, thread: u32, call: (Seq, Digest64)) {
        if let Some(calls) = self.in_flight.get_mut(&thread) {
            calls.remove(&call);
            if calls.is_empty() {
                self.in_flight.remove(&thread);
            }
        }
    }

    fn note(&mut self, thread: u32, tool: &str, change: impl Fn(&mut ToolTally)) {
        let main = (thread == super::state::MAIN).then_some(&mut self.main_tools);
        for tools in std::iter::once(&mut self.tools).chain(main) {
            match tools.get_mut(tool) {
                Some(tally) => change(tally),
                None => change(tools.entry(tool.to_owned()).or_default()),
            }
        }
    }
}
