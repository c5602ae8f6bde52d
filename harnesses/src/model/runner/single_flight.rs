//! Calls in flight: the same call is never made twice at once, since the second finds the answer of the first
//! in the cassette.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::super::cassette::CallKey;

#[derive(Debug, Default)]
pub(super) struct SingleFlight {
    keys: Mutex<BTreeSet<CallKey>>,
    left: Notify,
}

impl SingleFlight {
    /// Waits until nobody else makes this call.
    pub(super) async fn enter(&self, key: CallKey) -> Flight<'_> {
        loop {
            let left = self.left.notified();
            if self.lock().insert(key) {
                return Flight { single_flight: self, key };
            }
            left.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<CallKey>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The only one to make a call, until this is dropped.
#[derive(Debug)]
pub(super) struct Flight<'a> {
    single_flight: &'a SingleFlight,
    key: CallKey,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.single_flight.lock().remove(&self.key);
        self.single_flight.left.notify_waiters();
    }
}
