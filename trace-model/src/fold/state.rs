//! The run state: what is known of a run after each record, kept in bounded memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::calls::{Answer, Calls, Issue, OpenCall, ToolTally};
use super::config::FoldConfig;
use super::conversation::{Conversation, Moment, Prompt};
use super::episodes::{Episode, Episodes};
use super::facts::{
    Aggregate, ExtractedFact, FactInForce, FactSource, Facts, LinesOnly, Reading, ShownFact,
    SourceRef,
};
use super::identity::Identity;
use super::input::{CallInput, canonical};
use super::lineage::Lineage;
use super::names::Names;
use super::tasks::{BackgroundTask, Said, TaskCounts, Tasks};
use super::turns::{Beginning, RunTurn, Shift, Turns};
use super::usage::{
    Calibration, CallPlace, CallRecord, Change, Estimates, Spending, Tokens, UsageLedger, Written,
};
use crate::derived::NodeStore;
use crate::detect::{
    Anomaly, AnomalyKind, Detectors, Observation, OutcomeKind, SilenceAlarm, WaitsFor,
};
use crate::event::{
    Body, Event, Kind, Outcome, Progress, Record, Source, TaskState, Thread, ToolRole, Turn,
};
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
    /// By the main thread; of its reads, those that a turn in force issued.
    pub main: Uses,
    /// By subagents.
    pub subagents: Uses,
    /// The event of the last of either.
    pub last_at: Seq,
    /// Reads by the main thread, by the turn that issued them.
    main_reads: BTreeMap<u64, u64>,
}

impl FileUse {
    /// Reads by anyone.
    pub fn reads(&self) -> u64 {
        self.main.reads + self.subagents.reads
    }

