//! All detectors of a run behind one door: takes observations, hands each to those it concerns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, Log, Scope};
use super::budget::Budget;
use super::calls::{Calls, InFlight, Sign, Tools};
use super::config::{AnomalyKind, DetectorConfig};
use super::flood::Flood;
use super::observation::{Observation, OutcomeKind};
use super::repeat::Repeats;
use super::stall::{SilenceAlarm, Stall};
use super::streak::Streak;

/// State kept per thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Thread {
    /// The tick at which it was last used.
    used: u64,
    repeats: Repeats,
    streak: Streak,
    flood: Flood,
}

impl Thread {
    /// A person stepped in, or the thread is over.
    fn reset(&mut self, scope: &mut Scope<'_>) {
        self.repeats.restart(scope);
        self.streak.reset(scope);
        self.flood.reset(scope);
    }
}

/// The six detectors of a run.
///
/// Serialize it to save its state; the deserialized one continues exactly as the saved one would.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detectors {
    config: DetectorConfig,
    threads: BTreeMap<u32, Thread>,
    /// Counts the uses of threads, to know the longest unused.
    tick: u64,
    tools: Tools,
    calls: Calls,
    stall: Stall,
    budget: Budget,
    log: Log,
    last_seq: u64,
}

impl Detectors {
    /// Detectors with these thresholds.
    pub fn new(config: DetectorConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// The thresholds.
    pub fn config(&self) -> &DetectorConfig {
        &self.config
    }

    /// Takes in one observation, in ledger order.
    pub fn observe(&mut self, observation: &Observation<'_>) {
        let seq = observation.seq();
        self.last_seq = seq;
        let scope =
            &mut Scope { seq, tools: &self.tools, config: &self.config, log: &mut self.log };
        if let Observation::Time { millis, .. } = *observation {
            self.stall.event_at(millis, &self.calls, scope);
            return;
        }
        self.stall.event(scope);
        match *observation {
            Observation::Call { thread, call, tool, input_hash, waits_for, writes, .. } => {
                let tool = self.tools.id(tool, self.config.max_tools);
                let flight = InFlight {
                    seq,
                    thread,
                    tool,
                    input: input_hash,
                    waits_for,
                    writes,
                    issued: self.stall.alive(),
                    sign: Sign::None,
                    ordinal: 0,
                };
                self.call(call, flight);
            }
            Observation::Outcome { call, result, result_hash, .. } => {
                self.outcome(seq, call, result, result_hash);
            }
            Observation::Closed { call, .. } => self.closed(seq, call),
            Observation::Running { call, .. } => self.calls.show(call, Sign::Running),
            Observation::Returned { call, .. } => self.calls.show(call, Sign::Returned),
            Observation::Approval { asked, .. } => self.stall.approval(asked),
            Observation::UserTurn { thread, .. } => {
                if let Some(thread) = self.threads.get_mut(&thread) {
                    thread.reset(scope);
                }
            }
            Observation::ThreadEnded { thread, .. } => self.drop_thread(seq, thread),
            Observation::Spend { dollars, tokens, .. } => {
                self.budget.spend(dollars, tokens, scope);
            }
            Observation::Time { .. } => {}
        }
    }

    /// Says what time it is, when nothing was written: a live hang shows as a stall. Milliseconds
    /// since the Unix epoch.
    pub fn advance(&mut self, now_millis: i64) {
        let Self { stall, calls, tools, config, log, last_seq, .. } = self;
        stall.advance(now_millis, calls, &mut Scope { seq: *last_seq, tools, config, log });
    }

    /// What silence will mean if nothing more is written, and from when on; none while no call is in
    /// flight whose silence means anything.
    pub fn silence_alarm(&self) -> Option<SilenceAlarm> {
        self.stall.next_alarm(&self.calls, &self.tools, &self.config)
    }

    /// Active anomalies, in the order they were raised.
    pub fn active(&self) -> Vec<&Anomaly> {
        let of_threads = self
            .threads
            .values()
            .flat_map(|t| t.repeats.active().chain(t.streak.active()).chain(t.flood.active()));
        let mut all: Vec<&Anomaly> =
            of_threads.chain(self.stall.active()).chain(self.budget.active()).collect();
        all.sort_by_key(|a| (a.raised_at, a.kind, a.thread, a.first_seq));
        all
    }

    /// Cleared anomalies, in the order they were cleared; the oldest may have been dropped.
    pub fn cleared(&self) -> impl DoubleEndedIterator<Item = &Anomaly> + ExactSizeIterator {
        self.log.cleared.iter()
    }

    /// How many cleared anomalies were dropped to keep to the bound.
    pub fn cleared_dropped(&self) -> u64 {
        self.log.dropped
    }

    /// Takes the cleared anomalies: to see all of them, take them as they come.
    pub fn take_cleared(&mut self) -> Vec<Anomaly> {
        self.log.cleared.drain(..).collect()
    }

    /// How often a kind was raised, kept or not.
    pub fn raised(&self, kind: AnomalyKind) -> u64 {
        self.log.raised(kind)
    }

    fn call(&mut self, call: u64, mut flight: InFlight) {
        self.make_room(flight.thread, flight.seq);
        let Self { threads, tools, config, log, calls, tick, .. } = self;
        let thread = use_thread(threads, flight.thread, tick);
        let scope = &mut Scope { seq: flight.seq, tools, config, log };
        flight.ordinal = thread.flood.call(flight.thread, flight.tool, flight.input, scope);
        calls.open(call, flight, config.max_in_flight);
    }

    fn outcome(&mut self, seq: u64, call: u64, result: OutcomeKind, hash: u64) {
        if result == OutcomeKind::Cancelled {
            self.closed(seq, call);
            return;
        }
        let Some(flight) = self.calls.close(call) else { return };
        if let (Some(issued), Some(now)) = (flight.issued, self.stall.alive())
            && matches!(result, OutcomeKind::Succeeded | OutcomeKind::Failed)
        {
            self.tools.took(flight.tool, now.saturating_sub(issued));
        }
        self.make_room(flight.thread, seq);
        let Self { threads, tools, config, log, tick, .. } = self;
        let thread = use_thread(threads, flight.thread, tick);
        let scope = &mut Scope { seq, tools, config, log };
        let succeeded = result == OutcomeKind::Succeeded;
        thread.repeats.outcome(&flight, succeeded, hash, scope);
        if succeeded || result == OutcomeKind::Failed {
            thread.streak.outcome(&flight, !succeeded, scope);
        }
        thread.flood.answer(flight.thread, flight.ordinal, Some(hash), scope);
    }

    fn closed(&mut self, seq: u64, call: u64) {
        let Some(flight) = self.calls.close(call) else { return };
        let Self { threads, tools, config, log, .. } = self;
        if let Some(thread) = threads.get_mut(&flight.thread) {
            let scope = &mut Scope { seq, tools, config, log };
            thread.flood.answer(flight.thread, flight.ordinal, None, scope);
        }
    }

    /// Evicts the least recently used thread if `thread` is new and there is no room for it.
    fn make_room(&mut self, thread: u32, seq: u64) {
        if self.threads.len() < self.config.max_threads.max(1) || self.threads.contains_key(&thread)
        {
            return;
        }
        let unused = self.threads.iter().min_by_key(|(_, t)| t.used).map(|(id, _)| *id);
        if let Some(unused) = unused {
            self.drop_thread(seq, unused);
        }
    }

    fn drop_thread(&mut self, seq: u64, thread: u32) {
        if let Some(mut thread) = self.threads.remove(&thread) {
            let Self { tools, config, log, .. } = self;
            thread.reset(&mut Scope { seq, tools, config, log });
        }
    }
}

/// The thread's state, made if it is new, marked as just used.
fn use_thread<'a>(
    threads: &'a mut BTreeMap<u32, Thread>,
    id: u32,
    tick: &mut u64,
) -> &'a mut Thread {
    *tick += 1;
    let thread = threads.entry(id).or_default();
    thread.used = *tick;
    thread
}

