use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use super::*;

#[test]
fn results_are_in_order_whatever_the_number_of_threads() {
    let items: Vec<u64> = (0..100).collect();
    for jobs in [0, 1, 3, 200] {
        let squares = map(&items, jobs, |n| n * n);
        assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
    }
    assert!(map(&[] as &[u64], 4, |n| *n).is_empty());
}

#[test]
fn the_first_error_is_given_and_ends_the_work() {
    let begun = AtomicUsize::new(0);
    let items: Vec<usize> = (0..1000).collect();
    let result = try_map(&items, 2, |n| {
        begun.fetch_add(1, Ordering::Relaxed);
        if *n < 3 { Ok(()) } else { Err(anyhow::anyhow!("item {n}")) }
    });
    let error = result.unwrap_err().to_string();
    assert!(error == "item 3" || error == "item 4", "{error}");
    assert!(begun.load(Ordering::Relaxed) < 1000);
}

#[test]
fn a_slow_item_holds_up_a_bounded_number_of_results() {
    let items: Vec<usize> = (0..5 * 2 * HELD).collect();
    let (begun, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |n: &usize| {
        let ahead = begun.fetch_add(1, Ordering::SeqCst) - taken.load(Ordering::SeqCst);
        if *n == 0 {
            thread::sleep(Duration::from_millis(50));
        }
        (*n, ahead)
    };
    let mut order = Vec::new();
    let result = in_order(&items, 2, work, |_, (n, ahead)| {
        order.push(n);
        taken.fetch_add(1, Ordering::SeqCst);
        if ahead > 2 * HELD { Err(ahead) } else { Ok(()) }
    });
    assert_eq!((result, order), (Ok(()), items));
}

#[test]
fn results_can_be_had_as_they_are_done() {
    let items: Vec<usize> = (0..50).collect();
    for jobs in [1, 4] {
        let mut seen = vec![0; items.len()];
        as_done(&items, jobs, |n| n * 2, |at, twice| seen[at] = twice);
        assert!(seen.iter().enumerate().all(|(at, twice)| *twice == at * 2));
    }
}

#[test]
fn whoever_takes_the_results_can_end_the_work() {
    let items: Vec<usize> = (0..10_000).collect();
    let begun = AtomicUsize::new(0);
    let work = |n: &usize| {
        begun.fetch_add(1, Ordering::Relaxed);
        *n
    };
    let taken = in_order(&items, 3, work, |_, n| if n == 5 { Err("enough") } else { Ok(()) });
    assert_eq!(taken, Err("enough"));
    assert!(begun.load(Ordering::Relaxed) < 10_000);
}

#[test]
fn a_panic_is_passed_on_after_the_results_before_it() {
    let items: Vec<usize> = (0..1000).collect();
    for jobs in [1, 2] {
        let mut taken = 0;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let work = |n: &usize| assert_ne!(*n, 7, "seven");
            in_order(&items, jobs, work, |_, ()| {
                taken += 1;
                Ok::<(), ()>(())
            })
        }));
        assert!(outcome.is_err());
        assert_eq!(taken, 7);
    }
}
