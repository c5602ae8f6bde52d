//! Loop: the same tool with the same input and the same result, again and again.
//!
//! Other calls may lie between the repetitions. A result that changes (polling) makes another key, so it is not
//! a loop. A write that succeeds with an input not seen in the window is progress: repetitions are counted
//! afresh from there. The window remembers inputs across progress, so two edits that undo each other in turn
//! are new only once each.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, Scope};
use super::calls::{InFlight, ToolId};
use super::config::AnomalyKind;

/// One outcome of the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    tool: ToolId,
    input: u64,
    result: u64,
    call_seq: u64,
}

impl Entry {
    fn same_call(&self, other: &Self) -> bool {
        self.tool == other.tool && self.input == other.input
    }

    fn repeats(&self, other: &Self) -> bool {
        self.same_call(other) && self.result == other.result
    }
}

/// A loop that is going on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Active {
    entry: Entry,
    /// The number of the last outcome that repeated it.
    last: u64,
    anomaly: Anomaly,
}

/// The loop detector of one thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Repeats {
    window: VecDeque<Entry>,
    /// Outcomes so far.
    outcomes: u64,
    /// The number of the first outcome that counts.
    since: u64,
    active: Vec<Active>,
}

impl Repeats {
    pub(super) fn outcome(
        &mut self,
        flight: &InFlight,
        succeeded: bool,
        result: u64,
        scope: &mut Scope<'_>,
    ) {
        let entry = Entry { tool: flight.tool, input: flight.input, result, call_seq: flight.seq };
        if flight.writes && succeeded && !self.window.iter().any(|e| e.same_call(&entry)) {
            self.restart(scope);
        }
        self.push(entry, scope.config.loop_window);
        self.clear_fallen(scope);
        self.judge(entry, flight.thread, scope);
    }

    /// Counts from here on, as after progress or a user turn.
    pub(super) fn restart(&mut self, scope: &mut Scope<'_>) {
        self.since = self.outcomes;
        scope.clear(self.active.drain(..).map(|a| a.anomaly));
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &Anomaly> {
        self.active.iter().map(|a| &a.anomaly)
    }

    fn push(&mut self, entry: Entry, window: usize) {
        self.window.push_back(entry);
        self.outcomes += 1;
        while self.window.len() > window.max(1) {
            self.window.pop_front();
        }
    }

    /// The number of the oldest outcome in the window.
    fn oldest(&self) -> u64 {
        self.outcomes - self.window.len() as u64
    }

    fn clear_fallen(&mut self, scope: &mut Scope<'_>) {
        let oldest = self.oldest();
        scope.clear(self.active.extract_if(.., |a| a.last < oldest).map(|a| a.anomaly));
    }

    fn judge(&mut self, entry: Entry, thread: u32, scope: &mut Scope<'_>) {
        let number = self.outcomes - 1;
        if let Some(active) = self.active.iter_mut().find(|a| a.entry.repeats(&entry)) {
            active.last = number;
            active.anomaly.count += 1;
            if active.anomaly.count >= scope.config.loop_escalate {
                active.anomaly.escalate(scope.seq);
            }
            return;
        }
        let (count, first_seq) = self.repetitions(&entry);
        if count < scope.config.loop_raise {
            return;
        }
        let subject = scope.tools.name(entry.tool).to_owned();
        let mut anomaly = scope.raise(AnomalyKind::Loop, Some(thread), subject, first_seq, count);
        if count >= scope.config.loop_escalate {
            anomaly.escalate(scope.seq);
        }
        self.active.push(Active { entry, last: number, anomaly });
    }

    /// How often the window holds the entry where it counts, and its first call there.
    fn repetitions(&self, entry: &Entry) -> (u64, u64) {
        let skip = usize::try_from(self.since.saturating_sub(self.oldest())).unwrap_or(usize::MAX);
        let mut matching = self.window.iter().skip(skip).filter(|e| e.repeats(entry)).peekable();
        let first_seq = matching.peek().map_or(entry.call_seq, |e| e.call_seq);
        (matching.count() as u64, first_seq)
    }
}

#[cfg(test)]
mod tests {
    use super::super::feed::Feed;
    use super::super::{AnomalyKind, DetectorConfig, OutcomeKind::*};

    #[test]
    fn three_equal_calls_raise_and_six_escalate() {
        let mut f = Feed::default();
        let first = f.call("Bash", 1, Succeeded, 7);
        f.call("Bash", 1, Succeeded, 7);
        assert!(f.active().is_empty(), "two are no loop");
        let third = f.call("Bash", 1, Succeeded, 7);
        let a = f.only_active();
        assert_eq!((a.kind, a.subject.as_str()), (AnomalyKind::Loop, "Bash"));
        assert_eq!((a.first_seq, a.raised_at, a.count), (first.call, third.outcome, 3));
        f.call("Bash", 1, Succeeded, 7);
        f.call("Bash", 1, Succeeded, 7);
        assert_eq!(f.only_active().escalated_at, None);
        let sixth = f.call("Bash", 1, Succeeded, 7);
        let a = f.only_active();
        assert_eq!((a.escalated_at, a.count), (Some(sixth.outcome), 6));
        assert_eq!(a.message(), "Bash called 6 times with the same input and the same result");
    }

