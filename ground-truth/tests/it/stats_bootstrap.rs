//! What a bootstrap interval promises: it repeats, it says when it cannot be computed, and it covers.

use ground_truth::stats::{
    Bootstrap, BootstrapKind, ClusterSum, IntervalMethod, Level, StatsError, bootstrap,
};
use proptest::prelude::*;

fn spec(kind: BootstrapKind, seed: u64) -> Bootstrap {
    Bootstrap { kind, resamples: 2000, seed, level: Level::P95 }
}

#[test]
fn the_draws_of_a_seed_never_change() {
    let draws: Vec<_> = bootstrap::Resamples::new(7, 12, 2).collect();
    assert_eq!(draws[0], [9, 5, 0, 3, 4, 4, 4, 2, 7, 11, 7, 7]);
    assert_eq!(draws.len(), 2);
    let other: Vec<_> = bootstrap::Resamples::new(8, 12, 2).collect();
    assert_ne!(draws, other);
}

#[test]
fn what_cannot_be_computed_is_an_error() {
    let bca = spec(BootstrapKind::Bca, 1);
    assert_eq!(bootstrap::mean(&[], &bca), Err(StatsError::NoData));
    assert_eq!(bootstrap::mean(&[vec![1.0, 0.0]], &bca), Err(StatsError::OneCluster));
    assert_eq!(bootstrap::mean(&[vec![], vec![]], &bca), Err(StatsError::Undefined));
    let constant = vec![vec![1.0, 1.0], vec![1.0], vec![1.0]];
    assert_eq!(bootstrap::mean(&constant, &bca), Err(StatsError::Degenerate { value: 1.0 }));
    let none = Bootstrap { resamples: 0, ..bca };
    assert_eq!(bootstrap::mean(&[vec![1.0], vec![2.0]], &none), Err(StatsError::NoResamples));
    let bad = bootstrap::mean(&[vec![1.0], vec![f64::NAN]], &bca);
    assert_eq!(bad, Err(StatsError::NotFinite));
    let out_of_range = bootstrap::from_resamples(
        &[1.0, 2.0],
        |drawn| Some(**drawn.first()?),
        vec![vec![0, 2]],
        BootstrapKind::Percentile,
        Level::P95,
    );
    assert_eq!(out_of_range, Err(StatsError::InvalidResample { resample: 0, clusters: 2 }));
}

#[test]
fn a_resample_without_a_denominator_is_counted_not_skipped() {
    let mut clusters = vec![ClusterSum { num: 0.0, den: 0.0 }; 3];
    clusters.push(ClusterSum { num: 1.0, den: 2.0 });
    let outcome = bootstrap::ratio(&clusters, &spec(BootstrapKind::Percentile, 3));
    let Err(StatsError::UndefinedResamples { undefined, of: 2000 }) = outcome else {
        panic!("{outcome:?}");
    };
    // (3/4)^4 = 32%.
    assert!((500..780).contains(&undefined), "{undefined}");
}

#[test]
fn rows_of_one_cluster_do_not_narrow_the_interval() {
    let alone: Vec<Vec<f64>> = (0..12).map(|i| vec![f64::from(i % 2)]).collect();
    let repeated: Vec<Vec<f64>> = alone.iter().map(|rows| rows.repeat(50)).collect();
    let spec = spec(BootstrapKind::Percentile, 5);
    let (a, b) =
        (bootstrap::mean(&alone, &spec).unwrap(), bootstrap::mean(&repeated, &spec).unwrap());
    assert!((a.lo - b.lo).abs() < 1e-12 && (a.hi - b.hi).abs() < 1e-12, "{a:?} {b:?}");
}

#[test]
fn bca_covers_a_known_mean_about_as_often_as_it_says() {
    let mut covered = 0;
    for trial in 0..200 {
        // Draws of the generator itself as uniform data on 0..1000.
        let data = bootstrap::Resamples::new(trial, 1000, 1).next().unwrap();
        let clusters: Vec<Vec<f64>> =
            data.iter().take(30).map(|&v| vec![f64::from(u32::try_from(v).unwrap())]).collect();
        let spec = Bootstrap { resamples: 400, ..spec(BootstrapKind::Bca, trial) };
        let interval = bootstrap::mean(&clusters, &spec).unwrap();
        covered += u32::from(interval.lo <= 499.5 && 499.5 <= interval.hi);
    }
    assert!((180..=198).contains(&covered), "{covered} of 200");
}

proptest! {
    #[test]
    fn intervals_repeat_and_keep_their_order(
        rows in prop::collection::vec(prop::collection::vec(0_u32..5, 1..4), 2..10),
        seed: u64,
    ) {
        let clusters: Vec<Vec<f64>> =
            rows.iter().map(|r| r.iter().map(|&v| f64::from(v)).collect()).collect();
        for kind in [BootstrapKind::Percentile, BootstrapKind::Bca] {
            let spec = Bootstrap { resamples: 200, ..spec(kind, seed) };
            let first = bootstrap::mean(&clusters, &spec);
            prop_assert_eq!(&first, &bootstrap::mean(&clusters, &spec));
            if let Ok(interval) = first {
                prop_assert!(interval.lo <= interval.hi);
                prop_assert!(interval.lo >= 0.0 && interval.hi <= 4.0);
                let expected = match kind {
                    BootstrapKind::Percentile => IntervalMethod::PercentileBootstrap,
                    BootstrapKind::Bca => IntervalMethod::BcaBootstrap,
                };
                prop_assert_eq!(interval.method, expected);
            }
        }
    }
}
