//! What a page needs of a run and the fold does not keep: the course of time, the excerpts behind
//! evidence, the failures of each episode. Fed by the run as a observer; bounded in every list.

mod pins;
mod timeline;

use std::collections::{BTreeMap, VecDeque};

use rust_decimal::Decimal;
use trace_model::detect::AnomalyKind;
use trace_model::event::{Body, Event, Record, Source, Thread, Turn};
use trace_model::fold::{Failure, RunState, Tokens, ToolTally};
use trace_model::ids::{Millis, Seq};
use trace_model::run::FoldObserver;

pub use pins::{Pin, Pins};
pub use timeline::{Bucket, Slot, Strip, Timeline};

/// Episodes whose failures are kept.
const KEPT_EPISODES: usize = 300;
/// Failures kept of an episode: its last ones.
const KEPT_FAILURES: usize = 6;
/// Names of unknown record types that are kept; further ones are counted together.
const KEPT_UNKNOWN: usize = 40;
/// Characters of such a name.
const UNKNOWN_CHARS: usize = 60;
/// Events of a record that can become evidence at once.
const KEPT_OF_RECORD: usize = 16;

/// What is kept of an episode besides the fold's own data.
#[derive(Clone, Debug, Default)]
pub struct EpisodeNotes {
    /// Its last failed calls, oldest first.
    pub failures: VecDeque<Failure>,
}

/// A result whose call's episode was looked up before the fold let go of the call.
#[derive(Clone, Copy, Debug)]
struct Answered {
    seq: Seq,
    episode: u64,
}

/// A run's counters before a record, to tell what the record added.
#[derive(Clone, Debug, Default)]
struct CountersBefore {
    first: u64,
    materialized: Seq,
    tally: ToolTally,
    tokens: Tokens,
    dollars: Decimal,
    prompts: u64,
    answered: Vec<Answered>,
}

/// The observer.
#[derive(Clone, Debug, Default)]
pub struct Track {
    timeline: Timeline,
    pins: Pins,
    episodes: BTreeMap<u64, EpisodeNotes>,
    unknown: BTreeMap<String, u64>,
    more_unknown: u64,
    /// What the agent said last in the main thread: it becomes evidence when its episode ends.
    said: Option<Pin>,
    /// The records at which anomalies changed: by their first event, the one after their last, and
    /// their time.
    anomaly_times: BTreeMap<u64, (u64, Millis)>,
    anomaly_changes: u64,
    /// The latest time of a record, for those that have none.
    time: Option<Millis>,
    before: CountersBefore,
}

impl Track {
    /// Calls, tokens and cost over time.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The event of this number, if it is evidence of an episode.
    pub fn pin(&self, seq: u64) -> Option<&Pin> {
        self.pins.get(seq).or_else(|| self.said.as_ref().filter(|pin| pin.seq.0 == seq))
    }

    /// What the agent said last in the main thread.
    pub fn said(&self) -> Option<&Pin> {
        self.said.as_ref()
    }

    /// What is kept of an episode.
    pub fn episode(&self, number: u64) -> Option<&EpisodeNotes> {
        self.episodes.get(&number)
    }

    /// Unknown types of records and blocks, with their number.
    pub fn unknown(&self) -> &BTreeMap<String, u64> {
        &self.unknown
    }

    /// Records and blocks of further unknown types.
    pub fn more_unknown(&self) -> u64 {
        self.more_unknown
    }

    /// When an anomaly changed at this event.
    pub fn anomaly_time(&self, seq: u64) -> Option<Millis> {
        let (_, (end, time)) = self.anomaly_times.range(..=seq).next_back()?;
        (seq < *end).then_some(*time)
    }

    fn note_calls(&mut self, state: &RunState, before: &CountersBefore) {
        let ToolTally { calls, failed, denied, interrupted, .. } = state.tool_totals();
        let change = |now: u64, then: u64| now.saturating_sub(then);
        let bucket = Bucket {
            calls: change(calls, before.tally.calls),
            failed: change(failed, before.tally.failed),
            denied: change(denied, before.tally.denied),
            interrupted: change(interrupted, before.tally.interrupted),
            ..Bucket::default()
        };
        self.timeline.add(self.time, &bucket);
        for failure in state.failures().rev().take_while(|failure| failure.at.0 >= before.first) {
            let answered = before.answered.iter().find(|answered| answered.seq == failure.at);
            if let Some(Answered { episode, .. }) = answered {
                let notes = self.episodes.entry(*episode).or_default();
                if notes.failures.len() == KEPT_FAILURES {
                    notes.failures.pop_front();
                }
                notes.failures.push_back(failure.clone());
            }
        }
        while self.episodes.len() > KEPT_EPISODES {
            self.episodes.pop_first();
        }
    }

