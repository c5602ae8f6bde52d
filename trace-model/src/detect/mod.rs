//! Streaming detectors of a run that goes wrong, with no model behind them: loop, error streak,
//! tool flood, stall, waiting for a person and budget.
//!
//! The fold feeds [`Observation`]s in ledger order and reads [`Anomaly`]s back; nothing here knows events,
//! records or files. Time is an input ([`Observation::Time`], [`Detectors::advance`]), so the same observations
//! always give the same anomalies. Each observation costs a constant amount of work (bounded windows, counts
//! kept up to date), memory is bounded by [`DetectorConfig`], and the whole state is serde-serializable: a
//! restored state continues exactly as the saved one would.
//!
//! [`DETECTORS`] has a row for each: when it is raised, escalated and cleared, its alert text, and the
//! thresholds with their defaults.
//!
//! A call in flight *runs* if its tool wrote progress since it was issued, or the client asks nobody
//! before tools run (permission mode), or half of the tool's answered calls in this run took at least a
//! quarter of the silence. Otherwise the silence says only that nobody has allowed or answered it: none
//! of 32 silences above 600 s in real sessions could be shown to be a hang (`docs/METHODOLOGY.md`).
//! Calls that launch a subagent, and calls whose tool has ended and only the result is missing, raise
//! neither.
//!
//! A user turn clears what its own thread did: the person has seen it and stepped in.

mod anomaly;
mod budget;
mod calls;
mod config;
mod detectors;
mod flood;
mod observation;
mod repeat;
mod stall;
mod streak;

#[cfg(test)]
mod feed;
#[cfg(test)]
mod proptests;

pub use anomaly::Anomaly;
pub use config::{AnomalyKind, DETECTORS, Detector, DetectorConfig, Threshold, thresholds};
pub use detectors::Detectors;
pub use observation::{Observation, OutcomeKind, WaitsFor};
pub use stall::SilenceAlarm;
