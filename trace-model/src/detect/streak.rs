//! Error streak: consecutive failures with at most one success in between.
//!
//! Only outcomes that succeeded or failed are looked at: a denied or interrupted call is a person's
//! doing, and neither continues nor breaks a streak. It ends with successes in a row, when no more
//! than half of the last outcomes failed, or with a user turn.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, Scope};
use super::calls::InFlight;
use super::config::AnomalyKind;

/// The error streak detector of one thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Streak {
    /// The last outcomes: the position of a failure, none for a success.
    window: VecDeque<Option<u64>>,
    failures: u64,
    successes_in_a_row: u64,
    active: Option<Anomaly>,
}

impl Streak {
    pub(super) fn outcome(&mut self, flight: &InFlight, failed: bool, scope: &mut Scope<'_>) {
        self.push(failed.then_some(scope.seq), scope.config.streak_window);
        if failed {
            self.failed(flight, scope);
        }
        let relieved = self.failures * 2 <= self.window.len() as u64;
        if self.active.is_some()
            && (self.successes_in_a_row >= scope.config.streak_clear || (!failed && relieved))
        {
            self.reset(scope);
        }
    }

    /// Resets, as after a user turn.
    pub(super) fn reset(&mut self, scope: &mut Scope<'_>) {
        self.window.clear();
        self.failures = 0;
        self.successes_in_a_row = 0;
        scope.clear(self.active.take());
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &Anomaly> {
        self.active.iter()
    }

    fn push(&mut self, failure: Option<u64>, window: usize) {
        self.window.push_back(failure);
        self.failures += u64::from(failure.is_some());
        self.successes_in_a_row = if failure.is_some() { 0 } else { self.successes_in_a_row + 1 };
        while self.window.len() > window.max(1) {
            let left = self.window.pop_front().flatten();
            self.failures -= u64::from(left.is_some());
        }
    }

    fn failed(&mut self, flight: &InFlight, scope: &mut Scope<'_>) {
        let tool = scope.tools.name(flight.tool);
        let anomaly = if let Some(anomaly) = &mut self.active {
            anomaly.count += 1;
            if anomaly.subject != tool {
                tool.clone_into(&mut anomaly.subject);
            }
            anomaly
        } else if self.failures >= scope.config.streak_raise {
            let first = self.window.iter().find_map(|f| *f).unwrap_or(scope.seq);
            let (kind, thread) = (AnomalyKind::ErrorStreak, Some(flight.thread));
            self.active.insert(scope.raise(kind, thread, tool.to_owned(), first, self.failures))
        } else {
            return;
        };
        if anomaly.count >= scope.config.streak_escalate {
            anomaly.escalate(scope.seq);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::AnomalyKind;
    use super::super::OutcomeKind::{self, *};
    use super::super::feed::Feed;

    /// Feeds outcomes of ever new calls, so that no loop comes in between.
    fn outcomes(f: &mut Feed, kinds: &[OutcomeKind]) -> u64 {
        let mut last = 0;
        for kind in kinds {
            let n = f.next_number();
            last = f.call("Bash", n, *kind, n).outcome;
        }
        last
    }

    #[test]
    fn five_failures_raise_and_ten_escalate() {
        let mut f = Feed::default();
        let first = outcomes(&mut f, &[Failed]);
        outcomes(&mut f, &[Failed; 3]);
        assert!(f.active().is_empty(), "four are no streak");
        let fifth = outcomes(&mut f, &[Failed]);
        let a = f.only_active();
        assert_eq!((a.kind, a.first_seq, a.raised_at), (AnomalyKind::ErrorStreak, first, fifth));
        outcomes(&mut f, &[Failed; 4]);
        assert_eq!(f.only_active().escalated_at, None);
        let tenth = outcomes(&mut f, &[Failed]);
        assert_eq!(f.only_active().escalated_at, Some(tenth));
        assert_eq!(f.only_active().message(), "10 calls failed, the last of Bash");
    }

    #[test]
    fn one_success_may_break_it_but_not_two() {
        for at in 1..5 {
            let mut f = Feed::default();
            outcomes(&mut f, &vec![Failed; at]);
            outcomes(&mut f, &[Succeeded]);
            outcomes(&mut f, &vec![Failed; 5 - at]);
            assert_eq!(f.active().len(), 1, "success after {at} failures");
        }
        let mut f = Feed::default();
        outcomes(&mut f, &[Failed, Failed, Succeeded, Succeeded, Failed, Failed, Failed]);
        assert!(f.active().is_empty());
        let mut f = Feed::default();
        outcomes(&mut f, &[Failed, Succeeded, Failed, Succeeded, Failed, Failed, Failed]);
        assert!(f.active().is_empty());
    }

    #[test]
    fn denied_and_interrupted_neither_count_nor_break() {
        let mut f = Feed::default();
        outcomes(&mut f, &[Failed, Failed, Denied, Denied, Interrupted, Failed, Failed]);
        assert!(f.active().is_empty());
        outcomes(&mut f, &[Denied]);
        assert!(f.active().is_empty());
        outcomes(&mut f, &[Failed]);
        assert_eq!(f.only_active().count, 5);
        let mut f = Feed::default();
        outcomes(&mut f, &[Denied; 20]);
        assert!(f.of_kind(AnomalyKind::ErrorStreak).is_empty());
    }

    #[test]
    fn two_successes_in_a_row_clear_it() {
        let mut f = Feed::default();
        outcomes(&mut f, &[Failed; 6]);
        outcomes(&mut f, &[Succeeded]);
        assert_eq!(f.active().len(), 1);
        let second = outcomes(&mut f, &[Succeeded]);
        assert!(f.active().is_empty());
        assert_eq!(f.cleared()[0].cleared_at, Some(second));
        outcomes(&mut f, &[Failed; 4]);
        assert!(f.active().is_empty(), "counts anew");
    }

    #[test]
    fn alternating_results_clear_it() {
        let mut f = Feed::default();
        outcomes(&mut f, &[Failed; 5]);
        outcomes(&mut f, &[Succeeded, Failed, Succeeded, Failed]);
        assert_eq!(f.active().len(), 1);
        outcomes(&mut f, &[Succeeded]);
        assert!(f.active().is_empty());
    }

    #[test]
    fn a_user_turn_clears_it() {
        let mut f = Feed::default();
        outcomes(&mut f, &[Failed; 5]);
        f.user_turn();
        assert!(f.active().is_empty());
        outcomes(&mut f, &[Failed; 4]);
        assert!(f.active().is_empty());
    }
}
