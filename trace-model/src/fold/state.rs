//! The run state: what is known of a run after each record, kept in bounded memory.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::calls::{Answer, Calls, Issue, OpenCall, ToolTally};
use super::config::FoldConfig;
use super::conversation::{Conversation, Moment};
use super::episodes::{Episode, Episodes};
use super::facts::{
    Aggregate, ExtractedFact, FactInForce, FactSource, Facts, LinesOnly, ShownFact, SourceRef,
};
use super::identity::Identity;
use super::input::{CallInput, canonical};
use super::lineage::Lineage;
use super::names::Names;
use super::tools::{ToolRole, may_be_silent, may_state_facts, role};
use super::usage::{
    Calibration, CallPlace, CallRecord, Change, Estimates, Spending, Tokens, UsageLedger, Written,
};
use crate::derived::NodeStore;
use crate::detect::{Anomaly, AnomalyKind, Detectors, Observation, OutcomeKind};
use crate::event::{Body, Event, Kind, Outcome, Record, Source, Thread, Turn};
use crate::ids::{ByteOffset, Digest64, Excerpt, Head, Millis, Seq};

/// How many recent failures are kept; all are counted.
const KEPT_FAILURES: usize = 20;
/// Characters kept of a failure's text.
const FAILURE_CHARS: usize = 300;
/// Characters kept of a call's input.
const INPUT_CHARS: usize = 160;
/// Characters kept of the last error, and of the goal and the latest request.
pub(super) const LONG_TEXT_CHARS: usize = 4000;

/// The thread that has no agent.
pub(super) const MAIN: u32 = 0;
/// The thread of side chains that name no agent.
const SIDECHAIN: &str = "sidechain";

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The event of its result.
    pub at: Seq,
    /// When that was.
    pub time: Option<Millis>,
    /// The tool.
    pub tool: String,
    /// The start of the call's input.
    pub input: Head,
    /// The start of what the tool said.
    pub text: Head,
}

/// How often a file was read and written, successfully.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
}

/// A file that the run read or wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileUse {
    /// By the main thread.
    pub main: Uses,
    /// By subagents.
    pub subagents: Uses,
    /// The event of the last of either.
    pub last_at: Seq,
}

impl FileUse {
    /// Reads by anyone.
    pub fn reads(&self) -> u64 {
        self.main.reads + self.subagents.reads
    }

    /// Writes by anyone.
    pub fn writes(&self) -> u64 {
        self.main.writes + self.subagents.writes
    }
}

/// How far the run was observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watermark {
    /// Events folded.
    pub events: u64,
    /// The line's offset in its file of the last record.
    pub offset: ByteOffset,
    /// The latest time seen.
    pub time: Option<Millis>,
}

/// What a call was answered.
#[derive(Clone, Copy)]
struct ResultOf<'a> {
    call_id: Option<&'a str>,
    outcome: Outcome,
    text: &'a str,
    hash: u64,
    /// What it states besides its lines.
    facts: &'a [ExtractedFact],
}

/// The state of a run. Fold records into it with [`RunState::apply`]; read it with the methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    config: FoldConfig,
    observed: Watermark,
    materialized: Seq,
    identity: Identity,
    threads: Names,
    /// The call that launched each thread's agent.
    launched_by: BTreeMap<u32, Digest64>,
    lineage: Lineage,
    kinds: BTreeMap<Kind, u64>,
    usage: UsageLedger,
    calls: Calls,
    conversation: Conversation,
    episodes: Episodes,
    facts: Facts,
    files: BTreeMap<String, FileUse>,
    failures: VecDeque<Failure>,
    last_error: Option<Excerpt>,
    retries: u64,
    detectors: Detectors,
}

