//! Ratios within one run: benchmarks whose best times are kept, and put beside one of them at the end. The best
//! of many is what the machine's other work has spoilt least.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};

/// A group of benchmarks over the same input, and the best time of each.
pub(crate) struct Beside<'a> {
    group: BenchmarkGroup<'a, WallTime>,
    name: &'static str,
    bytes: usize,
    best: Vec<(&'static str, Duration)>,
}

impl<'a> Beside<'a> {
    /// A group over input of so many bytes.
    pub(crate) fn new(criterion: &'a mut Criterion, name: &'static str, bytes: usize) -> Self {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes as u64)).sample_size(20);
        Self { group, name, bytes, best: Vec::new() }
    }

    /// Measures one of the group.
    pub(crate) fn measure<T>(&mut self, name: &'static str, mut work: impl FnMut() -> T) {
        let mut best: Option<Duration> = None;
        self.group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                (0..times).fold(Duration::ZERO, |total, _| {
                    let start = Instant::now();
                    black_box(work());
                    let took = start.elapsed();
                    best = Some(best.map_or(took, |best| best.min(took)));
                    total + took
                })
            });
        });
        self.best.extend(best.map(|best| (name, best)));
    }

    /// Prints the best of each, and what it is of the first.
    pub(crate) fn print(self) {
        self.group.finish();
        let Some((yardstick, first)) = self.best.first() else { return };
        println!("{}, best of each, beside \"{yardstick}\":", self.name);
        for (name, best) in &self.best {
            let seconds = best.as_secs_f64();
            println!(
                "  {name:<44} {:>9.3} ms {:>7.0} MB/s {:>7.3} times its speed",
                seconds * 1e3,
                megabytes(self.bytes) / seconds,
                first.as_secs_f64() / seconds
            );
        }
        println!();
    }
}

#[expect(clippy::cast_precision_loss, reason = "inputs stay far below 2^53 bytes")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
