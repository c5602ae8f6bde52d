//! Silence while a call is in flight: a stall of what runs, or a wait for a person.
//!
//! Silence is measured between the times of events, or up to the time given to `advance`, so a
//! hang shows though nothing more is written. Times that go backwards are ignored. Reading a
//! finished run, a silence is known only at the event that ends it: it is raised and cleared there.
//!
//! Which of the two it is, the silence itself does not say; the records before it do. A call that wrote
//! progress has started. One that did not, in a client that asks before tools run, has most likely not been
//! allowed yet, unless calls of its tool take that long in this run.

use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, Scope};
use super::calls::{Calls, InFlight, Sign, Tools};
use super::config::{AnomalyKind, DetectorConfig};
use super::observation::WaitsFor;

/// A tool is as slow as a silence if its calls usually take this part of it.
const SLOW_PART: i64 = 4;

/// What further silence will mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SilenceAlarm {
    /// The kind of anomaly that it will be.
    pub kind: AnomalyKind,
    /// From when on: milliseconds since the Unix epoch.
    pub after: i64,
}

/// State of the run's silence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stall {
    /// The latest time at which the run is known to have been alive.
    alive: Option<i64>,
    /// The latest time that `advance` was given.
    now: Option<i64>,
    /// Whether the client asks a person before a tool runs.
    asked: bool,
    active: Option<Anomaly>,
}

impl Default for Stall {
    fn default() -> Self {
        Self { alive: None, now: None, asked: true, active: None }
    }
}

/// A call whose silence is too long, and what that is.
struct Suspect<'a> {
    kind: AnomalyKind,
    call: &'a InFlight,
}

impl Suspect<'_> {
    fn limits(&self, config: &DetectorConfig) -> (i64, i64) {
        match self.kind {
            AnomalyKind::WaitingForPerson => {
                (config.waiting_millis, config.waiting_escalate_millis)
            }
            _ => (config.stall_millis, config.stall_escalate_millis),
        }
    }
}

impl Stall {
    /// An event came, at this time.
    pub(super) fn event_at(&mut self, millis: i64, calls: &Calls, scope: &mut Scope<'_>) {
        self.look(millis, calls, scope);
        scope.clear(self.active.take());
        self.alive = Some(self.alive.map_or(millis, |alive| alive.max(millis)));
    }

    /// An event came, with its time unknown or already given.
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

    /// Whether the client asks a person before a tool runs, from now on.
    pub(super) fn approval(&mut self, asked: bool) {
        self.asked = asked;
    }

    /// The latest time at which the run is known to have been alive.
    pub(super) fn alive(&self) -> Option<i64> {
        self.alive
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &Anomaly> {
        self.active.iter()
    }

    /// What further silence will mean, while a call is in flight that may not be silent for ever.
    pub(super) fn next_alarm(
        &self,
        calls: &Calls,
        tools: &Tools,
        config: &DetectorConfig,
    ) -> Option<SilenceAlarm> {
        let alive = self.alive?;
        let suspect = self.suspect(config.stall_millis, calls, tools)?;
        Some(SilenceAlarm {
            kind: suspect.kind,
            after: alive.saturating_add(suspect.limits(config).0),
        })
    }

    /// Raises, or brings up to date, what a silence up to `millis` means.
    fn look(&mut self, millis: i64, calls: &Calls, scope: &mut Scope<'_>) {
        let Some(alive) = self.alive else { return };
        let silence = millis.saturating_sub(alive);
        let least = scope.config.stall_millis.min(scope.config.waiting_millis);
        if silence <= least || !calls.any_silent() {
            return;
        }
        let Some(suspect) = self.suspect(silence, calls, scope.tools) else { return };
        let (raised_above, escalated_above) = suspect.limits(scope.config);
        let seconds = u64::try_from(silence / 1000).unwrap_or(0);
        // What it was taken for at first it stays: silence alone tells nothing new.
        if let Some(anomaly) = &mut self.active {
            anomaly.count = anomaly.count.max(seconds);
        } else if silence > raised_above {
            let subject = scope.tools.name(suspect.call.tool).to_owned();
            let (thread, first) = (Some(suspect.call.thread), suspect.call.seq);
            self.active = Some(scope.raise(suspect.kind, thread, subject, first, seconds));
        }
        if let Some(anomaly) = &mut self.active
            && silence > escalated_above
        {
            anomaly.escalate(scope.seq);
        }
    }

    /// The oldest call that runs, or the oldest that waits if none runs.
    fn suspect<'a>(&self, silence: i64, calls: &'a Calls, tools: &Tools) -> Option<Suspect<'a>> {
        let runs = calls.oldest_silent(|call| self.runs(call, silence, tools));
        match runs {
            Some(call) => Some(Suspect { kind: AnomalyKind::Stall, call }),
            None => {
                let call = calls.oldest_silent(|_| true)?;
                Some(Suspect { kind: AnomalyKind::WaitingForPerson, call })
            }
        }
    }

    fn runs(&self, call: &InFlight, silence: i64, tools: &Tools) -> bool {
        let is_slow = || {
            let usual = tools.usual_millis(call.tool).and_then(|usual| i64::try_from(usual).ok());
            usual.is_some_and(|usual| usual.saturating_mul(SLOW_PART) >= silence)
        };
        call.waits_for == WaitsFor::Tool && (call.sign == Sign::Running || !self.asked || is_slow())
    }
}