impl RunState {
    /// The state before the first record.
    pub fn new(config: FoldConfig) -> Self {
        let mut threads = Names::default();
        threads.intern("");
        Self {
            detectors: Detectors::new(config.detectors.clone()),
            facts: Facts::new(config.facts.clone()),
            config,
            observed: Watermark::default(),
            materialized: Seq(0),
            identity: Identity::default(),
            threads,
            launched_by: BTreeMap::new(),
            lineage: Lineage::default(),
            kinds: BTreeMap::new(),
            usage: UsageLedger::default(),
            calls: Calls::default(),
            conversation: Conversation::default(),
            episodes: Episodes::default(),
            files: BTreeMap::new(),
            failures: VecDeque::new(),
            last_error: None,
            retries: 0,
        }
    }

    /// Folds a record in.
    pub fn apply(&mut self, record: &Record<'_>) {
        self.apply_with(record, &LinesOnly);
    }

    /// Folds a record in, with the facts that are known of its results besides their `key = value`
    /// lines. They count as those do.
    pub fn apply_with(&mut self, record: &Record<'_>, facts: &dyn FactSource) {
        let first = Seq(self.observed.events);
        let thread = self.thread(record);
        self.observed.offset = record.at.offset;
        self.observed.time = self.observed.time.max(record.time);
        self.identity.observe(record, thread == MAIN);
        if let Some(time) = record.time {
            self.detectors.observe(&Observation::Time { seq: first.0, millis: time.0 });
        }
        let call = self.spend(record, thread, first);
        let mut written = Written::default();
        let mut all_duplicate = true;
        for event in &record.events {
            let seq = Seq(self.observed.events);
            self.observed.events += 1;
            if self.lineage.is_duplicate(record, event) {
                continue;
            }
            if all_duplicate {
                all_duplicate = false;
                self.take_turn(record, thread, seq);
            }
            *self.kinds.entry(event.body.kind()).or_default() += 1;
            if call.is_some() {
                written += Written::of(event);
            }
            self.take_event(record, event, facts, thread, seq);
        }
        if let Some(call) = call {
            self.usage.write(call, written, &self.config.prices);
        }
        self.lineage.link(record, all_duplicate);
        self.retries += u64::from(record.retry && !all_duplicate);
    }

    /// Tells the state what time it is: a call that has been silent for too long is flagged though
    /// nothing more is written.
    pub fn advance(&mut self, now: Millis) {
        self.detectors.advance(now.0);
    }

    fn thread(&mut self, record: &Record<'_>) -> u32 {
        let name = match &record.thread {
            Thread::Main => return MAIN,
            Thread::Agent(id) => id.as_ref(),
            Thread::Sidechain => SIDECHAIN,
        };
        let thread = self.threads.intern(name);
        if let Some(call) = &record.launched_by {
            self.launched_by.entry(thread).or_insert_with(|| Digest64::of(call));
        }
        thread
    }

    fn spend(&mut self, record: &Record<'_>, thread: u32, seq: Seq) -> Option<CallPlace> {
        if let Some(sums) = &record.sums {
            let change = self.usage.state(sums, record.time, &self.config.prices);
            self.spent(change, seq);
        }
        let report = record.api.as_ref()?;
        let of = CallRecord {
            uuid: record.uuid.as_deref(),
            sidechain: record.sidechain || thread != MAIN,
            time: record.time,
            seq,
        };
        let (call, change) = self.usage.observe(report, &of, &self.config.prices);
        self.spent(change, seq);
        Some(call)
    }

    fn spent(&mut self, (dollars, tokens): Change, seq: Seq) {
        if dollars.is_zero() && tokens == 0 {
            return;
        }
        self.episodes.spend(dollars);
        let tokens = u64::try_from(tokens).unwrap_or(0);
        self.detectors.observe(&Observation::Spend { seq: seq.0, dollars, tokens });
    }

    fn take_turn(&mut self, record: &Record<'_>, thread: u32, seq: Seq) {
        match &record.turn {
            Turn::None => {}
            Turn::Interruption => self.interrupt(thread, seq, record.time),
            Turn::Prompt(text) => {
                self.interrupt(thread, seq, record.time);
                self.detectors.observe(&Observation::UserTurn { seq: seq.0, thread });
                self.conversation.prompt(text, seq, record.time);
                self.episodes.begin(text, seq, record.time);
                self.materialized = seq;
            }
        }
    }

