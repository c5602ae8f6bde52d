//! How long intervals take: 10,000 resamples of 30 clusters and of 200.
//!
//! ```text
//! cargo bench -p ground-truth
//! ```

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ground_truth::stats::{Bootstrap, BootstrapKind, ClusterSum, Level, bootstrap};

const RESAMPLES: u32 = 10_000;

/// Clusters of which no two are alike.
fn clusters(count: u32) -> Vec<ClusterSum> {
    (0..count)
        .map(|at| ClusterSum { num: f64::from(at * 7 % 23), den: f64::from(23 + at * 5 % 11) })
        .collect()
}

fn intervals(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bootstrap");
    for count in [30, 200] {
        let clusters = clusters(count);
        group.throughput(Throughput::Elements(u64::from(RESAMPLES) * u64::from(count)));
        for (name, kind) in [("percentile", BootstrapKind::Percentile), ("BCa", BootstrapKind::Bca)]
        {
            let spec = Bootstrap { kind, resamples: RESAMPLES, seed: 1, level: Level::P95 };
            group.bench_function(format!("{name}, {count} clusters"), |bencher| {
                bencher.iter(|| black_box(bootstrap::ratio(black_box(&clusters), &spec)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, intervals);
criterion_main!(benches);