#[cfg(test)]
mod tests {
    use super::super::feed::Feed;
    use super::super::{AnomalyKind, DetectorConfig, Detectors, OutcomeKind::*};

    #[test]
    fn cleared_anomalies_are_bounded_and_counted() {
        let mut f = Feed::new(DetectorConfig { keep_cleared: 2, ..DetectorConfig::default() });
        for i in 0..5 {
            for _ in 0..3 {
                f.call("Bash", i, Succeeded, 7);
            }
            f.user_turn();
        }
        assert_eq!((f.cleared().len(), f.detectors.cleared_dropped()), (2, 3));
        assert_eq!(f.detectors.raised(AnomalyKind::Loop), 5);
        assert_eq!(f.detectors.take_cleared().len(), 2);
        assert_eq!(f.cleared().len(), 0);
    }

    #[test]
    fn the_thread_longest_unused_makes_room() {
        let mut f = Feed::new(DetectorConfig { max_threads: 2, ..DetectorConfig::default() });
        for thread in [1, 2] {
            f.thread = thread;
            for _ in 0..3 {
                f.call("Bash", 1, Succeeded, 7);
            }
        }
        f.thread = 1;
        f.call("Bash", 1, Succeeded, 7);
        f.thread = 3;
        f.call("Bash", 1, Succeeded, 7);
        assert_eq!(f.only_active().thread, Some(1));
        assert_eq!(f.only_cleared().thread, Some(2));
    }

    #[test]
    fn a_thread_that_ended_has_no_anomalies() {
        let mut f = Feed::default();
        f.thread = 7;
        for _ in 0..3 {
            f.call("Bash", 1, Succeeded, 7);
        }
        f.thread_ended();
        assert!(f.active().is_empty());
        assert_eq!(f.cleared().len(), 1);
    }

    #[test]
    fn orphan_and_late_outcomes_are_ignored() {
        let mut f = Feed::default();
        for _ in 0..10 {
            f.answer(99, Failed, 1);
            let call = f.issue("Bash", 1);
            f.close(call);
            f.answer(call, Failed, 1);
        }
        assert!(f.active().is_empty());
    }

    #[test]
    fn configuration_takes_defaults_and_rejects_typos() {
        let config: DetectorConfig = serde_json::from_str(r#"{"loop_raise": 4}"#).unwrap();
        assert_eq!(config, DetectorConfig { loop_raise: 4, ..DetectorConfig::default() });
        assert!(serde_json::from_str::<DetectorConfig>(r#"{"loop_rais": 4}"#).is_err());
        assert_eq!(Detectors::new(config.clone()).config(), &config);
    }
}