    /// Closes what is in flight in a thread, and in the threads of agents that this stops.
    fn interrupt(&mut self, thread: u32, seq: Seq, time: Option<Millis>) {
        if thread == MAIN {
            let open: Vec<String> =
                self.calls.in_flight_of(MAIN).map(|call| call.tool.clone()).collect();
            if !open.is_empty() && self.episodes.interrupt(&open, seq, time) {
                self.materialized = seq;
            }
        }
        self.stop_threads(thread, seq, false);
    }

    fn stop_threads(&mut self, thread: u32, seq: Seq, unread: bool) {
        let mut threads = vec![thread];
        while let Some(thread) = threads.pop() {
            for call in self.calls.interrupt(thread, unread) {
                self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call: call.0 });
                let launched = self.launched_by.iter().filter(|(_, by)| **by == call);
                threads.extend(launched.map(|(thread, _)| *thread).filter(|t| *t != MAIN));
            }
        }
    }

    /// Closes a call of an agent that had been stopped before the call was read: subagents' files
    /// are read after their parent's.
    fn stop_if_launcher_was_stopped(&mut self, thread: u32, seq: Seq) {
        let launcher = self.launched_by.get(&thread);
        if launcher.is_some_and(|launcher| self.calls.was_interrupted(*launcher)) {
            self.stop_threads(thread, seq, true);
        }
    }

    fn take_event(
        &mut self,
        record: &Record<'_>,
        event: &Event<'_>,
        facts: &dyn FactSource,
        thread: u32,
        seq: Seq,
    ) {
        match &event.body {
            Body::ToolCall { id, name, input } => {
                self.take_call(record, id.as_deref(), name, *input, thread, seq);
            }
            Body::ToolResult { call_id, outcome, text } => {
                let answer = ResultOf {
                    call_id: call_id.as_deref(),
                    outcome: *outcome,
                    text,
                    hash: event.sha256.head(),
                    facts: facts.facts_of(&event.sha256),
                };
                self.take_result(record, &answer, seq);
            }
            Body::Message(text) if thread == MAIN => {
                if event.source == Source::Agent && !text.is_empty() {
                    self.episodes.conclude(text, seq, record.time);
                }
                self.conversation.moment(Moment::message(event, text, seq, record.time));
            }
            Body::Error(text) if thread == MAIN => {
                self.conversation.moment(Moment::message(event, text, seq, record.time));
            }
            _ => {}
        }
    }

    fn take_call(
        &mut self,
        record: &Record<'_>,
        id: Option<&str>,
        tool: &str,
        raw: Option<&RawValue>,
        thread: u32,
        seq: Seq,
    ) {
        let role = role(tool);
        let input = CallInput::new(raw);
        let states_facts = thread == MAIN && may_state_facts(tool);
        let source = states_facts.then(|| match &input.path {
            Some(path) => SourceRef::new(path),
            None => SourceRef::new(&format!("{tool}: {}", canonical(raw))),
        });
        let call = OpenCall {
            id: id.unwrap_or_default().to_owned(),
            tool: tool.to_owned(),
            issued_at: seq,
            time: record.time,
            input: Head::new(raw.map_or("", RawValue::get), INPUT_CHARS),
            path: input.path,
            interrupted: false,
            stopped_unread: false,
            thread,
            source,
            extent: input.extent,
            episode: (thread == MAIN).then(|| self.episodes.current()).flatten(),
        };
        if thread == MAIN {
            self.episodes.call(tool);
            self.conversation.moment(Moment::call(tool, call.input.clone(), seq, record.time));
        }
        let digest = id.map(Digest64::of);
        let path = call.path.clone();
        match self.calls.issue(digest, call) {
            Issue::Duplicate => {}
            Issue::Answered(outcome) => {
                if let Some(path) = path {
                    self.use_file(thread, role, outcome, &path, seq);
                }
            }
            Issue::InFlight | Issue::Unanswerable => {
                let call = digest.map_or(0, |id| id.0);
                self.detectors.observe(&Observation::Call {
                    seq: seq.0,
                    thread,
                    call,
                    tool,
                    input_hash: input.digest.0,
                    waits_for_person: may_be_silent(tool),
                    writes: role == ToolRole::Writer,
                });
                if digest.is_none() {
                    self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call });
                }
                self.stop_if_launcher_was_stopped(thread, seq);
            }
        }
    }

    fn take_result(&mut self, record: &Record<'_>, result: &ResultOf<'_>, seq: Seq) {
        let ResultOf { call_id, outcome, text, hash: result_hash, facts } = *result;
        let Some(id) = call_id.map(Digest64::of) else {
            self.calls.unaddressed_results += 1;
            return;
        };
        let Answer::Call(call) = self.calls.answer(id, outcome) else { return };
        self.detectors.observe(&Observation::Outcome {
            seq: seq.0,
            thread: call.thread,
            call: id.0,
            result: outcome_kind(outcome),
            result_hash,
        });
        self.end_threads_of(id, seq);
        let role = role(&call.tool);
        if let Some(path) = &call.path {
            self.use_file(call.thread, role, outcome, path, seq);
        }
        match outcome {
            Outcome::Succeeded => {
                if let Some(source) = &call.source {
                    self.facts.read(source, call.extent, text, facts, seq);
                }
            }
            Outcome::Failed => self.fail(record, &call, text, seq),
            Outcome::Denied | Outcome::Interrupted => {}
        }
        if call.thread == MAIN {
            let late = self.episodes.answer(&call, outcome, seq, record.time);
            if late {
                self.materialized = seq;
            }
            self.conversation.moment(Moment::result(&call.tool, outcome, text, seq, record.time));
        }
    }

    /// The agents that a call launched have reported back.
    fn end_threads_of(&mut self, launcher: Digest64, seq: Seq) {
        for (thread, by) in &self.launched_by {
            if *by == launcher {
                self.detectors.observe(&Observation::ThreadEnded { seq: seq.0, thread: *thread });
            }
        }
    }

    fn fail(&mut self, record: &Record<'_>, call: &OpenCall, text: &str, seq: Seq) {
        if self.failures.len() == KEPT_FAILURES {
            self.failures.pop_front();
        }
        self.failures.push_back(Failure {
            at: seq,
            time: record.time,
            tool: call.tool.clone(),
            input: call.input.clone(),
            text: Head::new(text, FAILURE_CHARS),
        });
        if call.thread == MAIN {
            self.last_error = Some(Excerpt::new(text, LONG_TEXT_CHARS));
        }
    }

    fn use_file(&mut self, thread: u32, role: ToolRole, outcome: Outcome, path: &str, seq: Seq) {
        let writes = role == ToolRole::Writer;
        if outcome != Outcome::Succeeded || !(writes || role == ToolRole::Reader) {
            return;
        }
        if writes {
            self.facts.forget(&SourceRef::new(path));
        }
        let file = self.files.entry(path.to_owned()).or_default();
        file.last_at = seq;
        let uses = if thread == MAIN { &mut file.main } else { &mut file.subagents };
        *(if writes { &mut uses.writes } else { &mut uses.reads }) += 1;
    }
}

