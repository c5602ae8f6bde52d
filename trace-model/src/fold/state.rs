//! The run state: what is known about a run after each record, in bounded memory.

mod agents;
mod read;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::calls::{CallMatch, Calls, OpenCall, ResultMatch};
use super::config::FoldConfig;
use super::conversation::{Conversation, LONG_TEXT_CHARS, Moment, Prompt};
use super::episodes::Episodes;
use super::facts::{ExtractedFact, FactSource, Facts, LinesOnly, Reading, SourceRef};
use super::files::FileUse;
use super::handover::{Handover, IssuedWork, WorkResult};
use super::identity::Identity;
use super::input::CallInput;
use super::lineage::Lineage;
use super::names::Names;
use super::recent::Recent;
use super::tasks::{EventTime, Tasks};
use super::thread::{Launcher, MAIN};
use super::turns::{Rewind, TurnStart, Turns};
use super::usage::{CallRecord, LedgerCall, OutputSize, SpendingChange, UsageLedger};
use crate::detect::{Detectors, Observation, OutcomeKind, WaitsFor};
use crate::event::{
    Body, Event, EventKind, Outcome, PlanChange, Progress, Record, Source, TaskState, ToolRole,
    Turn,
};
use crate::ids::{ByteOffset, Digest64, Excerpt, Head, Millis, Seq};

/// How many recent failures are kept; all are counted.
const KEPT_FAILURES: usize = 20;
/// Characters kept of a failure's text.
const FAILURE_CHARS: usize = 300;
/// Characters kept of a call's input.
const INPUT_CHARS: usize = 160;
/// A call, or a background task, that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The event of its result; of a task, the event that said so.
    pub at: Seq,
    /// When that was.
    pub time: Option<Millis>,
    /// The tool.
    pub tool: String,
    /// The start of the call's input.
    pub input: Head,
    /// The start of what the tool, or the notification, said.
    pub text: Head,
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

/// A call as its event states it.
#[derive(Clone, Copy)]
struct Issued<'a> {
    id: Option<&'a str>,
    tool: &'a str,
    role: ToolRole,
    raw: Option<&'a RawValue>,
    /// The files that it names otherwise than by a field of its input.
    paths: &'a [Cow<'a, str>],
    plan: Option<&'a PlanChange>,
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
    /// Its block in the record.
    block: u32,
}

