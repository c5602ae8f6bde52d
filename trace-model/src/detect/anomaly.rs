//! Anomalies, and the bounded record of cleared ones.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::calls::Tools;
use super::config::{AnomalyKind, DetectorConfig};

/// One anomaly, from its raising on. Positions are ledger positions; what [`Detectors::advance`]
/// finds has the position of the last event before it.
///
/// [`Detectors::advance`]: super::Detectors::advance
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anomaly {
    /// What it is.
    pub kind: AnomalyKind,
    /// The thread it is about; none for a budget.
    pub thread: Option<u32>,
    /// The tool or tools it is about, or the limit that was passed.
    pub subject: String,
    /// Where it began: the first of the repeated calls, the first error, the first call of the
    /// flood's window, the oldest call in flight, the spending that passed the limit.
    pub first_seq: u64,
    /// Where it was noticed.
    pub raised_at: u64,
    /// Where it became grave.
    pub escalated_at: Option<u64>,
    /// Where it was over.
    pub cleared_at: Option<u64>,
    /// How much of it: repetitions, failures, calls, whole seconds of silence, percent of the limit.
    pub count: u64,
}

impl Anomaly {
    /// One line for people.
    pub fn message(&self) -> String {
        self.kind.alert(&self.subject, self.count)
    }

    /// Sets `escalated_at` the first time that it is called.
    pub(super) fn escalate(&mut self, seq: u64) {
        self.escalated_at.get_or_insert(seq);
    }
}

/// The anomalies that are over, newest last, up to a bound; and how often each kind was raised.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Log {
    pub(super) cleared: VecDeque<Anomaly>,
    pub(super) dropped: u64,
    raised: [u64; AnomalyKind::ALL.len()],
}

impl Log {
    /// How often a kind was raised.
    pub(super) fn raised(&self, kind: AnomalyKind) -> u64 {
        self.raised[kind as usize]
    }

    fn clear(&mut self, mut anomaly: Anomaly, seq: u64, keep: usize) {
        anomaly.cleared_at = Some(seq);
        self.cleared.push_back(anomaly);
        while self.cleared.len() > keep {
            self.cleared.pop_front();
            self.dropped += 1;
        }
    }
}

/// What every detector works with while it takes in one observation.
pub(super) struct Scope<'a> {
    /// The ledger position at which things happen.
    pub(super) seq: u64,
    pub(super) tools: &'a Tools,
    pub(super) config: &'a DetectorConfig,
    pub(super) log: &'a mut Log,
}

impl Scope<'_> {
    /// A new anomaly, noticed now and counted.
    pub(super) fn raise(
        &mut self,
        kind: AnomalyKind,
        thread: Option<u32>,
        subject: String,
        first_seq: u64,
        count: u64,
    ) -> Anomaly {
        self.log.raised[kind as usize] += 1;
        Anomaly {
            kind,
            thread,
            subject,
            first_seq,
            raised_at: self.seq,
            escalated_at: None,
            cleared_at: None,
            count,
        }
    }

    /// Files an anomaly as over now.
    pub(super) fn clear(&mut self, anomaly: impl IntoIterator<Item = Anomaly>) {
        for anomaly in anomaly {
            self.log.clear(anomaly, self.seq, self.config.keep_cleared);
        }
    }
}
