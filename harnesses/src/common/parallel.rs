//! The same work for many items on a few threads, with the results in the items' order: what comes out does not
//! depend on the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

/// Does `work` for each item on at most `jobs` threads.
///
/// After an error no further item is started; the error returned is that of the first failed item, in order.
pub fn map<'a, T: Sync, R: Send>(
    items: &'a [T],
    jobs: usize,
    work: impl Fn(&'a T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let failed = AtomicBool::new(false);
    let results = corpus_gen::parallel::map(items, jobs.max(1), |item| {
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
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn results_are_in_order_whatever_the_number_of_threads() {
        let items: Vec<u64> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            let squares = map(&items, jobs, |n| Ok(n * n)).unwrap();
            assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
        }
        assert!(map(&[] as &[u64], 4, |n| Ok(*n)).unwrap().is_empty());
    }

    #[test]
    fn the_first_error_is_given_and_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..1000).collect();
        let result = map(&items, 2, |n| {
            begun.fetch_add(1, Ordering::Relaxed);
            if *n < 3 { Ok(()) } else { Err(anyhow::anyhow!("item {n}")) }
        });
        let error = result.unwrap_err().to_string();
        assert!(error == "item 3" || error == "item 4", "{error}");
        assert!(begun.load(Ordering::Relaxed) < 1000);
    }
}