    #[test]
    fn other_calls_may_lie_between_up_to_the_window() {
        // Third occurrence as the 12th outcome of the window: found.
        let mut f = Feed::default();
        f.call("Bash", 1, Succeeded, 7);
        f.fill(5);
        f.call("Bash", 1, Succeeded, 7);
        f.fill(4);
        f.call("Bash", 1, Succeeded, 7);
        assert_eq!(f.active().len(), 1);
        // One outcome more between: the first has left the window.
        let mut f = Feed::default();
        f.call("Bash", 1, Succeeded, 7);
        f.fill(5);
        f.call("Bash", 1, Succeeded, 7);
        f.fill(5);
        f.call("Bash", 1, Succeeded, 7);
        assert!(f.active().is_empty());
    }

    #[test]
    fn a_loop_over_several_calls_escalates_too() {
        let mut f = Feed::default();
        for _ in 0..6 {
            f.call("Read", 1, Succeeded, 1);
            f.call("Grep", 2, Succeeded, 2);
            f.call("Bash", 3, Failed, 3);
            f.call("Bash", 4, Failed, 4);
        }
        let loops = f.of_kind(AnomalyKind::Loop);
        assert_eq!(loops.len(), 4);
        assert!(loops.iter().all(|a| a.escalated_at.is_some() && a.count == 6));
    }

    #[test]
    fn polling_with_changing_results_is_no_loop() {
        let mut f = Feed::default();
        for i in 0..40 {
            f.call("BashOutput", 1, Succeeded, i);
        }
        assert!(f.of_kind(AnomalyKind::Loop).is_empty());
    }

    #[test]
    fn another_input_or_thread_is_another_call() {
        let mut f = Feed::default();
        for i in 0..12 {
            f.call("Read", i, Succeeded, 7);
        }
        for thread in 10..20 {
            f.thread = thread;
            f.call("Read", 1, Succeeded, 7);
            f.call("Read", 1, Succeeded, 7);
        }
        assert!(f.active().is_empty());
    }

    #[test]
    fn edits_between_identical_test_runs_are_progress() {
        let mut f = Feed::default();
        for i in 0..10 {
            f.call("Bash", 1, Failed, 7);
            f.write("Edit", 100 + i, Succeeded, 8);
        }
        assert!(f.of_kind(AnomalyKind::Loop).is_empty());
    }

    #[test]
    fn a_failed_or_repeated_edit_is_no_progress() {
        let mut f = Feed::default();
        for i in 0..3 {
            f.call("Bash", 1, Failed, 7);
            f.write("Edit", 100 + i, Failed, 8);
        }
        assert_eq!(f.of_kind(AnomalyKind::Loop).len(), 1, "failed edits change nothing");

        let mut f = Feed::default();
        for _ in 0..4 {
            f.write("Edit", 1, Succeeded, 8);
            f.write("Edit", 2, Succeeded, 8);
        }
        assert_eq!(f.of_kind(AnomalyKind::Loop).len(), 2, "two edits that undo each other");
    }

    #[test]
    fn progress_ends_a_loop() {
        let mut f = Feed::default();
        for _ in 0..3 {
            f.call("Bash", 1, Failed, 7);
        }
        let edit = f.write("Edit", 9, Succeeded, 8);
        assert!(f.of_kind(AnomalyKind::Loop).is_empty());
        assert_eq!(f.cleared()[0].cleared_at, Some(edit.outcome));
        f.call("Bash", 1, Failed, 7);
        f.call("Bash", 1, Failed, 7);
        assert!(f.of_kind(AnomalyKind::Loop).is_empty(), "counts anew");
        f.call("Bash", 1, Failed, 7);
        assert_eq!(f.of_kind(AnomalyKind::Loop).len(), 1);
    }

    #[test]
    fn it_clears_when_the_last_repetition_leaves_the_window() {
        let mut f = Feed::default();
        for _ in 0..3 {
            f.call("Bash", 1, Succeeded, 7);
        }
        f.fill(11);
        assert_eq!(f.active().len(), 1);
        f.fill(1);
        assert!(f.active().is_empty());
        assert_eq!(f.cleared().len(), 1);
    }

    #[test]
    fn a_user_turn_clears_its_own_thread_only() {
        let mut f = Feed::default();
        for thread in [0, 1] {
            f.thread = thread;
            for _ in 0..3 {
                f.call("Bash", 1, Succeeded, 7);
            }
        }
        f.thread = 0;
        let turn = f.user_turn();
        assert_eq!(f.only_active().thread, Some(1));
        assert_eq!(f.cleared()[0].cleared_at, Some(turn));
        f.call("Bash", 1, Succeeded, 7);
        assert_eq!(f.active().len(), 1, "earlier repetitions no longer count");
    }

    #[test]
    fn denied_again_and_again_is_a_loop() {
        let mut f = Feed::default();
        for _ in 0..3 {
            f.call("Bash", 1, Denied, 7);
        }
        assert_eq!(f.only_active().kind, AnomalyKind::Loop);
    }

    #[test]
    fn thresholds_are_arguments() {
        let mut f = Feed::new(DetectorConfig { loop_raise: 2, ..DetectorConfig::default() });
        f.call("Bash", 1, Succeeded, 7);
        f.call("Bash", 1, Succeeded, 7);
        assert_eq!(f.active().len(), 1);
    }
}