    /// Reads by anyone, in turns taken back too.
    pub fn reads_ever(&self) -> u64 {
        self.main_reads.values().sum::<u64>() + self.subagents.reads
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
    /// Its block in the record.
    block: u32,
}

/// The call that launched an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Launcher {
    call: Digest64,
    /// Whether the agent's own records, or the file beside them, say so, and not only a result.
    stated: bool,
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
    launched_by: BTreeMap<u32, Launcher>,
    /// The threads that each of those calls launched.
    launched: BTreeMap<Digest64, BTreeSet<u32>>,
    /// The calls whose results name the agent that they launched, by a digest of its id.
    named_launches: BTreeMap<Digest64, Digest64>,
    tasks: Tasks,
    turns: Turns,
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
                self.open_record(record, thread, (first, seq));
            }
            *self.kinds.entry(event.body.kind()).or_default() += 1;
            if call.is_some() {
                written += Written::of(event);
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

    fn thread(&mut self, record: &Record<'_>, seq: Seq) -> u32 {
        let name = match &record.thread {
            Thread::Main => return MAIN,
            Thread::Agent(id) => id.as_ref(),
            Thread::Sidechain => SIDECHAIN,
        };
        let known = self.threads.len();
        let thread = self.threads.intern(name);
        let is_new = self.threads.len() > known;
        if let Some(call) = &record.launched_by {
            self.link(thread, Launcher { call: Digest64::of(call), stated: true }, seq);
        }
        if is_new {
            if let Some(call) = self.named_launches.get(&Digest64::of(name)).copied() {
                self.link(thread, Launcher { call, stated: false }, seq);
            }
            self.settle(vec![thread], seq);
        }
        thread
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

    /// Notes which call launched a thread's agent. What was known first holds, but what a result
    /// says gives way to what the agent's own records say.
    fn link(&mut self, thread: u32, launcher: Launcher, seq: Seq) {
        match self.launched_by.get(&thread) {
            Some(known) if known.stated || !launcher.stated => return,
            Some(known) => {
                let call = known.call;
                if let Some(threads) = self.launched.get_mut(&call) {
                    threads.remove(&thread);
                }
            }
            None => {}
        }
        self.launched_by.insert(thread, launcher);
        self.launched.entry(launcher.call).or_default().insert(thread);
        self.stop_if_launcher_was_stopped(thread, seq);
        self.settle(vec![thread], seq);
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

    /// What the whole of a record means that is no duplicate: `first` is its first event, `seq` the
    /// first of them that is none.
    fn open_record(&mut self, record: &Record<'_>, thread: u32, (first, seq): (Seq, Seq)) {
        if thread == MAIN {
            self.identity.hold(record, first);
            if let Some(meaning) = record.tells
                && let Some(beginning) = self.turns.tell(meaning)
            {
                self.interrupt(MAIN, seq, record.time);
                self.begin_turn(&beginning, seq);
            }
        }
        let said = Said { at: seq, time: record.time };
        for report in &record.background.reports {
            self.report_task(&report.id, report.state, &report.summary, said);
        }
        self.name_launch(record, seq);
        match &record.turn {
            Turn::None => {}
            Turn::Interruption => self.interrupt(thread, seq, record.time),
            Turn::Prompt(text) => {
                let text = Excerpt::new(text, LONG_TEXT_CHARS);
                let prompt = Prompt { at: seq, time: record.time, text };
                let parent = record.parent.as_deref().map(Digest64::of);
                if !record.has_results() {
                    self.interrupt(MAIN, seq, record.time);
                }
                self.begin_turn(&Beginning { prompt, parent }, seq);
            }
        }
        if let Some(command) = record.command.as_deref().filter(|_| thread == MAIN) {
            self.turns.hold_command(record, command, seq);
        }
    }

    /// A prompt begins a turn, at this event.
    fn begin_turn(&mut self, beginning: &Beginning, seq: Seq) {
        self.detectors.observe(&Observation::UserTurn { seq: seq.0, thread: MAIN });
        let (parent, shift) = self.turns.begin(beginning);
        self.shift(&shift);
        let is_news = self.turns.current() == 1 || !shift.is_none();
        let goal = self.turns.goal().filter(|_| is_news);
        self.conversation.prompt(beginning.prompt.clone(), goal);
        self.episodes.begin(&beginning.prompt, parent, &shift);
        self.materialized = seq;
    }

    /// Turns were taken back, or are in force again: so is what they read.
    fn shift(&mut self, shift: &Shift) {
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

    /// Closes what is in flight in a thread, and in the threads of agents that this stops.
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

    /// Closes what is in flight in a thread because of an interruption or a prompt at `closed_at`;
    /// `seq` is where the ledger is now.
    fn stop_threads(&mut self, thread: u32, closed_at: Seq, seq: Seq) {
        let mut threads = vec![thread];
        let mut launched = Vec::new();
        while let Some(thread) = threads.pop() {
            for call in self.calls.interrupt(thread, closed_at) {
                self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call: call.0 });
                let below = self.launched_by_call(call);
                threads.extend(&below);
                launched.extend(below);
            }
        }
        self.settle(launched, seq);
    }

    /// The threads of the agents that a call launched.
    fn launched_by_call(&self, call: Digest64) -> Vec<u32> {
        let threads = self.launched.get(&call).into_iter().flatten();
        threads.copied().filter(|thread| *thread != MAIN).collect()
    }

    /// Closes a call of an agent that had been stopped before the call was read: subagents' files
    /// are read after their parent's.
    fn stop_if_launcher_was_stopped(&mut self, thread: u32, seq: Seq) {
        let launcher = self.launched_by.get(&thread);
        let stopped_at = launcher.and_then(|launcher| self.calls.stopped_at(launcher.call));
        if let Some(stopped_at) = stopped_at {
            self.stop_threads(thread, stopped_at, seq);
        }
    }

    /// Sees anew whether the agents of these threads are over, and if so those that they launched.
    /// What an agent that is over has in flight is abandoned, and nothing is wrong with its silence.
    fn settle(&mut self, mut threads: Vec<u32>, seq: Seq) {
        while let Some(thread) = threads.pop() {
            let over = self.is_over(thread);
            let Some(calls) = self.calls.set_over(thread, over) else { continue };
            for call in calls {
                threads.extend(self.launched_by_call(call));
                if over {
                    let call = call.0;
                    self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call });
                }
            }
            if over {
                self.detectors.observe(&Observation::ThreadEnded { seq: seq.0, thread });
            }
        }
    }

    /// As [`RunState::settle`], of the threads that a background task may be: by its id, and by the
    /// calls that launched it.
    fn settle_task(&mut self, id: &str, seq: Seq) {
        let calls = self.tasks.calls_of(id).into_iter();
        let mut threads: Vec<u32> = calls.flat_map(|call| self.launched_by_call(call)).collect();
        threads.extend(self.threads.place(id).filter(|thread| *thread != MAIN));
        self.settle(threads, seq);
    }

    /// Whether nothing can answer a thread's calls any more.
    fn is_over(&self, thread: u32) -> bool {
        let mut thread = thread;
        // Launching calls form chains; a longer one than there are threads goes round in a circle.
        for _ in 0..self.threads.len() {
            if thread == MAIN {
                return false;
            }
            let launcher = self.launched_by.get(&thread).map(|launcher| launcher.call);
            let by_call = || launcher.and_then(|call| self.tasks.of_call(call));
            if let Some(task) = self.tasks.get(self.threads.get(thread)).or_else(by_call) {
                return !task.is_running();
            }
            let Some(launcher) = launcher else { return false };
            if self.calls.is_answered(launcher) {
                return true;
            }
            match self.calls.open(launcher) {
                None => return false,
                Some(call) if call.interrupted => return true,
                Some(call) => thread = call.thread,
            }
        }
        false
    }

    /// The record's result names the agent that its call launched.
    fn name_launch(&mut self, record: &Record<'_>, seq: Seq) {
        let Some(agent) = &record.background.launched_agent else { return };
        let call = record.events.iter().find_map(|event| match &event.body {
            Body::ToolResult { call_id: Some(id), .. } => Some(Digest64::of(id)),
            _ => None,
        });
        let Some(call) = call else { return };
        let name = Digest64::of(agent);
        if self.named_launches.contains_key(&name) {
            return;
        }
        self.named_launches.insert(name, call);
        if let Some(thread) = self.threads.place(agent).filter(|thread| *thread != MAIN) {
            self.link(thread, Launcher { call, stated: false }, seq);
        }
    }

    /// Something says how a background task stands.
    fn report_task(&mut self, id: &str, state: TaskState, summary: &str, said: Said) {
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
            Body::ToolCall { id, name, role, input } => {
                self.take_call(record, id.as_deref(), (name, *role), *input, thread, seq);
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
                if event.source == Source::Agent && !text.is_empty() {
                    self.episodes.conclude(text, seq, record.time);
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

    fn take_call(
        &mut self,
        record: &Record<'_>,
        id: Option<&str>,
        (tool, role): (&str, ToolRole),
        raw: Option<&RawValue>,
        thread: u32,
        seq: Seq,
    ) {
        let input = CallInput::new(raw);
        let states_facts = thread == MAIN && role.states_facts();
        let source = states_facts.then(|| match &input.path {
            Some(path) => SourceRef::new(path),
            None => SourceRef::new(&format!("{tool}: {}", canonical(raw))),
        });
        let call = OpenCall {
            id: id.unwrap_or_default().to_owned(),
            tool: tool.to_owned(),
            role,
            issued_at: seq,
            time: record.time,
            input: Head::new(raw.map_or("", RawValue::get), INPUT_CHARS),
            path: input.path,
            interrupted: false,
            stopped_unread: false,
            thread,
            source,
            extent: input.extent,
            stops: input.task.filter(|_| role == ToolRole::Stopper),
            episode: (thread == MAIN).then(|| self.episodes.current()).flatten(),
        };
        if thread == MAIN {
            self.episodes.call(tool);
            let moment = Moment::call(tool, call.input.clone(), seq, record.time);
            self.conversation.moment(moment, self.turns.current());
        }
        let digest = id.map(Digest64::of);
        let (path, stops, head) = (call.path.clone(), call.stops.clone(), call.input.clone());
        let turn = call.turn();
        match self.calls.issue(digest, call) {
            Issue::Duplicate => return,
            Issue::Answered(outcome, at) => {
                if let Some(path) = path {
                    self.use_file((thread, turn), role, outcome, &path, seq);
                }
                if let Some(digest) = digest {
                    self.tasks.claim(digest, tool, &head);
                }
                if let Some(task) = stops.filter(|_| outcome == Outcome::Succeeded) {
                    self.report_task(&task, TaskState::Stopped, "", Said { at, time: None });
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
            Answer::Call(call) => Some(call),
            Answer::Orphan { first: true } => None,
            Answer::Orphan { first: false } | Answer::Duplicate => return,
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
        let Answer::Call(call) = answer else { return };
        if let Some(path) = &call.path {
            self.use_file((call.thread, call.turn()), call.role, outcome, path, seq);
        }
        match outcome {
            Outcome::Succeeded => {
                if let Some(source) = &call.source {
                    let (extent, turn) = (call.extent, call.turn());
                    self.facts.read(&Reading { source, extent, text, extracted: facts, turn, seq });
                }
                if let Some(task) = &call.stops {
                    let said = Said { at: seq, time: record.time };
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
        let said = Said { at: seq, time: record.time };
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
            // A read of a turn that was taken back meanwhile is none in force.
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
    /// Calls without a result that nothing can answer any more, since their agents are over; oldest
    /// first.
    pub fn abandoned(&self) -> Vec<&OpenCall> {
        self.calls.abandoned()
    }
    /// How many calls are abandoned.
    pub fn abandoned_count(&self) -> u64 {
        self.tool_totals().abandoned
    }
    /// The agents and commands that were launched into the background, by id.
    pub fn background_tasks(&self) -> impl Iterator<Item = &BackgroundTask> {
        self.tasks.iter()
    }
    /// How many there are, by how they stand.
    pub fn background_counts(&self) -> TaskCounts {
        self.tasks.counts()
    }
    /// Whether something goes on in the background: a run is not done then, whatever it said last.
    pub fn has_running_task(&self) -> bool {
        self.tasks.iter().any(BackgroundTask::is_running)
    }
    /// The turns, in order: each a prompt and what followed it.
    pub fn turns(&self) -> &[RunTurn] {
        self.turns.list()
    }
    /// How many turns were taken back, and are no part of the conversation as it stands.
    pub fn turns_taken_back(&self) -> u64 {
        self.turns.taken_back()
    }
    /// How many calls are in flight.
    pub fn in_flight_count(&self) -> u64 {
        self.calls.in_flight_count()
    }
    /// Calls of the main thread without a result, oldest first.
    pub fn dangling(&self) -> Vec<&OpenCall> {
        self.calls.dangling(MAIN)
    }
    /// Files read or written, by path. A file that only turns taken back read has neither reads nor
    /// writes left.
    pub fn files(&self) -> &BTreeMap<String, FileUse> {
        &self.files
    }
    /// The most recent failures, oldest first.
    pub fn failures(&self) -> impl DoubleEndedIterator<Item = &Failure> + ExactSizeIterator {
        self.failures.iter()
    }
    /// How many calls failed, and background tasks.
    pub fn failure_count(&self) -> u64 {
        self.tool_totals().failed + self.tasks.failures
    }
    /// What the last failed call of the main thread said, or was said of a background task of it.
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
    /// What silence will mean if nothing more is written, and from when on.
    pub fn silence_alarm(&self) -> Option<SilenceAlarm> {
        self.detectors.silence_alarm()
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