#[cfg(test)]
mod tests {
    use super::super::feed::Feed;
    use super::super::{AnomalyKind, Observation, OutcomeKind::*, SilenceAlarm};

    /// A run whose client asks nobody.
    fn unattended() -> Feed {
        let mut f = Feed::default();
        f.approval(false);
        f
    }

    #[test]
    fn a_gap_above_the_threshold_is_a_stall_of_the_oldest_call() {
        let mut f = unattended();
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
        assert_eq!(a.message(), "nothing happened for 600 s while Bash had not answered");
        f.answer(call, Succeeded, 1);
        assert!(f.active().is_empty());
    }

    #[test]
    fn silence_with_nothing_in_flight_is_no_stall() {
        let mut f = unattended();
        f.time(0);
        f.call("Bash", 1, Succeeded, 1);
        f.time(9_000_000);
        f.advance(99_000_000);
        assert!(f.active().is_empty() && f.cleared().is_empty());
    }

    #[test]
    fn a_call_that_waits_for_approval_is_no_stall() {
        let mut f = Feed::default();
        f.time(0);
        let call = f.issue("Edit", 1);
        f.time(1_800_000);
        assert!(f.cleared().is_empty(), "half an hour is no alarm");
        f.time(3_600_001);
        let a = f.only_cleared();
        assert_eq!((a.kind, a.subject.as_str()), (AnomalyKind::WaitingForPerson, "Edit"));
        assert_eq!(
            a.message(),
            "Edit showed no sign of running for 1800 s; it probably waited for a person"
        );
        f.answer(call, Denied, 1);
        assert!(f.active().is_empty());
    }

    #[test]
    fn a_question_to_a_person_waits_for_that_person_in_every_mode() {
        let mut f = unattended();
        f.time(0);
        f.ask_person("AskUserQuestion", 1);
        f.time(1_700_000);
        assert!(f.cleared().is_empty());
        f.time(9_000_000);
        assert_eq!(f.only_cleared().kind, AnomalyKind::WaitingForPerson);
        f.issue("Bash", 1);
        f.time(10_000_000);
        assert_eq!(
            (f.cleared()[1].kind, f.cleared()[1].subject.as_str()),
            (AnomalyKind::Stall, "Bash")
        );
    }

    #[test]
    fn a_call_that_wrote_progress_hangs() {
        let mut f = Feed::default();
        f.time(0);
        f.issue("Edit", 1);
        let call = f.issue("Bash", 1);
        f.time(300_000);
        f.running(call);
        f.time(900_001);
        let a = f.only_cleared();
        assert_eq!((a.kind, a.subject.as_str()), (AnomalyKind::Stall, "Bash"));
    }

    #[test]
    fn silence_before_a_call_starts_is_no_stall_of_it() {
        let mut f = Feed::default();
        f.time(0);
        let call = f.issue("Bash", 1);
        f.time(1_200_000);
        f.running(call);
        f.time(1_700_000);
        assert!(f.cleared().is_empty());
    }

    #[test]
    fn a_tool_that_usually_takes_so_long_is_not_taken_for_waiting() {
        let mut f = Feed::default();
        f.time(0);
        for n in 1..=3 {
            let call = f.issue("Bash", n);
            f.time(i64::try_from(n).unwrap() * 500_000);
            f.answer(call, Succeeded, n);
        }
        f.issue("Bash", 9);
        f.time(2_200_000);
        assert_eq!(f.only_cleared().kind, AnomalyKind::Stall);
    }

    #[test]
    fn a_call_whose_tool_has_ended_raises_nothing() {
        let mut f = unattended();
        f.time(0);
        let call = f.issue("Read", 1);
        f.returned(call);
        f.running(call);
        f.time(9_000_000);
        assert!(f.cleared().is_empty());
    }

    #[test]
    fn a_call_that_launches_a_thread_raises_nothing() {
        let mut f = unattended();
        f.time(0);
        f.launch("Task", 1);
        f.time(9_000_000);
        assert!(f.cleared().is_empty());
    }

    #[test]
    fn the_next_alarm_is_told_before_it_is_raised() {
        let mut f = Feed::default();
        f.time(1_000);
        assert_eq!(f.detectors.silence_alarm(), None);
        f.issue("Bash", 1);
        let waiting = SilenceAlarm { kind: AnomalyKind::WaitingForPerson, after: 1_801_000 };
        assert_eq!(f.detectors.silence_alarm(), Some(waiting));
        f.approval(false);
        let stall = SilenceAlarm { kind: AnomalyKind::Stall, after: 601_000 };
        assert_eq!(f.detectors.silence_alarm(), Some(stall));
    }

    #[test]
    fn a_closed_call_is_no_longer_in_flight() {
        let mut f = unattended();
        f.time(0);
        let call = f.issue("Bash", 1);
        f.close(call);
        f.time(9_000_000);
        assert!(f.cleared().is_empty());
    }

    #[test]
    fn advance_raises_escalates_and_the_event_clears_the_same_anomaly() {
        let mut f = unattended();
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
        let mut f = unattended();
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
        let mut f = unattended();
        f.time(1_000_000);
        f.issue("Bash", 1);
        f.time(100);
        f.time(1_300_000);
        assert!(f.cleared().is_empty());
    }
}
