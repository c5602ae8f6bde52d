//! A run with what its pages need: opened once, looked at again as it grows. Pages, the server and
//! the terminal view are compiled from it.

use std::path::Path;

use trace_model::fold::{FoldConfig, RunState};
use trace_model::ids::Millis;
use trace_model::run::{Run, RunChange, RunError};

use crate::track::Track;

/// Whether the file of a followed session can be read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum FileStatus {
    /// It can.
    #[default]
    Present,
    /// It is gone or cannot be read; the state is that of the last look.
    Lost(String),
}

/// A run, followed or finished.
#[derive(Debug)]
pub struct Session {
    run: Run,
    track: Track,
    /// The same with a last record whose line has no line feed yet. It is shown, but not built upon: what is
    /// written next may continue its line.
    settled: Option<Box<Settled>>,
    file_status: FileStatus,
    /// How often the file was replaced and reread from the start.
    restarts: u64,
}

#[derive(Debug)]
struct Settled {
    run: Run,
    track: Track,
}

impl Session {
    /// Reads and folds a finished run.
    pub fn finished(path: &Path, config: FoldConfig) -> Result<Self, RunError> {
        let mut session = Self::opened(path, config)?;
        session.run.finish_with(&mut session.track);
        if session.run.reading().known_records == 0 {
            return Err(RunError::NotATranscript(path.to_owned()));
        }
        Ok(session)
    }

    /// Reads and folds a run so far; [`Session::poll`] continues.
    pub fn followed(path: &Path, config: FoldConfig) -> Result<Self, RunError> {
        let mut session = Self::opened(path, config)?;
        session.settle();
        Ok(session)
    }

    fn opened(path: &Path, config: FoldConfig) -> Result<Self, RunError> {
        let mut run = Run::open(path, config)?;
        let mut track = Track::default();
        run.poll_with(&mut track)?;
        Ok(Self { run, track, settled: None, file_status: FileStatus::Present, restarts: 0 })
    }

    /// Reads appended data; returns whether anything changed. A missing or unreadable file is not an error: it
    /// may come back.
    pub fn poll(&mut self) -> bool {
        let before = (self.run.reading().pending_bytes, self.file_status.clone());
        let read = match self.run.poll_with(&mut self.track) {
            Ok(RunChange::Read(bytes)) => {
                self.file_status = FileStatus::Present;
                bytes > 0
            }
            Ok(RunChange::StartedOver { .. }) => {
                self.track = Track::default();
                self.restarts += 1;
                self.poll();
                true
            }
            Ok(RunChange::Gone) => {
                self.file_status = FileStatus::Lost("it is no longer there".to_owned());
                false
            }
            Err(error) => {
                self.file_status = FileStatus::Lost(error.to_string());
                false
            }
        };
        let changed =
            read || before != (self.run.reading().pending_bytes, self.file_status.clone());
        if changed {
            self.settle();
        }
        changed
    }

    fn settle(&mut self) {
        self.settled = self.run.ends_in_a_record().then(|| {
            let mut track = self.track.clone();
            Box::new(Settled { run: self.run.settled_with(&mut track), track })
        });
    }

    /// Tells the run what time it is.
    pub fn advance(&mut self, now: Millis) {
        self.run.state_mut().advance(now);
        if let Some(settled) = &mut self.settled {
            settled.run.state_mut().advance(now);
        }
    }

    /// The run.
    pub fn run(&self) -> &Run {
        self.settled.as_ref().map_or(&self.run, |settled| &settled.run)
    }

    /// Its state.
    pub fn state(&self) -> &RunState {
        self.run().state()
    }

    /// What was kept beside the state.
    pub fn track(&self) -> &Track {
        self.settled.as_ref().map_or(&self.track, |settled| &settled.track)
    }

    /// Whether its file is there.
    pub fn file_status(&self) -> &FileStatus {
        &self.file_status
    }

    /// Number of rereads from the start.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// The time of the run's last event.
    pub fn last_time(&self) -> Option<Millis> {
        self.state().identity().last_time
    }
}
