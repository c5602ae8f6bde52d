//! What the detectors say over a run, and where in its files.

use trace_model::detect::{Anomaly, AnomalyKind, DetectorConfig};
use trace_model::fold::FoldConfig;

use crate::folding::{Folded, Location, fold};
use crate::inputs::RunInput;

/// An alarm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alarm {
    pub(super) kind: AnomalyKind,
    /// The tool or tools, or the limit.
    pub(super) subject: String,
    /// Whether it is about the main thread.
    pub(super) main_thread: bool,
    /// Ledger position at which it was raised.
    pub(super) raised_at: u64,
    /// Where that is.
    pub(super) raised: Location,
    /// Where its cause began.
    pub(super) first: Location,
    pub(super) escalated: bool,
    pub(super) count: u64,
    /// The line for people.
    pub(super) message: String,
}

impl Alarm {
    fn of(anomaly: &Anomaly, folded: &Folded) -> Self {
        Self {
            kind: anomaly.kind,
            subject: anomaly.subject.clone(),
            main_thread: anomaly.thread.is_none_or(|thread| thread == 0),
            raised_at: anomaly.raised_at,
            raised: folded.locations.of(anomaly.raised_at),
            first: folded.locations.of(anomaly.first_seq),
            escalated: anomaly.escalated_at.is_some(),
            count: anomaly.count,
            message: anomaly.message(),
        }
    }

    /// The message without its counts, so that equal situations are counted together.
    pub(super) fn situation(&self) -> String {
        format!("{}: {}", self.kind, self.subject)
    }
}

/// The alarms over a run in the order in which they were raised, and the folded run.
pub(super) fn alarms(run: &RunInput, detectors: &DetectorConfig) -> (Vec<Alarm>, Folded) {
    let config = FoldConfig { detectors: detectors.clone(), ..FoldConfig::default() };
    let folded = fold(&run.files.transcripts(), config);
    let state = &folded.state;
    let all = state.cleared_anomalies().chain(state.active_anomalies());
    let mut alarms: Vec<Alarm> = all.map(|anomaly| Alarm::of(anomaly, &folded)).collect();
    alarms.sort_by(|a, b| {
        (a.raised_at, a.kind, a.first, &a.subject).cmp(&(b.raised_at, b.kind, b.first, &b.subject))
    });
    (alarms, folded)
}
