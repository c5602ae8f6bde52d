//! Stall: silence while a call is in flight that waits for no person.
//!
//! Silence is measured between the times of events, or up to the time given to `advance`, so a
//! hang shows though nothing more is written. Times that go backwards are ignored. Reading a
//! finished run, a stall is known only at the event that ends it: it is raised and cleared there.

use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, AnomalyKind, Scope};
use super::calls::Calls;

/// The stall detector of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stall {
    /// The latest time at which the run is known to have been alive.
    alive: Option<i64>,
    /// The latest time that `advance` was given.
    now: Option<i64>,
    active: Option<Anomaly>,
}

impl Stall {
    /// An event came, at this time.
    pub(super) fn event_at(&mut self, millis: i64, calls: &Calls, scope: &mut Scope<'_>) {
        self.look(millis, calls, scope);
        scope.clear(self.active.take());
        self.alive = Some(self.alive.map_or(millis, |alive| alive.max(millis)));
    }

    /// An event came, its time unknown or told already.
    pub(super) fn event(&mut self, scope: &mut Scope<'_>) {
        if self.active.is_some() {
            scope.clear(self.active.take());
            self.alive = self.alive.max(self.now);
        }
    }

    /// Time has passed and no event came; the scope's position is the last event's.
    pub(super) fn advance(&mut self, now: i64, calls: &Calls, scope: &mut Scope<'_>) {
        self.now = self.now.max(Some(now));
        self.look(now, calls, scope);
    }

    /// The latest time at which the run is known to have been alive.
    pub(super) fn alive(&self) -> Option<i64> {
        self.alive
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &Anomaly> {
        self.active.iter()
    }

    /// Raises, or brings up to date, the stall that a silence up to `millis` means.
    fn look(&mut self, millis: i64, calls: &Calls, scope: &mut Scope<'_>) {
        let Some(alive) = self.alive else { return };
        let silence = millis.saturating_sub(alive);
        if silence <= scope.config.stall_millis || !calls.working() {
            return;
        }
        let seconds = u64::try_from(silence / 1000).unwrap_or(0);
        let anomaly = if let Some(anomaly) = &mut self.active {
            anomaly.count = anomaly.count.max(seconds);
            anomaly
        } else {
            let Some(oldest) = calls.oldest_working() else { return };
            let (subject, thread) = (scope.tools.name(oldest.tool).to_owned(), Some(oldest.thread));
            self.active.insert(scope.raise(
                AnomalyKind::Stall,
                thread,
                subject,
                oldest.seq,
                seconds,
            ))
        };
        if silence > scope.config.stall_escalate_millis {
            anomaly.escalate(scope.seq);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::feed::Feed;
    use super::super::{AnomalyKind, Observation, OutcomeKind::*};

    #[test]
    fn a_gap_above_the_threshold_is_a_stall_of_the_oldest_call() {
        let mut f = Feed::default();
        f.time(1_000);
        let call = f.issue("Bash", 1);
        let call_seq = f.seq;
        f.issue("Read", 2);
        f.time(601_000);
        assert!(f.cleared().is_empty(), "exactly 600 s is no stall");
        let seq = f.time(1_201_001);
        let a = f.only_cleared();
        assert_eq!((a.kind, a.subject.as_str()), (AnomalyKind::Stall, "Bash"));
        assert_eq!((a.first_seq, a.raised_at, a.cleared_at), (call_seq, seq, Some(seq)));
        assert_eq!(
            a.message(),
            "nothing happened for 600 s while Bash had not answered; it may have waited for approval"
        );
        f.answer(call, Succeeded, 1);
        assert!(f.active().is_empty());
    }

    #[test]
    fn silence_with_nothing_in_flight_is_no_stall() {
        let mut f = Feed::default();
        f.time(0);
        f.call("Bash", 1, Succeeded, 1);
        f.time(9_000_000);
        f.advance(99_000_000);
        assert!(f.active().is_empty() && f.cleared().is_empty());
    }

    #[test]
    fn waiting_for_a_person_is_no_stall() {
        let mut f = Feed::default();
        f.time(0);
        f.ask_person("AskUserQuestion", 1);
        f.time(9_000_000);
        assert!(f.cleared().is_empty());
        f.issue("Bash", 1);
        f.time(18_000_000);
        assert_eq!(f.only_cleared().subject, "Bash");
    }

    #[test]
    fn a_closed_call_is_no_longer_in_flight() {
        let mut f = Feed::default();
        f.time(0);
        let call = f.issue("Bash", 1);
        f.close(call);
        f.time(9_000_000);
        assert!(f.cleared().is_empty());
    }

    #[test]
    fn advance_raises_escalates_and_the_event_clears_the_same_anomaly() {
        let mut f = Feed::default();
        f.time(0);
        f.issue("Bash", 1);
        let last = f.seq;
        f.advance(600_000);
        assert!(f.active().is_empty());
        f.advance(600_001);
        assert_eq!((f.only_active().raised_at, f.only_active().escalated_at), (last, None));
        f.advance(1_800_001);
        assert_eq!(f.only_active().escalated_at, Some(last));
        let seq = f.time(2_000_000);
        let a = f.only_cleared();
        assert_eq!((a.raised_at, a.cleared_at, a.count), (last, Some(seq), 2000));
        assert!(f.active().is_empty());
        assert_eq!(f.detectors.raised(AnomalyKind::Stall), 1);
    }

    #[test]
    fn an_event_without_a_time_shows_life() {
        let mut f = Feed::default();
        f.time(0);
        f.issue("Bash", 1);
        f.advance(700_000);
        f.observe(Observation::UserTurn { seq: f.seq + 1, thread: 5 });
        assert!(f.active().is_empty());
        f.advance(1_200_000);
        assert!(f.active().is_empty(), "500 s since it was seen alive");
        f.advance(1_400_001);
        assert_eq!(f.active().len(), 1);
    }

    #[test]
    fn times_that_go_backwards_are_ignored() {
        let mut f = Feed::default();
        f.time(1_000_000);
        f.issue("Bash", 1);
        f.time(100);
        f.time(1_300_000);
        assert!(f.cleared().is_empty());
    }
}
