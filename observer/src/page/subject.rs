//! What a page is compiled from.

use std::path::Path;

use trace_model::fold::RunState;
use trace_model::ids::Millis;
use trace_model::reader::ReadStats;

use crate::session::{FileStatus, Session};
use crate::track::Track;

/// What a page is compiled from.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The session's file; none for a run that was never in one.
    pub path: Option<&'a Path>,
    /// The run's state.
    pub state: &'a RunState,
    /// What was kept beside it.
    pub track: &'a Track,
    /// What reading came across.
    pub reading: &'a ReadStats,
    /// Files of the run.
    pub files: u64,
    /// Whether the file is still there.
    pub file_status: &'a FileStatus,
    /// Number of rereads from the start.
    pub restarts: u64,
    /// The time at which the run is looked at: what ages are counted to.
    pub now: Option<Millis>,
    /// Whether the page follows the run.
    pub live: bool,
}

impl<'a> Subject<'a> {
    /// A session at a time; without one, at the time of its last event.
    pub fn of(session: &'a Session, reading: &'a ReadStats, now: Option<Millis>) -> Self {
        Self {
            path: Some(session.run().session()),
            state: session.state(),
            track: session.track(),
            reading,
            files: session.run().readings().count() as u64,
            file_status: session.file_status(),
            restarts: session.restarts(),
            now: now.or(session.last_time()),
            live: false,
        }
    }

    /// How long ago a time is, in milliseconds; none if either is not known.
    pub(crate) fn age(&self, time: Option<Millis>) -> Option<i64> {
        Some(self.now?.0.saturating_sub(time?.0))
    }
}
