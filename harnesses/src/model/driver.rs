//! Many jobs at once, each a call or a conversation of many calls: a bounded number of them is under
//! way, results come in the order in which they finish, and a stop begins no further one.

use std::future::Future;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::stop::StopSignal;

/// What to do after a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Continue.
    Continue,
    /// Start no more jobs, and wait for those in flight.
    Stop,
}

/// How a run of jobs ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobsSummary {
    /// Jobs that gave a result.
    pub done: usize,
    /// Jobs never begun.
    pub not_begun: usize,
}

impl JobsSummary {
    /// Whether every job was begun and gave a result.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.not_begun == 0
    }
}

/// Does `work` for each job, at most `at_once` at a time, and hands each result to `on_done` as it
/// comes; `on_done` is never called twice at once.
///
/// After a stop, a [`Next::Stop`] or an error of `on_done`, no more jobs are started, but those in flight are
/// finished and handed over.
///
/// # Errors
/// The first error of `on_done`.
pub async fn run_all<J, T, Fut>(
    jobs: impl IntoIterator<Item = J>,
    at_once: usize,
    stop: &StopSignal,
    work: impl Fn(J) -> Fut,
    mut on_done: impl FnMut(T) -> anyhow::Result<Next>,
) -> anyhow::Result<JobsSummary>
where
    Fut: Future<Output = T>,
{
    let mut jobs = jobs.into_iter();
    let mut under_way = FuturesUnordered::new();
    let (mut done, mut ending, mut failure) = (0, false, None);
    loop {
        while !ending && !stop.is_requested() && under_way.len() < at_once.max(1) {
            let Some(job) = jobs.next() else { break };
            under_way.push(work(job));
        }
        let Some(result) = under_way.next().await else { break };
        done += 1;
        match on_done(result) {
            Ok(Next::Continue) => {}
            Ok(Next::Stop) => ending = true,
            Err(error) => {
                ending = true;
                failure.get_or_insert(error);
            }
        }
    }
    match failure {
        Some(error) => Err(error),
        None => Ok(JobsSummary { done, not_begun: jobs.count() }),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn no_more_jobs_than_allowed_are_under_way_and_all_are_done() {
        let (now, most) = (Cell::new(0_usize), Cell::new(0_usize));
        let mut seen = Vec::new();
        let work = |job: u32| {
            let (now, most) = (&now, &most);
            async move {
                now.set(now.get() + 1);
                most.set(most.get().max(now.get()));
                tokio::task::yield_now().await;
                now.set(now.get() - 1);
                job
            }
        };
        let stop = StopSignal::new();
        let ended = run_all(0..50, 7, &stop, work, |job| {
            seen.push(job);
            Ok(Next::Continue)
        });
        assert_eq!(ended.await.unwrap(), JobsSummary { done: 50, not_begun: 0 });
        seen.sort_unstable();
        assert_eq!(seen, (0..50).collect::<Vec<_>>());
        assert_eq!(most.get(), 7);
    }

    #[tokio::test]
    async fn a_stop_finishes_what_is_under_way_and_begins_nothing() {
        let stop = StopSignal::new();
        let mut seen = 0;
        let work = |job: u32| async move {
            tokio::task::yield_now().await;
            job
        };
        let ended = run_all(0..50, 4, &stop, work, |_| {
            seen += 1;
            stop.request();
            Ok(Next::Continue)
        });
        assert_eq!(ended.await.unwrap(), JobsSummary { done: 4, not_begun: 46 });
        assert_eq!(seen, 4);
    }

    #[tokio::test]
    async fn an_error_is_given_after_what_was_under_way() {
        let (mut seen, stop) = (0, StopSignal::new());
        let ended = run_all(
            0..50,
            4,
            &stop,
            |job: u32| async move { job },
            |_| {
                seen += 1;
                anyhow::bail!("row {seen}")
            },
        );
        assert_eq!(ended.await.unwrap_err().to_string(), "row 1");
        assert_eq!(seen, 4);
    }
}