/// The state of a run. Fold records into it with [`RunState::apply`]; read it with the methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    #[serde(with = "super::config::as_text")]
    config: FoldConfig,
    observed: Watermark,
    materialized: Seq,
    identity: Identity,
    threads: Names,
    /// The call that launched each thread's agent.
    launched_by: BTreeMap<u32, Launcher>,
    /// The threads that each of those calls launched.
    launched: BTreeMap<Digest64, BTreeSet<u32>>,
    /// The calls whose results name the agent that they launched, by a digest of its id.
    named_launches: BTreeMap<Digest64, Digest64>,
    tasks: Tasks,
    turns: Turns,
    lineage: Lineage,
    kinds: BTreeMap<EventKind, u64>,
    usage: UsageLedger,
    calls: Calls,
    conversation: Conversation,
    episodes: Episodes,
    facts: Facts,
    files: BTreeMap<String, FileUse>,
    failures: VecDeque<Failure>,
    last_error: Option<Excerpt>,
    handover: Handover,
    recent: Recent,
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
            launched: BTreeMap::new(),
            named_launches: BTreeMap::new(),
            tasks: Tasks::default(),
            turns: Turns::default(),
            lineage: Lineage::default(),
            kinds: BTreeMap::new(),
            usage: UsageLedger::default(),
            calls: Calls::default(),
            conversation: Conversation::default(),
            episodes: Episodes::default(),
            files: BTreeMap::new(),
            failures: VecDeque::new(),
            last_error: None,
            handover: Handover::default(),
            recent: Recent::default(),
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
        let thread = self.thread(record, first);
        self.observed.offset = record.at.offset;
        self.observed.time = self.observed.time.max(record.time);
        self.identity.observe(record, thread == MAIN);
        if let Some(time) = record.time {
            self.detectors.observe(&Observation::Time { seq: first.0, millis: time.0 });
        }
        let call = self.spend(record, thread, first);
        self.tell_detectors(record, thread, first);
        let mut written = OutputSize::default();
        let mut all_duplicate = true;
        for event in &record.events {
            let seq = Seq(self.observed.events);
            self.observed.events += 1;
            if self.lineage.is_duplicate(record, event) {
                continue;
            }
            if all_duplicate {
                all_duplicate = false;
                self.open_record(record, thread, (first, seq));
            }
            *self.kinds.entry(event.body.kind()).or_default() += 1;
            if call.is_some() {
                written += OutputSize::of(event);
            }
            self.take_event(record, event, facts, thread, seq);
        }
        if thread == MAIN {
            let is_prompt = matches!(record.turn, Turn::Prompt(_)) && !all_duplicate;
            self.turns.stand(record, is_prompt);
        }
        if let Some(wrapper) = record.wrapper.as_ref().filter(|wrapper| wrapper.main) {
            self.turns.stand_uuid(wrapper.uuid.as_deref());
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

    /// Tells the detectors what the record says of approval and of calls in flight.
    fn tell_detectors(&mut self, record: &Record<'_>, thread: u32, seq: Seq) {
        if let (MAIN, Some(asked)) = (thread, record.note.asks_approval) {
            self.detectors.observe(&Observation::Approval { seq: seq.0, asked });
        }
        let observation = match &record.progress {
            None => return,
            Some(Progress::Started(call)) => {
                Observation::Running { seq: seq.0, call: Digest64::of(call).0 }
            }
            Some(Progress::Returned(call)) => {
                Observation::Returned { seq: seq.0, call: Digest64::of(call).0 }
            }
        };
        self.detectors.observe(&observation);
    }

    fn spend(&mut self, record: &Record<'_>, thread: u32, seq: Seq) -> Option<LedgerCall> {
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

    fn spent(&mut self, (dollars, tokens): SpendingChange, seq: Seq) {
        if dollars.is_zero() && tokens == 0 {
            return;
        }
        self.episodes.spend(dollars);
        let tokens = u64::try_from(tokens).unwrap_or(0);
        self.detectors.observe(&Observation::Spend { seq: seq.0, dollars, tokens });
    }

    /// Applies a record as a whole, if it is not a duplicate: `first` is its first event, `seq` the first that
    /// is not a duplicate.
    fn open_record(&mut self, record: &Record<'_>, thread: u32, (first, seq): (Seq, Seq)) {
        if thread == MAIN {
            self.identity.hold(record, first);
            if let Some(folder) = &record.note.cwd {
                self.recent.work_in(folder);
            }
            if let Some(meaning) = record.tells
                && let Some(start) = self.turns.tell(meaning)
            {
                self.interrupt(MAIN, seq, record.time);
                self.begin_turn(&start, seq);
                self.instruct(&start.prompt.text.text, start.prompt.at);
            }
        }
        let said = EventTime { at: seq, time: record.time };
        for report in &record.background.reports {
            self.report_task(&report.id, report.state, &report.summary, said);
        }
        self.name_launch(record, seq);
        match &record.turn {
            Turn::None => {}
            Turn::Interruption => self.interrupt(thread, seq, record.time),
            Turn::Prompt(whole) => {
                let text = Excerpt::new(whole, LONG_TEXT_CHARS);
                let prompt = Prompt { at: seq, time: record.time, text };
                let parent = record.parent.as_deref().map(Digest64::of);
                if !record.has_results() {
                    self.interrupt(MAIN, seq, record.time);
                }
                self.begin_turn(&TurnStart { prompt, parent }, seq);
                self.instruct(whole, seq);
            }
        }
        if let Some(command) = record.command.as_deref().filter(|_| thread == MAIN) {
            self.turns.hold_command(record, command, seq);
        }
    }

    /// A prompt begins a turn, at this event.
    fn begin_turn(&mut self, start: &TurnStart, seq: Seq) {
        self.detectors.observe(&Observation::UserTurn { seq: seq.0, thread: MAIN });
        let (parent, shift) = self.turns.begin(start);
        self.shift(&shift);
        let is_news = self.turns.current() == 1 || !shift.is_none();
        let goal = self.turns.goal().filter(|_| is_news);
        self.conversation.prompt(start.prompt.clone(), goal);
        self.episodes.begin(&start.prompt, parent, &shift);
        self.handover.begin(self.turns.current(), start.prompt.time);
        self.materialized = seq;
    }

    /// The turn that has just begun began with this text: the start of it, if it is a command.
    fn instruct(&mut self, text: &str, at: Seq) {
        let Self { turns, handover, .. } = self;
        handover.instruct(text, (turns.current(), at), |turn| turns.is_in_force(turn));
    }

    /// Turns were taken back, or are in force again, and so is what they read.
    fn shift(&mut self, shift: &Rewind) {
        if shift.is_none() {
            return;
        }
        let Self { turns, facts, files, conversation, .. } = self;
        let out = turns.list().iter().filter(|turn| !turn.is_in_force());
        facts.take_back(out.filter_map(|turn| u32::try_from(turn.number).ok()).collect());
        for file in files.values_mut() {
            let reads = file.main_reads.iter().filter(|(turn, _)| turns.is_in_force(**turn));
            file.main.reads = reads.map(|(_, reads)| reads).sum();
        }
        conversation.forget_moments(|turn| turns.is_in_force(turn));
    }

    /// Closes the calls in flight in a thread, and in the threads of agents that this stops.
    fn interrupt(&mut self, thread: u32, seq: Seq, time: Option<Millis>) {
        if thread == MAIN {
            let open: Vec<String> =
                self.calls.in_flight_of(MAIN).map(|call| call.tool.clone()).collect();
            if !open.is_empty() && self.episodes.interrupt(&open, seq, time) {
                self.materialized = seq;
            }
        }
        self.stop_threads(thread, seq, seq);
    }

    /// A statement about a background task's state.
    fn report_task(&mut self, id: &str, state: TaskState, summary: &str, said: EventTime) {
        if self.tasks.get(id).is_none() {
            return;
        }
        if let Some(task) = self.tasks.report(id, state, summary, said) {
            let failure = Failure {
                at: said.at,
                time: said.time,
                tool: task.tool.clone().unwrap_or_else(|| "background task".to_owned()),
                input: task.input.clone(),
                text: Head::new(summary, FAILURE_CHARS),
            };
            let of_main = task.thread == Some(MAIN);
            if of_main && !summary.trim().is_empty() {
                self.handover.fail(&failure, summary);
            }
            self.fail(failure, of_main.then_some(summary));
        }
        self.settle_task(id, said.at);
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
            Body::ToolCall { id, name, role, input, paths, plan } => {
                let call = Issued {
                    id: id.as_deref(),
                    tool: name,
                    role: *role,
                    raw: input.as_deref(),
                    paths,
                    plan: plan.as_deref(),
                };
                self.take_call(record, &call, thread, seq);
            }
            Body::ToolResult { call_id, outcome, text } => {
                let answer = ResultOf {
                    call_id: call_id.as_deref(),
                    outcome: *outcome,
                    text,
                    hash: event.sha256.head(),
                    facts: facts.facts_of(&event.sha256),
                    block: event.block,
                };
                self.take_result(record, &answer, seq);
            }
            Body::Message(text) if thread == MAIN => {
                if matches!(event.source, Source::Agent | Source::User) {
                    self.recent.say(text, seq);
                }
                if event.source == Source::Agent && !text.is_empty() {
                    self.episodes.conclude(text, seq, record.time);
                    self.handover.say(event, text, seq);
                }
                let moment = Moment::message(event, text, seq, record.time);
                self.conversation.moment(moment, self.turns.current());
            }
            Body::Error(text) if thread == MAIN => {
                let moment = Moment::message(event, text, seq, record.time);
                self.conversation.moment(moment, self.turns.current());
            }
            _ => {}
        }
    }

    fn take_call(&mut self, record: &Record<'_>, issued: &Issued<'_>, thread: u32, seq: Seq) {
        let Issued { id, tool, role, raw, paths, plan } = *issued;
        let input = CallInput::new(raw, paths);
        let states_facts = thread == MAIN && role.states_facts();
        let source = states_facts.then(|| match &input.path {
            Some(path) => SourceRef::new(path),
            None => SourceRef::of_call(tool, input.canonical()),
        });
        let call = OpenCall {
            id: id.unwrap_or_default().to_owned(),
            tool: tool.to_owned(),
            role,
            issued_at: seq,
            time: record.time,
            input: Head::new(raw.map_or("", RawValue::get), INPUT_CHARS),
            path: input.path.clone(),
            more_paths: paths.iter().skip(1).map(ToString::to_string).collect(),
            interrupted: false,
            stopped_unread: false,
            thread,
            source,
            extent: input.extent,
            stops: input.task.clone().filter(|_| role == ToolRole::Stopper),
            episode: (thread == MAIN).then(|| self.episodes.current()).flatten(),
        };
        if thread == MAIN {
            self.episodes.call(tool);
            let moment = Moment::call(tool, call.input.clone(), seq, record.time);
            self.conversation.moment(moment, self.turns.current());
        }
        let digest = id.map(Digest64::of);
        let (stops, head) = (call.stops.clone(), call.input.clone());
        let turn = call.turn();
        let issue = self.calls.issue(digest, call);
        if thread == MAIN && !matches!(issue, CallMatch::Duplicate) {
            let answered = match issue {
                CallMatch::Answered(outcome, at) => Some((outcome, at)),
                _ => None,
            };
            let work = IssuedWork {
                id,
                tool,
                role,
                input: &input,
                paths,
                plan,
                at: seq,
                time: record.time,
                turn: self.turns.current(),
            };
            self.handover.call(&work, answered);
            self.recent.call(digest, &input, role == ToolRole::Writer, seq);
        }
        match issue {
            CallMatch::Duplicate => return,
            CallMatch::Answered(outcome, at) => {
                for path in input.files(paths) {
                    self.use_file((thread, turn), role, outcome, path, seq);
                }
                if let Some(digest) = digest {
                    self.tasks.claim(digest, tool, &head);
                }
                if let Some(task) = stops.filter(|_| outcome == Outcome::Succeeded) {
                    self.report_task(&task, TaskState::Stopped, "", EventTime { at, time: None });
                }
            }
            CallMatch::InFlight | CallMatch::Unanswerable => {
                let call = digest.map_or(0, |id| id.0);
                self.detectors.observe(&Observation::Call {
                    seq: seq.0,
                    thread,
                    call,
                    tool,
                    input_hash: input.digest.0,
                    // An agent that is over has written all that it will.
                    waits_for: if self.calls.is_over(thread) {
                        WaitsFor::Thread
                    } else {
                        role.into()
                    },
                    writes: role == ToolRole::Writer,
                });
                if digest.is_none() {
                    self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call });
                }
                self.stop_if_launcher_was_stopped(thread, seq);
            }
        }
        if let Some(digest) = digest {
            self.settle(self.launched_by_call(digest), seq);
        }
    }

    fn take_result(&mut self, record: &Record<'_>, result: &ResultOf<'_>, seq: Seq) {
        let ResultOf { call_id, outcome, text, hash: result_hash, facts, block } = *result;
        let Some(id) = call_id.map(Digest64::of) else {
            self.calls.unaddressed_results += 1;
            return;
        };
        let answer = self.calls.answer(id, outcome, seq);
        let call = match &answer {
            ResultMatch::Call(call) => Some(call),
            ResultMatch::Orphan { first: true } => None,
            ResultMatch::Orphan { first: false } | ResultMatch::Duplicate => return,
        };
        if let Some(call) = call {
            self.detectors.observe(&Observation::Outcome {
                seq: seq.0,
                thread: call.thread,
                call: id.0,
                result: outcome_kind(outcome),
                result_hash,
            });
        }
        self.take_task(record, (call_id.unwrap_or_default(), block), call.map(Box::as_ref), seq);
        self.settle(self.launched_by_call(id), seq);
        let ResultMatch::Call(call) = answer else { return };
        if call.thread == MAIN {
            let remarks = &record.remarks;
            let result = WorkResult { outcome, at: seq, time: record.time, block, remarks };
            self.handover.result(id, &result);
            self.recent.result(id, outcome, text, seq);
        }
        for path in call.paths() {
            self.use_file((call.thread, call.turn()), call.role, outcome, path, seq);
        }
        match outcome {
            Outcome::Succeeded => {
                if let Some(source) = &call.source {
                    let (extent, turn) = (call.extent, call.turn());
                    self.facts.read(&Reading { source, extent, text, extracted: facts, turn, seq });
                }
                if let Some(task) = &call.stops {
                    let said = EventTime { at: seq, time: record.time };
                    self.report_task(task, TaskState::Stopped, "", said);
                }
            }
            Outcome::Failed => {
                let failure = Failure {
                    at: seq,
                    time: record.time,
                    tool: call.tool.clone(),
                    input: call.input.clone(),
                    text: Head::new(text, FAILURE_CHARS),
                };
                if call.thread == MAIN {
                    self.handover.fail(&failure, text);
                }
                self.fail(failure, (call.thread == MAIN).then_some(text));
            }
            Outcome::Denied | Outcome::Interrupted | Outcome::Cancelled => {}
        }
        if call.thread == MAIN {
            let late = self.episodes.answer(&call, outcome, seq, record.time);
            if late {
                self.materialized = seq;
            }
            let moment = Moment::result(&call.tool, outcome, text, seq, record.time);
            self.conversation.moment(moment, self.turns.current());
        }
    }

    /// What a call's first result says of background tasks: that one was launched, or how one that
    /// was asked after stands.
    fn take_task(
        &mut self,
        record: &Record<'_>,
        (call_id, block): (&str, u32),
        call: Option<&OpenCall>,
        seq: Seq,
    ) {
        let said = EventTime { at: seq, time: record.time };
        let background = &record.background;
        if let Some(launch) = background.launches.iter().find(|launch| launch.block == block) {
            self.tasks.launch(&launch.id, launch.kind, call_id, call, said);
            self.settle_task(&launch.id, seq);
        }
        if let Some(answer) = &background.answer {
            self.report_task(&answer.id, answer.state, &answer.summary, said);
        }
    }

    /// Keeps a failure; `last_error` is its whole text, if it is one of the main thread's.
    fn fail(&mut self, failure: Failure, last_error: Option<&str>) {
        if self.failures.len() == KEPT_FAILURES {
            self.failures.pop_front();
        }
        self.failures.push_back(failure);
        if let Some(text) = last_error {
            self.last_error = Some(Excerpt::new(text, LONG_TEXT_CHARS));
        }
    }

    /// A call of a thread, issued in a turn of the main thread, used a file.
    fn use_file(
        &mut self,
        (thread, turn): (u32, u64),
        role: ToolRole,
        outcome: Outcome,
        path: &str,
        seq: Seq,
    ) {
        let writes = role == ToolRole::Writer;
        if outcome != Outcome::Succeeded || !(writes || role == ToolRole::Reader) {
            return;
        }
        if writes {
            self.facts.forget(&SourceRef::new(path));
        }
        let file = self.files.entry(path.to_owned()).or_default();
        file.last_at = seq;
        if !writes && thread == MAIN {
            *file.main_reads.entry(turn).or_default() += 1;
            // A read by a turn that was since taken back is not in force.
            file.main.reads += u64::from(self.turns.is_in_force(turn));
            return;
        }
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
        Outcome::Cancelled => OutcomeKind::Cancelled,
    }
}
