//! The budget: before an attempt its maximum cost is reserved; afterwards its actual cost replaces the
//! reservation. So spending plus reservations never exceeds the cap, however many calls race.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use trace_model::pricing::Dollars;

/// The cap and what counts against it.
#[derive(Debug)]
pub(super) struct Budget {
    cap: Dollars,
    state: Mutex<State>,
    settled: Notify,
}

#[derive(Debug)]
struct State {
    spent: Dollars,
    reserved: Dollars,
}

/// Why nothing was reserved: even if every call in flight cost nothing, this one might not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exhausted {
    pub(super) cap: Dollars,
    pub(super) spent: Dollars,
}

impl Budget {
    /// A cap that is partly spent.
    pub(super) fn new(cap: Dollars, spent: Dollars) -> Self {
        let state = Mutex::new(State { spent, reserved: Dollars::ZERO });
        Self { cap, state, settled: Notify::new() }
    }

    /// Reserves the maximum cost of an attempt. While it does not fit only because of what others have set
    /// aside, it waits for them.
    pub(super) async fn reserve(&self, most: Dollars) -> Result<Reserved<'_>, Exhausted> {
        loop {
            // Listening begins before looking, so that no settlement is missed in between.
            let settled = self.settled.notified();
            {
                let mut state = self.lock();
                if state.spent + state.reserved + most <= self.cap {
                    state.reserved += most;
                    return Ok(Reserved { budget: self, most, open: true });
                }
                if state.spent + most > self.cap {
                    return Err(Exhausted { cap: self.cap, spent: state.spent });
                }
            }
            settled.await;
        }
    }

    fn settle(&self, most: Dollars, cost: Dollars) {
        let mut state = self.lock();
        state.reserved = state.reserved - most;
        state.spent += cost;
        drop(state);
        self.settled.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An amount set aside. Dropped without being settled, as when a call is abandoned, it counts as spent.
#[derive(Debug)]
pub(super) struct Reserved<'a> {
    budget: &'a Budget,
    most: Dollars,
    open: bool,
}

impl Reserved<'_> {
    /// Puts what the attempt cost in its place.
    pub(super) fn settle(mut self, cost: Dollars) {
        self.open = false;
        self.budget.settle(self.most, cost);
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if self.open {
            self.budget.settle(self.most, self.most);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rust_decimal::Decimal;
    use tokio::time::timeout;

    use super::*;

    fn cents(n: i64) -> Dollars {
        Dollars::new(Decimal::new(n, 2))
    }

    #[tokio::test]
    async fn what_does_not_fit_waits_for_what_is_set_aside_and_is_refused_by_what_is_spent() {
        let budget = Budget::new(cents(10), cents(1));
        let first = budget.reserve(cents(6)).await.unwrap();
        let second = budget.reserve(cents(6));
        tokio::pin!(second);
        assert!(timeout(Duration::from_millis(20), &mut second).await.is_err());
        first.settle(cents(2));
        second.await.unwrap().settle(cents(6));
        let refused = budget.reserve(cents(2)).await.unwrap_err();
        assert_eq!(refused, Exhausted { cap: cents(10), spent: cents(9) });
        budget.reserve(cents(1)).await.unwrap().settle(cents(1));
    }

    #[tokio::test]
    async fn an_abandoned_call_counts_as_spent() {
        let budget = Budget::new(cents(10), Dollars::ZERO);
        drop(budget.reserve(cents(7)).await.unwrap());
        assert_eq!(budget.reserve(cents(4)).await.unwrap_err().spent, cents(7));
    }
}
