//! Test support: feeds detectors with numbered observations.

use rust_decimal::Decimal;

use super::{Anomaly, AnomalyKind, DetectorConfig, Detectors, Observation, OutcomeKind, WaitsFor};

/// Where a call and its outcome were put.
pub(super) struct Placed {
    pub(super) call: u64,
    pub(super) outcome: u64,
}

#[derive(Default)]
pub(super) struct Feed {
    pub(super) detectors: Detectors,
    pub(super) thread: u32,
    /// The last position used.
    pub(super) seq: u64,
    calls: u64,
    number: u64,
}

impl Feed {
    pub(super) fn new(config: DetectorConfig) -> Self {
        Self { detectors: Detectors::new(config), ..Self::default() }
    }

    pub(super) fn observe(&mut self, observation: Observation<'_>) {
        self.seq = observation.seq();
        self.detectors.observe(&observation);
    }

    /// A number not given before, for inputs and results that never repeat.
    pub(super) fn next_number(&mut self) -> u64 {
        self.number += 1;
        1_000_000 + self.number
    }

    fn issue_with(&mut self, tool: &str, input: u64, waits_for: WaitsFor, writes: bool) -> u64 {
        self.calls += 1;
        self.observe(Observation::Call {
            seq: self.seq + 1,
            thread: self.thread,
            call: self.calls,
            tool,
            input_hash: input,
            waits_for,
            writes,
        });
        self.calls
    }

    pub(super) fn issue(&mut self, tool: &str, input: u64) -> u64 {
        self.issue_with(tool, input, WaitsFor::Tool, false)
    }

    pub(super) fn ask_person(&mut self, tool: &str, input: u64) -> u64 {
        self.issue_with(tool, input, WaitsFor::Person, false)
    }

    pub(super) fn launch(&mut self, tool: &str, input: u64) -> u64 {
        self.issue_with(tool, input, WaitsFor::Thread, false)
    }

    pub(super) fn running(&mut self, call: u64) {
        self.observe(Observation::Running { seq: self.seq + 1, call });
    }

    pub(super) fn returned(&mut self, call: u64) {
        self.observe(Observation::Returned { seq: self.seq + 1, call });
    }

    pub(super) fn approval(&mut self, asked: bool) {
        self.observe(Observation::Approval { seq: self.seq + 1, asked });
    }

    pub(super) fn answer(&mut self, call: u64, result: OutcomeKind, hash: u64) {
        let (seq, thread) = (self.seq + 1, self.thread);
        self.observe(Observation::Outcome { seq, thread, call, result, result_hash: hash });
    }

    pub(super) fn call(&mut self, tool: &str, input: u64, kind: OutcomeKind, hash: u64) -> Placed {
        let call = self.issue(tool, input);
        let placed = self.seq;
        self.answer(call, kind, hash);
        Placed { call: placed, outcome: self.seq }
    }

    pub(super) fn write(&mut self, tool: &str, input: u64, kind: OutcomeKind, hash: u64) -> Placed {
        let call = self.issue_with(tool, input, WaitsFor::Tool, true);
        let placed = self.seq;
        self.answer(call, kind, hash);
        Placed { call: placed, outcome: self.seq }
    }

    /// Calls that are never the same.
    pub(super) fn fill(&mut self, calls: usize) {
        for _ in 0..calls {
            let n = self.next_number();
            self.call("Read", n, OutcomeKind::Succeeded, n);
        }
    }

    pub(super) fn close(&mut self, call: u64) {
        self.observe(Observation::Closed { seq: self.seq + 1, thread: self.thread, call });
    }

    pub(super) fn time(&mut self, millis: i64) -> u64 {
        self.observe(Observation::Time { seq: self.seq + 1, millis });
        self.seq
    }

    pub(super) fn user_turn(&mut self) -> u64 {
        self.observe(Observation::UserTurn { seq: self.seq + 1, thread: self.thread });
        self.seq
    }

    pub(super) fn thread_ended(&mut self) {
        self.observe(Observation::ThreadEnded { seq: self.seq + 1, thread: self.thread });
    }

    pub(super) fn spend(&mut self, dollars: Decimal, tokens: u64) -> u64 {
        self.observe(Observation::Spend { seq: self.seq + 1, dollars, tokens });
        self.seq
    }

    pub(super) fn advance(&mut self, now: i64) {
        self.detectors.advance(now);
    }

    pub(super) fn active(&self) -> Vec<&Anomaly> {
        self.detectors.active()
    }

    pub(super) fn of_kind(&self, kind: AnomalyKind) -> Vec<&Anomaly> {
        self.active().into_iter().filter(|a| a.kind == kind).collect()
    }

    pub(super) fn only_active(&self) -> &Anomaly {
        let active = self.active();
        assert_eq!(active.len(), 1, "{active:?}");
        active[0]
    }

    pub(super) fn cleared(&self) -> Vec<&Anomaly> {
        self.detectors.cleared().collect()
    }

    pub(super) fn only_cleared(&self) -> &Anomaly {
        let cleared = self.cleared();
        assert_eq!(cleared.len(), 1, "{cleared:?}");
        cleared[0]
    }
}
