//! What following costs at different lengths of a run: reading one appended record, with and without the
//! worker view of the new state; saving a snapshot and restoring it, with its size.
//!
//! ```text
//! cargo bench -p trace-model --bench follow
//! ```

mod synthetic;

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use synthetic::{CALL_BYTES, synthetic};
use tempfile::TempDir;
use trace_model::fold::FoldConfig;
use trace_model::run::Run;
use trace_model::view::worker;

/// Bytes of the runs that are followed.
const LENGTHS: [usize; 3] = [1_000_000, 10_000_000, 100_000_000];

/// A run of about this many bytes, read to its end.
fn followed(folder: &TempDir, bytes: usize) -> Run {
    let path = folder.path().join(format!("{bytes}.jsonl"));
    fs::write(&path, synthetic(bytes, 0)).expect("a transcript can be written");
    let mut run = Run::open(&path, FoldConfig::default()).expect("it is a transcript");
    run.poll().expect("it can be read");
    run
}

fn append(path: &Path, line: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).expect("it can be opened");
    file.write_all(line).expect("it can be written");
}

fn append_and_refresh(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = c.benchmark_group("append a record");
    for bytes in LENGTHS {
        let mut run = followed(&folder, bytes);
        let path = run.session().to_owned();
        let mut next = bytes / CALL_BYTES + 1;
        let mut record = || {
            next += 1;
            let call = synthetic(1, next);
            let end = call.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            append(&path, &call[..end]);
        };
        group.bench_function(format!("read and fold, {} MB", bytes / 1_000_000), |b| {
            b.iter_batched(
                &mut record,
                |()| black_box(run.poll().expect("it can be read")),
                BatchSize::PerIteration,
            );
        });
        group.bench_function(format!("and view, {} MB", bytes / 1_000_000), |b| {
            b.iter_batched(
                &mut record,
                |()| {
                    run.poll().expect("it can be read");
                    worker::compile(run.state(), &worker::WorkerViewConfig::default())
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn snapshots(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut group = c.benchmark_group("snapshot");
    group.sample_size(20);
    for bytes in LENGTHS {
        let mut run = followed(&folder, bytes);
        let path = folder.path().join("snapshot");
        run.save(&path).expect("it can be saved");
        let size = fs::metadata(&path).expect("it was saved").len();
        println!("snapshot of {bytes} bytes: {size} bytes");
        group.bench_function(format!("save, {} MB", bytes / 1_000_000), |b| {
            b.iter(|| run.save(&path).expect("it can be saved"));
        });
        group.bench_function(format!("resume, {} MB", bytes / 1_000_000), |b| {
            b.iter(|| black_box(Run::resume(&path, None).expect("it can be resumed")));
        });
    }
    group.finish();
}

criterion_group!(benches, append_and_refresh, snapshots);
criterion_main!(benches);
