//! Limits concurrent attempts: as many as the user allows, fewer while the provider complains. A complaint
//! halves the number, each round of answers without one adds one again (additive increase, multiplicative
//! decrease), and it is never under one. When a provider names a time to come back, nothing is sent before it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

#[derive(Debug)]
pub(super) struct Limiter {
    most: usize,
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug)]
struct State {
    limit: usize,
    under_way: usize,
    /// Answers since the limit last changed.
    answers: usize,
    /// Number of times the limit was halved.
    halvings: u64,
    /// Nothing is sent before this.
    not_before: Option<Instant>,
}

impl Limiter {
    /// At most this many, and at least one.
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1);
        let state = State { limit: most, under_way: 0, answers: 0, halvings: 0, not_before: None };
        Self { most, state: Mutex::new(state), freed: Notify::new() }
    }

    /// Waits for a place.
    pub(super) async fn acquire(&self) -> Permit<'_> {
        loop {
            let freed = self.freed.notified();
            let pause = {
                let mut state = self.lock();
                let pause = state.not_before.filter(|until| *until > Instant::now());
                if pause.is_none() && state.under_way < state.limit {
                    state.under_way += 1;
                    return Permit { limiter: self, halvings: state.halvings };
                }
                pause
            };
            match pause {
                Some(until) => sleep_until(until).await,
                None => freed.await,
            }
        }
    }

    /// The current limit, and the attempts in flight.
    pub(super) fn now(&self) -> (usize, usize) {
        let state = self.lock();
        (state.limit, state.under_way)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place. It is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    limiter: &'a Limiter,
    /// Halvings before it was taken: complaints about one burst halve once.
    halvings: u64,
}

impl Permit<'_> {
    /// The provider answered without complaint.
    pub(super) fn answered(&self) {
        let mut state = self.limiter.lock();
        state.answers += 1;
        if state.answers >= state.limit && state.limit < self.limiter.most {
            state.limit += 1;
            state.answers = 0;
        }
    }

    /// The provider complained of too much at once.
    pub(super) fn complained(&self, retry_after: Option<Duration>) {
        let mut state = self.limiter.lock();
        if state.halvings == self.halvings {
            state.limit = (state.limit / 2).max(1);
            state.halvings += 1;
            state.answers = 0;
        }
        if let Some(until) = retry_after.and_then(|wait| Instant::now().checked_add(wait)) {
            state.not_before = Some(state.not_before.map_or(until, |there| there.max(until)));
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limiter.lock().under_way -= 1;
        // More than one may have come free, where the limit grew.
        self.limiter.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn complaints_of_one_burst_halve_once_and_answers_recover() {
        let limiter = Limiter::new(8);
        let mut burst = Vec::new();
        for _ in 0..8 {
            burst.push(limiter.acquire().await);
        }
        assert_eq!(limiter.now(), (8, 8));
        for permit in &burst {
            permit.complained(None);
        }
        drop(burst);
        assert_eq!(limiter.now(), (4, 0));
        for _ in 0..4 {
            limiter.acquire().await.answered();
        }
        assert_eq!(limiter.now().0, 5);
        for _ in 0..5 + 6 + 7 + 100 {
            limiter.acquire().await.answered();
        }
        assert_eq!(limiter.now(), (8, 0));
    }

    #[tokio::test]
    async fn it_never_falls_under_one() {
        let limiter = Limiter::new(0);
        for _ in 0..3 {
            limiter.acquire().await.complained(None);
        }
        assert_eq!(limiter.now(), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_sent_before_the_time_to_come_back() {
        let limiter = Limiter::new(4);
        let begun = Instant::now();
        limiter.acquire().await.complained(Some(Duration::from_secs(7)));
        limiter.acquire().await.complained(Some(Duration::from_secs(1)));
        assert!(begun.elapsed() >= Duration::from_secs(7));
    }
}
