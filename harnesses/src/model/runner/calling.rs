//! The calls under way: the same call is not made twice at once, since the second finds the answer of
//! the first in the cassette.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::super::cassette::CallKey;

#[derive(Debug, Default)]
pub(super) struct Calling {
    keys: Mutex<BTreeSet<CallKey>>,
    left: Notify,
}

impl Calling {
    /// Waits until nobody else makes this call.
    pub(super) async fn enter(&self, key: CallKey) -> Only<'_> {
        loop {
            let left = self.left.notified();
            if self.lock().insert(key) {
                return Only { calling: self, key };
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
pub(super) struct Only<'a> {
    calling: &'a Calling,
    key: CallKey,
}

impl Drop for Only<'_> {
    fn drop(&mut self) {
        self.calling.lock().remove(&self.key);
        self.calling.left.notify_waiters();
    }
}