fn outcome_kind(outcome: Outcome) -> OutcomeKind {
    match outcome {
        Outcome::Succeeded => OutcomeKind::Succeeded,
        Outcome::Failed => OutcomeKind::Failed,
        Outcome::Denied => OutcomeKind::Denied,
        Outcome::Interrupted => OutcomeKind::Interrupted,
    }
}

/// What can be read off the state.
impl RunState {
    /// How the fold was configured.
    pub fn config(&self) -> &FoldConfig {
        &self.config
    }
    /// How far the run was observed.
    pub fn observed(&self) -> Watermark {
        self.observed
    }
    /// The event at which derived nodes last changed.
    pub fn materialized(&self) -> Seq {
        self.materialized
    }
    /// Which session this is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
    /// What was said and done last.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }
    /// The ids of subagents, in the order in which they appeared.
    pub fn subagents(&self) -> impl Iterator<Item = &str> {
        self.threads.iter().skip(1).filter(|name| *name != SIDECHAIN)
    }
    /// The agent of a thread; none for the main thread.
    pub fn thread_name(&self, thread: u32) -> Option<&str> {
        let index = usize::try_from(thread).ok().filter(|index| *index > 0)?;
        self.threads.iter().nth(index)
    }
    /// Events by kind, duplicates not counted.
    pub fn kinds(&self) -> &BTreeMap<Kind, u64> {
        &self.kinds
    }
    /// Events of a kind, duplicates not counted.
    pub fn count(&self, kind: Kind) -> u64 {
        self.kinds.get(&kind).copied().unwrap_or(0)
    }
    /// Events that repeat one seen before.
    pub fn duplicates(&self) -> u64 {
        self.lineage.duplicates
    }
    /// Records whose parent is nowhere in the run.
    pub fn orphans(&self) -> u64 {
        self.lineage.orphans()
    }
    /// Requests to the model that were tried again.
    pub fn retries(&self) -> u64 {
        self.retries
    }
    /// What all API calls used and cost.
    pub fn spending(&self) -> &Spending {
        self.usage.total()
    }
    /// The same by model name as written.
    pub fn spending_by_model(&self) -> BTreeMap<&str, &Spending> {
        self.usage.by_model()
    }
    /// Tokens that have no price, by the reason.
    pub fn unpriced(&self) -> BTreeMap<&str, u64> {
        self.usage.unpriced()
    }
    /// The plain sum of usage over all records, which counts repeats again.
    pub fn naive_tokens(&self) -> &Tokens {
        self.usage.naive()
    }
    /// Naive over counted tokens, as numerator and denominator.
    pub fn inflation(&self) -> (u64, u64) {
        self.usage.inflation()
    }
    /// What clients recorded as the cost themselves, in dollars, and for how many calls.
    pub fn recorded_cost(&self) -> (rust_decimal::Decimal, u64) {
        self.usage.recorded()
    }
    /// What the totals hold that is in no call, because only a client's sums state it: tokens, and
    /// what the priced ones cost, in dollars.
    pub fn unattributed(&self) -> (Tokens, rust_decimal::Decimal) {
        self.usage.unattributed()
    }
    /// What the client stated last as the cost of all, in dollars.
    pub fn stated_cost(&self) -> Option<rust_decimal::Decimal> {
        self.usage.stated_cost()
    }
    /// How many calls list requests that do not fit their usage: what is recorded stands.
    pub fn unreconciled_iterations(&self) -> u64 {
        self.usage.unreconciled()
    }
    /// The events at which the lists of those calls were read first.
    pub fn unreconciled_at(&self) -> impl Iterator<Item = Seq> {
        self.usage.unreconciled_at()
    }
    /// Listed requests of a type that this version does not know, by type.
    pub fn unknown_iterations(&self) -> BTreeMap<&str, u64> {
        self.usage.unknown_entries()
    }
    /// What estimates of unfinished usage add to what is recorded.
    pub fn estimates(&self) -> &Estimates {
        self.usage.estimates()
    }
    /// All counted calls, for whoever calibrates those estimates.
    pub fn calibration(&self) -> impl Iterator<Item = Calibration<'_>> {
        self.usage.calibration()
    }
    /// Calls by tool.
    pub fn tools(&self) -> &BTreeMap<String, ToolTally> {
        self.calls.tools()
    }
    /// The same of the main thread alone.
    pub fn main_tools(&self) -> &BTreeMap<String, ToolTally> {
        self.calls.main_tools()
    }
    /// Calls of all tools.
    pub fn tool_totals(&self) -> ToolTally {
        let mut all = ToolTally::default();
        self.calls.tools().values().for_each(|tally| all.add(tally));
        all
    }
    /// Results that answered a call.
    pub fn results(&self) -> u64 {
        self.calls.results
    }
    /// Results whose call never came, including those that name none.
    pub fn orphan_results(&self) -> u64 {
        self.calls.orphan_results() + self.calls.unaddressed_results
    }
    /// Second and later results of a call.
    pub fn duplicate_results(&self) -> u64 {
        self.calls.duplicate_results
    }
    /// Second and later calls of an id.
    pub fn duplicate_calls(&self) -> u64 {
        self.calls.duplicates
    }
    /// Results that came after their call was interrupted.
    pub fn late_results(&self) -> u64 {
        self.calls.late_results
    }
    /// The call of this id, if it has no result yet.
    pub fn open_call(&self, id: &str) -> Option<&OpenCall> {
        self.calls.open(Digest64::of(id))
    }
    /// Calls in flight in all threads, oldest first.
    pub fn in_flight(&self) -> Vec<&OpenCall> {
        self.calls.in_flight()
    }
    /// How many calls are in flight.
    pub fn in_flight_count(&self) -> u64 {
        self.calls.in_flight_count()
    }
    /// Calls of the main thread without a result, oldest first.
    pub fn dangling(&self) -> Vec<&OpenCall> {
        self.calls.dangling(MAIN)
    }
    /// Files read or written, by path.
    pub fn files(&self) -> &BTreeMap<String, FileUse> {
        &self.files
    }
    /// The most recent failures, oldest first.
    pub fn failures(&self) -> impl DoubleEndedIterator<Item = &Failure> + ExactSizeIterator {
        self.failures.iter()
    }
    /// How many calls failed.
    pub fn failure_count(&self) -> u64 {
        self.tool_totals().failed
    }
    /// What the last failed call of the main thread said.
    pub fn last_error(&self) -> Option<&Excerpt> {
        self.last_error.as_ref()
    }
    /// The facts in force, in their order: for checking, not for views.
    pub fn facts_in_force(&self) -> Vec<FactInForce<'_>> {
        self.facts.in_force()
    }
    /// How many facts are in force.
    pub fn fact_count(&self) -> usize {
        self.facts.len()
    }
    /// The facts to show, least recently read first.
    pub fn shown_facts(&self) -> Vec<ShownFact<'_>> {
        self.facts.shown()
    }
    /// What facts add up to, by key.
    pub fn aggregates(&self) -> Vec<Aggregate<'_>> {
        self.facts.aggregates()
    }
    /// Episodes and their versions.
    pub fn episodes(&self) -> &NodeStore<Episode> {
        self.episodes.store()
    }
    /// The episode under way as it stands.
    pub fn episode_under_way(&self) -> Option<&Episode> {
        self.episodes.under_way()
    }
    /// The time after which silence is a stall, if nothing more is written.
    pub fn stalls_after(&self) -> Option<Millis> {
        self.detectors.stalls_after().map(Millis)
    }
    /// Anomalies in force.
    pub fn active_anomalies(&self) -> Vec<&Anomaly> {
        self.detectors.active()
    }
    /// Anomalies that are over, oldest first.
    pub fn cleared_anomalies(
        &self,
    ) -> impl DoubleEndedIterator<Item = &Anomaly> + ExactSizeIterator {
        self.detectors.cleared()
    }
    /// How often a kind of anomaly was raised.
    pub fn raised(&self, kind: AnomalyKind) -> u64 {
        self.detectors.raised(kind)
    }
    /// How many anomalies that are over are not kept.
    pub fn dropped_anomalies(&self) -> u64 {
        self.detectors.cleared_dropped()
    }
}
