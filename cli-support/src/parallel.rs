//! The same work for many items on a few threads, for every command and library that has many files, runs or
//! tasks before it. What comes out does not depend on the number of threads; one thread is a plain loop.
//!
//! [`map`] and [`try_map`] collect results that are small; [`in_order`] and [`as_done`] hand each one on, and
//! hold only a bounded number of them.

mod deliver;

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use deliver::{Order, deliver};

/// Results held at most for each thread: enough to keep the others busy while one item takes long.
const HELD: usize = 32;

/// How many threads to use: as many as asked for, or one per processor.
#[must_use]
pub fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Does `work` for each item on at most `jobs` threads and hands the results on in the items' order, on the
/// calling thread, as soon as it is their turn. An error of `take` ends the work.
pub fn in_order<'a, T: Sync, R: Send, E>(
    items: &'a [T],
    jobs: usize,
    work: impl Fn(&'a T) -> R + Sync,
    mut take: impl FnMut(&'a T, R) -> Result<(), E>,
) -> Result<(), E> {
    let held = jobs.saturating_mul(HELD);
    deliver(items, jobs, held, Order::Items, work, |_, item, result| take(item, result))
}

/// As [`in_order`], but hands the results on as they come, with their items' places.
pub fn as_done<'a, T: Sync, R: Send>(
    items: &'a [T],
    jobs: usize,
    work: impl Fn(&'a T) -> R + Sync,
    mut take: impl FnMut(usize, R),
) {
    let held = jobs.saturating_mul(HELD);
    let take = |at, _: &T, result| -> Result<(), Infallible> {
        take(at, result);
        Ok(())
    };
    let Ok(()) = deliver(items, jobs, held, Order::Done, work, take);
}

/// Does `work` for each item on at most `jobs` threads; the results are in the items' order.
pub fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    jobs: usize,
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<R> {
    let mut results = Vec::with_capacity(items.len());
    let take = |_, _: &T, result| -> Result<(), Infallible> {
        results.push(result);
        Ok(())
    };
    let Ok(()) = deliver(items, jobs, usize::MAX, Order::Items, work, take);
    results
}

/// As [`map`]. After an error no further item is started; the error returned is that of the first failed
/// item, in order.
pub fn try_map<'a, T: Sync, R: Send>(
    items: &'a [T],
    jobs: usize,
    work: impl Fn(&'a T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let failed = AtomicBool::new(false);
    let results = map(items, jobs, |item| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = work(item);
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
