//! Running many independent jobs on a few threads, with the results in the jobs' order. Used by the generator
//! and by the instruments.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// `work(job)` for each job, on `threads` threads (all processors where 0). The order of the results
/// is that of the jobs, whatever the threads do.
pub fn map<'a, J: Sync, R: Send>(
    jobs: &'a [J],
    threads: usize,
    work: impl Fn(&'a J) -> R + Sync,
) -> Vec<R> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(jobs.len()));
    thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            scope.spawn(|| {
                while let Some((at, job)) = take(jobs, &next) {
                    let result = work(job);
                    // A poisoned lock means that another job panicked; the scope passes that on.
                    if let Ok(mut done) = done.lock() {
                        done.push((at, result));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, J>(jobs: &'a [J], next: &AtomicUsize) -> Option<(usize, &'a J)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(at).map(|job| (at, job))
}
