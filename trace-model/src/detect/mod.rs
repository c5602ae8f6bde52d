//! Streaming detectors of a run that goes wrong, with no model behind them: loop, error streak,
//! tool flood, stall, waiting for a person and budget.
//!
//! The fold feeds [`Observation`]s in ledger order and reads [`Anomaly`]s back; nothing here knows
//! events, records or files. Time is an input ([`Observation::Time`], [`Detectors::advance`]), so
//! the same observations always give the same anomalies. Each observation costs a constant amount
//! of work (bounded windows, counts kept up to date), memory is bounded by [`DetectorConfig`], and
//! the whole state is serde-serializable: a restored state goes on exactly as the saved one would.
//!
//! | kind | raised | escalated | cleared |
//! | --- | --- | --- | --- |
//! | `loop` | a call with the same tool, input and result for the third time among the thread's last 12 outcomes | sixth time | none of them is left in the window, progress, or a user turn |
//! | `error_streak` | 5 of the thread's last 6 outcomes failed | 10 failures | two successes in a row, half of the window succeeded, or a user turn |
//! | `tool_flood` | 40 of the thread's last 50 calls go to at most two tools, and fewer than half of the 50 brought anything new | 150 calls | half of the window brought something new, or a user turn |
//! | `stall` | more than 600 s without an event while a call is in flight that runs (below) | three times as long | the next event |
//! | `waiting_for_person` | more than 1,800 s without an event while a call is in flight and none that runs | 4 hours | the next event |
//! | `budget` | dollars or tokens spent are above a limit | twice the limit | spending is corrected to the limit or below |
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

pub use anomaly::{Anomaly, AnomalyKind};
pub use config::DetectorConfig;
pub use detectors::Detectors;
pub use observation::{Observation, OutcomeKind, WaitsFor};
pub use stall::SilenceAlarm;