    fn note_spending(&mut self, state: &RunState, before: &CountersBefore) {
        let spending = state.spending();
        let bucket = Bucket {
            tokens: Strip::between(&before.tokens, &spending.tokens),
            dollars: spending.dollars - before.dollars,
            ..Bucket::default()
        };
        self.timeline.add(self.time, &bucket);
    }

    fn note_evidence(&mut self, state: &RunState, record: &Record<'_>, first: u64, file: u32) {
        let materialized = state.materialized();
        if materialized != self.before.materialized || record.turn != Turn::None {
            // The episode before ends with what was said last.
            if let Some(said) = self.said.take() {
                self.pins.add(said);
            }
            for (seq, event) in (first..).zip(&record.events).take(KEPT_OF_RECORD) {
                self.pins.add(Pin::new(record, event, Seq(seq), file));
            }
        }
        if record.thread != Thread::Main {
            return;
        }
        let said = (first..).zip(&record.events).filter(|(_, event)| is_said(event)).last();
        if let Some((seq, event)) = said {
            self.said = Some(Pin::new(record, event, Seq(seq), file));
        }
    }

    fn note_anomalies(&mut self, state: &RunState, first: u64) {
        let raised: u64 = AnomalyKind::ALL.iter().map(|kind| state.raised(*kind)).sum();
        let cleared = state.cleared_anomalies().len() as u64 + state.dropped_anomalies();
        if raised + cleared == self.anomaly_changes {
            return;
        }
        self.anomaly_changes = raised + cleared;
        if let Some(time) = self.time {
            self.anomaly_times.insert(first, (state.observed().events, time));
        }
        // Each anomaly that is kept was raised and cleared at one of the last changes.
        let kept = 2 * (state.cleared_anomalies().len() + state.active_anomalies().len() + 8);
        while self.anomaly_times.len() > kept {
            self.anomaly_times.pop_first();
        }
    }

    fn note_unknown(&mut self, name: &str) {
        let name = trace_model::text::one_line(name, UNKNOWN_CHARS, None);
        if self.unknown.contains_key(&name) || self.unknown.len() < KEPT_UNKNOWN {
            *self.unknown.entry(name).or_default() += 1;
        } else {
            self.more_unknown += 1;
        }
    }
}

fn is_said(event: &Event<'_>) -> bool {
    matches!(&event.body, Body::Message(text) if event.source == Source::Agent && !text.is_empty())
}

fn is_of_calls(record: &Record<'_>) -> bool {
    let of_calls =
        |event: &Event<'_>| matches!(event.body, Body::ToolCall { .. } | Body::ToolResult { .. });
    record.turn != Turn::None || record.events.iter().any(of_calls)
}

impl FoldObserver for Track {
    fn before(&mut self, state: &RunState, record: &Record<'_>, _file: u32) {
        let first = state.observed().events;
        let spending = state.spending();
        let mut answered = std::mem::take(&mut self.before.answered);
        answered.clear();
        for (seq, event) in (first..).zip(&record.events) {
            if let Body::ToolResult { call_id: Some(id), .. } = &event.body {
                let episode = state.open_call(id).and_then(trace_model::fold::OpenCall::episode);
                answered.extend(episode.map(|episode| Answered { seq: Seq(seq), episode }));
            }
        }
        self.before = CountersBefore {
            first,
            materialized: state.materialized(),
            tally: if is_of_calls(record) { state.tool_totals() } else { ToolTally::default() },
            tokens: spending.tokens,
            dollars: spending.dollars,
            prompts: state.conversation().prompts(),
            answered,
        };
    }

    fn after(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        self.time = record.time.or(self.time);
        let before = std::mem::take(&mut self.before);
        if is_of_calls(record) {
            self.note_calls(state, &before);
        }
        if record.api.is_some() {
            self.note_spending(state, &before);
        }
        let prompts = state.conversation().prompts() - before.prompts;
        if prompts > 0 {
            self.timeline.add(self.time, &Bucket { prompts, ..Bucket::default() });
        }
        for event in &record.events {
            if let Body::Unknown(name) = &event.body {
                self.note_unknown(name);
            }
        }
        self.before = before;
        let first = self.before.first;
        self.note_evidence(state, record, first, file);
        self.note_anomalies(state, first);
    }
}
