//! Tool calls from issue to answer: each is in flight, answered, or closed without an answer, and
//! each result goes to its call whichever of them comes first.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::collections::{DigestMap, DigestSet, sorted_map, sorted_set};
use super::facts::{Extent, SourceRef};
use super::thread::MAIN;
use crate::event::{Outcome, ToolRole};
use crate::ids::{Digest64, Head, Millis, Seq};

/// A call without an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenCall {
    /// The call's id as written.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    pub(super) role: ToolRole,
    /// The event that issued it.
    pub issued_at: Seq,
    /// When it was issued.
    pub time: Option<Millis>,
    /// The start of its input, for people.
    pub input: Head,
    /// The file it names.
    pub path: Option<String>,
    /// Further ones.
    #[serde(default)]
    pub(super) more_paths: Vec<String>,
    /// Whether a person stopped it; it may still answer late.
    pub interrupted: bool,
    /// Whether it was stopped before it was read, because its agent had been: a result that follows
    /// it in the same file is not late.
    pub(super) stopped_unread: bool,
    pub(super) thread: u32,
    /// Where facts of its result come from; none if its results state none.
    pub(super) source: Option<SourceRef>,
    pub(super) extent: Extent,
    /// The background task that it is to stop.
    pub(super) stops: Option<String>,
    /// The episode it was issued in.
    pub(super) episode: Option<u64>,
}

impl OpenCall {
    /// The number of the episode that issued it; none for a subagent's call.
    pub fn episode(&self) -> Option<u64> {
        self.episode
    }

    /// The files it names.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.path.iter().chain(&self.more_paths).map(String::as_str)
    }

    /// The turn of the main thread in which it was issued; 0 before the first, and for subagents.
    pub(super) fn turn(&self) -> u64 {
        self.episode.unwrap_or(0)
    }

    /// Whether the main thread issued it.
    pub fn is_of_main_thread(&self) -> bool {
        self.thread == MAIN
    }

    /// Whether a result that comes now is late.
    pub(super) fn is_late(&self) -> bool {
        self.interrupted && !self.stopped_unread
    }
}

/// The calls of one tool, by how they ended.
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
    /// Calls that the client gave up because of another one.
    pub cancelled: u64,
    /// Calls that nothing can answer any more: their agent is over.
    pub abandoned: u64,
}

impl ToolTally {
    /// Adds another tool's.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.denied += other.denied;
        self.interrupted += other.interrupted;
        self.cancelled += other.cancelled;
        self.abandoned += other.abandoned;
    }

    fn outcome(&mut self, outcome: Outcome) -> &mut u64 {
        match outcome {
            Outcome::Succeeded => &mut self.succeeded,
            Outcome::Failed => &mut self.failed,
            Outcome::Denied => &mut self.denied,
            Outcome::Interrupted => &mut self.interrupted,
            Outcome::Cancelled => &mut self.cancelled,
        }
    }
}

/// Which call a result belongs to.
pub(super) enum ResultMatch {
    /// It answers this call.
    Call(Box<OpenCall>),
    /// Its call has an answer already.
    Duplicate,
    /// Its call is not known; it may still come. Whether it is the first with its id.
    Orphan { first: bool },
}

/// What is known about a call when it is issued.
pub(super) enum CallMatch {
    /// It is in flight.
    InFlight,
    /// Its result had come before, at this event.
    Answered(Outcome, Seq),
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
    /// Results whose call has not come: how the first of them says it ended, and its position, and their
    /// number.
    #[serde(with = "sorted_map")]
    early: DigestMap<(Outcome, Seq, u64)>,
    /// Calls closed by an interruption or a prompt, answered late or not, and its position.
    #[serde(with = "sorted_map")]
    stopped: DigestMap<Seq>,
    /// Threads whose agents are over: their calls in flight are abandoned.
    over: BTreeSet<u32>,
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
    pub(super) fn issue(&mut self, id: Option<Digest64>, call: OpenCall) -> CallMatch {
        let Some(id) = id else {
            self.note(call.thread, &call.tool, |tally| tally.calls += 1);
            return CallMatch::Unanswerable;
        };
        if self.open.contains_key(&id) || self.answered.contains(&id) {
            self.duplicates += 1;
            return CallMatch::Duplicate;
        }
        self.note(call.thread, &call.tool, |tally| tally.calls += 1);
        if let Some((outcome, at, results)) = self.early.remove(&id) {
            self.results += 1;
            self.duplicate_results += results - 1;
            self.answered.insert(id);
            self.note(call.thread, &call.tool, |tally| *tally.outcome(outcome) += 1);
            return CallMatch::Answered(outcome, at);
        }
        if self.over.contains(&call.thread) {
            self.note(call.thread, &call.tool, |tally| tally.abandoned += 1);
        }
        self.in_flight.entry(call.thread).or_default().insert((call.issued_at, id));
        self.open.insert(id, Box::new(call));
        CallMatch::InFlight
    }

