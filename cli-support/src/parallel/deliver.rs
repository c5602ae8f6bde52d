//! Threads that work ahead of the one that takes their results, and never too far ahead.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// In which order results are handed on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// That of their items.
    Items,
    /// That in which they are done.
    Done,
}

/// A result, or what a thread panicked with.
type Outcome<R> = Result<R, Box<dyn Any + Send>>;

/// Works on at most `jobs` threads and hands each result on; at most `held` items are begun whose results
/// were not. A panic is passed on when it is its item's turn.
pub(super) fn deliver<'a, T: Sync, R: Send, E>(
    items: &'a [T],
    jobs: usize,
    held: usize,
    order: Order,
    work: impl Fn(&'a T) -> R + Sync,
    mut take: impl FnMut(usize, &'a T, R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = jobs.min(items.len());
    if threads <= 1 {
        let mut items = items.iter().enumerate();
        return items.try_for_each(|(at, item)| take(at, item, work(item)));
    }
    let next = AtomicUsize::new(0);
    let gate = Gate::new(held);
    thread::scope(|scope| {
        let closing = Closing(&gate);
        let (sender, done) = channel();
        for _ in 0..threads {
            let (sender, next, gate, work) = (sender.clone(), &next, &gate, &work);
            scope.spawn(move || keep_working(items, next, gate, work, &sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (at, outcome) in done {
            let key = if order == Order::Items { at } else { turn + waiting.len() };
            waiting.insert(key, (at, outcome));
            while let Some((at, outcome)) = waiting.remove(&turn) {
                let result = outcome.unwrap_or_else(|panic| resume_unwind(panic));
                take(at, &items[at], result)?;
                turn += 1;
                gate.open_to(turn);
            }
        }
        drop(closing);
        Ok(())
    })
}

fn keep_working<'a, T, R>(
    items: &'a [T],
    next: &AtomicUsize,
    gate: &Gate,
    work: &impl Fn(&'a T) -> R,
    sender: &Sender<(usize, Outcome<R>)>,
) {
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some(item) = items.get(at) else { break };
        if !gate.pass(at) {
            break;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| work(item)));
        if sender.send((at, outcome)).is_err() {
            break;
        }
    }
}

/// Lets items begin only as far ahead of what was handed on as may be held.
struct Gate {
    /// How many were handed on; none once no more are wanted.
    handed_on: Mutex<Option<usize>>,
    changed: Condvar,
    held: usize,
}

impl Gate {
    fn new(held: usize) -> Self {
        Self { handed_on: Mutex::new(Some(0)), changed: Condvar::new(), held: held.max(1) }
    }

    /// Waits until the item at this place may begin; `false` if none may any more.
    fn pass(&self, at: usize) -> bool {
        let is_early = |handed_on: &mut Option<usize>| {
            handed_on.is_some_and(|handed_on| at - handed_on.min(at) >= self.held)
        };
        let handed_on = self.changed.wait_while(self.lock(), is_early);
        handed_on.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn open_to(&self, handed_on: usize) {
        *self.lock() = Some(handed_on);
        self.changed.notify_all();
    }

    fn close(&self) {
        *self.lock() = None;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Option<usize>> {
        self.handed_on.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes a gate when dropped, also while a panic unwinds: the scope waits for the threads.
struct Closing<'g>(&'g Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
