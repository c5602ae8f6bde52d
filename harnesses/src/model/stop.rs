//! How a run is stopped: the first Ctrl-C lets calls in flight finish and begins no other, the second
//! drops them.

use std::future::pending;
use std::sync::Arc;

use tokio::sync::watch;

use crate::common::Reporter;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Run,
    Stop,
    Abort,
}

/// A handle to stop a run; clones share it.
#[derive(Debug, Clone)]
pub struct StopSignal(Arc<watch::Sender<Level>>);

impl Default for StopSignal {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Level::Run)))
    }
}

impl StopSignal {
    /// A handle that has not been stopped.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begin no further call; those in flight finish and are recorded.
    pub fn request(&self) {
        self.raise(Level::Stop);
    }

    /// Drop the calls in flight too, and record their maximum cost as spent.
    pub fn abort(&self) {
        self.raise(Level::Abort);
    }

    fn raise(&self, level: Level) {
        self.0.send_if_modified(|now| {
            let raised = *now < level;
            *now = level.max(*now);
            raised
        });
    }

    /// Whether no further call is to be begun.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        *self.0.borrow() >= Level::Stop
    }

    /// Ready once no further call is to be begun.
    pub async fn requested(&self) {
        self.reached(Level::Stop).await;
    }

    /// Ready once calls in flight are to be dropped.
    pub async fn aborted(&self) {
        self.reached(Level::Abort).await;
    }

    async fn reached(&self, level: Level) {
        if self.0.subscribe().wait_for(|now| *now >= level).await.is_err() {
            // Cannot happen while this handle holds the sender.
            pending::<()>().await;
        }
    }

    /// Listens for Ctrl-C from now on, inside a runtime; the process no longer ends by it.
    pub fn on_ctrl_c(&self, progress: &Reporter) {
        let (stop, progress) = (self.clone(), progress.clone());
        tokio::spawn(async move {
            while tokio::signal::ctrl_c().await.is_ok() {
                if stop.is_requested() {
                    progress.say("stopping now; calls in flight are dropped, and counted as paid");
                    stop.abort();
                    return;
                }
                progress.say("stopping when the calls in flight are done; Ctrl-C again drops them");
                stop.request();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_abort_is_a_stop_too_and_is_never_taken_back() {
        let stop = StopSignal::new();
        assert!(!stop.is_requested());
        stop.abort();
        stop.request();
        assert!(stop.is_requested());
        stop.clone().requested().await;
        stop.aborted().await;
    }
}
