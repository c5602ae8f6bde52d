//! A fold that keeps up with a record that grows.

use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::Folder;

use super::recorder::Recorder;

/// The state of a run that is being recorded.
#[derive(Debug)]
pub struct LiveFold {
    folder: Folder,
    read: usize,
}

impl LiveFold {
    /// For a run of which nothing has been read yet.
    pub fn new(config: FoldConfig) -> Self {
        Self { folder: Folder::new(config), read: 0 }
    }

    /// Folds new records. One fold follows one recorder.
    pub fn catch_up(&mut self, recorder: &Recorder) -> &RunState {
        if self.read == 0 {
            let config = self.folder.state().config().clone();
            self.folder = Folder::of_role(recorder.role().clone(), config);
        }
        let new = recorder.bytes().get(self.read..).unwrap_or_default();
        self.folder.push(new);
        self.read += new.len();
        self.folder.state()
    }

    /// The state as of the last time.
    pub fn state(&self) -> &RunState {
        self.folder.state()
    }
}
