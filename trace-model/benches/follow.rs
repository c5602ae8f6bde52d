//! What following costs at different lengths of a run: an appended record, folded, and with the worker view; a
//! snapshot saved and restored, with its size.
//!
//! ```text
//! cargo bench -p trace-model --bench follow
//! ```

#[path = "../../benches/inputs/mod.rs"]
mod inputs;

use std::fs::{self, File, OpenOptions};
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use trace_model::fold::FoldConfig;
use trace_model::run::Run;
use trace_model::view::{Budget, WorkerView};

/// A run that is followed, and what is appended to it.
struct Growing {
    run: Run,
    file: File,
    next: usize,
    folder: tempfile::TempDir,
}

impl Growing {
    fn new(bytes: usize) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("session.jsonl");
        fs::write(&path, inputs::transcript(bytes)).expect("the transcript can be written");
        let mut run = Run::open(&path, FoldConfig::default()).expect("a transcript");
        run.poll().expect("it can be read");
        let file = OpenOptions::new().append(true).open(&path).expect("it can be appended to");
        Self { run, file, next: 10_000_000, folder }
    }

    /// How long the work takes after an append, for each of so many appends.
    fn times(&mut self, times: u64, mut work: impl FnMut(&mut Run)) -> Duration {
        (0..times).fold(Duration::ZERO, |total, _| {
            self.next += 1;
            let records = inputs::call(self.next);
            self.file.write_all(records.as_bytes()).expect("records can be appended");
            let start = Instant::now();
            work(&mut self.run);
            total + start.elapsed()
        })
    }
}

fn append(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("append of a call and its result");
    for (name, bytes) in [("1 MB", inputs::MB), ("100 MB", 100 * inputs::MB)] {
        let mut growing = Growing::new(bytes);
        let poll = |run: &mut Run| _ = black_box(run.poll().expect("it can be read"));
        group.bench_function(format!("{name}, fold"), |bencher| {
            bencher.iter_custom(|times| growing.times(times, poll));
        });
        group.bench_function(format!("{name}, fold and worker view"), |bencher| {
            bencher.iter_custom(|times| {
                growing.times(times, |run| {
                    poll(run);
                    black_box(WorkerView::TWO.compile(run.state(), Budget::Own));
                })
            });
        });
    }
    group.finish();
}

fn snapshots(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("snapshot");
    group.sample_size(20);
    for (name, bytes) in [("1 MB", inputs::MB), ("100 MB", 100 * inputs::MB)] {
        let mut growing = Growing::new(bytes);
        let path = growing.folder.path().join("snapshot");
        growing.run.save(&path).expect("it can be saved");
        let size = fs::metadata(&path).expect("it was saved").len();
        println!("the snapshot of {name} has {size} bytes");
        group.bench_function(format!("save, {name}"), |bencher| {
            bencher.iter(|| growing.run.save(&path).expect("it can be saved"));
        });
        group.bench_function(format!("resume, {name}"), |bencher| {
            bencher.iter(|| black_box(Run::resume(&path, None).expect("it can be resumed")));
        });
    }
    group.finish();
}

criterion_group!(benches, append, snapshots);
criterion_main!(benches);