    /// Takes in a result.
    pub(super) fn answer(&mut self, id: Digest64, outcome: Outcome, at: Seq) -> ResultMatch {
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
                if self.over.contains(&call.thread) {
                    self.note(call.thread, &call.tool, |tally| tally.abandoned -= 1);
                }
            }
            self.note(call.thread, &call.tool, |tally| *tally.outcome(outcome) += 1);
            return ResultMatch::Call(call);
        }
        if self.answered.contains(&id) {
            self.duplicate_results += 1;
            return ResultMatch::Duplicate;
        }
        let results = &mut self.early.entry(id).or_insert((outcome, at, 0)).2;
        *results += 1;
        ResultMatch::Orphan { first: *results == 1 }
    }

    /// Closes all calls in flight of a thread without an answer; returns their ids. `at` is the interruption or
    /// the prompt that did it, which may come before the calls: subagents' files are read after their parent's.
    pub(super) fn interrupt(&mut self, thread: u32, at: Seq) -> Vec<Digest64> {
        let over = self.over.contains(&thread);
        let closed = self.in_flight.remove(&thread).unwrap_or_default();
        let ids: Vec<Digest64> = closed.into_iter().map(|(_, id)| id).collect();
        for id in &ids {
            if let Some(call) = self.open.get_mut(id) {
                call.interrupted = true;
                call.stopped_unread = call.issued_at > at;
                self.stopped.insert(*id, at);
                let tool = call.tool.clone();
                self.note(thread, &tool, |tally| {
                    tally.interrupted += 1;
                    tally.abandoned -= u64::from(over);
                });
            }
        }
        ids
    }

    /// The interruption or prompt that closed the call before it was answered.
    pub(super) fn stopped_at(&self, call: Digest64) -> Option<Seq> {
        self.stopped.get(&call).copied()
    }

    /// Whether the call was issued and answered.
    pub(super) fn is_answered(&self, call: Digest64) -> bool {
        self.answered.contains(&call)
    }

    /// Whether a thread's agent is over.
    pub(super) fn is_over(&self, thread: u32) -> bool {
        self.over.contains(&thread)
    }

    /// Notes whether a thread's agent is over; its calls in flight are abandoned then. Returns them
    /// if that is news, and none if it is not.
    pub(super) fn set_over(&mut self, thread: u32, over: bool) -> Option<Vec<Digest64>> {
        let changed = if over { self.over.insert(thread) } else { self.over.remove(&thread) };
        if !changed {
            return None;
        }
        let calls: Vec<Digest64> =
            self.in_flight.get(&thread).into_iter().flatten().map(|(_, id)| *id).collect();
        for id in &calls {
            let Some(tool) = self.open.get(id).map(|call| call.tool.clone()) else { continue };
            self.note(thread, &tool, |tally| {
                if over { tally.abandoned += 1 } else { tally.abandoned -= 1 }
            });
        }
        Some(calls)
    }

    /// Results whose call never came.
    pub(super) fn orphan_results(&self) -> u64 {
        self.early.values().map(|(.., results)| results).sum()
    }

    /// The call of this id, if it has no result.
    pub(super) fn open(&self, id: Digest64) -> Option<&OpenCall> {
        self.open.get(&id).map(Box::as_ref)
    }

    /// Calls in flight in all threads, in the order of their issue.
    pub(super) fn in_flight(&self) -> Vec<&OpenCall> {
        self.sorted(|call| !call.interrupted && !self.is_over(call.thread))
    }

    /// Calls without a result that nothing can answer any more, in the order of their issue.
    pub(super) fn abandoned(&self) -> Vec<&OpenCall> {
        self.sorted(|call| !call.interrupted && self.is_over(call.thread))
    }

    /// Calls of a thread without a result: in flight or interrupted.
    pub(super) fn dangling(&self, thread: u32) -> Vec<&OpenCall> {
        self.sorted(|call| call.thread == thread)
    }

    /// How many calls are in flight.
    pub(super) fn in_flight_count(&self) -> u64 {
        let threads = self.in_flight.iter().filter(|(thread, _)| !self.is_over(**thread));
        threads.map(|(_, calls)| calls.len() as u64).sum()
    }

    /// Calls of a thread that no result and no person has closed.
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
        let main = (thread == MAIN).then_some(&mut self.main_tools);
        for tools in std::iter::once(&mut self.tools).chain(main) {
            match tools.get_mut(tool) {
                Some(tally) => change(tally),
                None => change(tools.entry(tool.to_owned()).or_default()),
            }
        }
    }
}
