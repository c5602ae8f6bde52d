//! How fast a transcript is parsed, folded and compiled into a view, in bytes a second and as ratios
//! within one run. The transcripts are real ones where a folder of them is named by
//! `TRACEFOLD_TRANSCRIPTS`, otherwise a synthetic one.
//!
//! ```text
//! TRACEFOLD_TRANSCRIPTS=~/.claude/projects cargo bench -p trace-model
//! ```

mod synthetic;

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;
use synthetic::{CALL_BYTES, synthetic};
use trace_model::adapter::{FileRole, Heads, sessions_below};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::TranscriptReader;
use trace_model::run::Folder;
use trace_model::view::flatlog::FlatLog;
use trace_model::view::worker;

/// Bytes of the synthetic transcript.
const SYNTHETIC_BYTES: usize = 16 * 1024 * 1024;

fn transcripts() -> Vec<Vec<u8>> {
    let folder = std::env::var_os("TRACEFOLD_TRANSCRIPTS").map(PathBuf::from);
    let real: Vec<Vec<u8>> = folder.iter().flat_map(|folder| read_all(folder)).collect();
    if real.is_empty() { vec![synthetic(SYNTHETIC_BYTES, 0)] } else { real }
}

fn read_all(folder: &Path) -> Vec<Vec<u8>> {
    let sessions =
        sessions_below(folder, &Heads::default()).expect("the folder of transcripts can be read");
    sessions
        .files
        .iter()
        .map(|path| std::fs::read(path).expect("a transcript can be read"))
        .collect()
}

fn read(bytes: &[u8], mut sink: impl FnMut(&trace_model::event::Record<'_>)) {
    let mut reader = TranscriptReader::new(FileRole::default());
    for chunk in bytes.chunks(256 * 1024) {
        reader.feed(chunk, &mut sink);
    }
    reader.finish(sink);
}

fn fold(bytes: &[u8]) -> RunState {
    let mut state = RunState::new(FoldConfig::default());
    read(bytes, |record| state.apply(record));
    state
}

fn throughput(c: &mut Criterion) {
    let transcripts = transcripts();
    let bytes: usize = transcripts.iter().map(Vec::len).sum();
    let mut group = c.benchmark_group("throughput");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(20);
    // The yardstick: a plain parse of every line, with nothing made of it.
    group.bench_function("plain JSON values", |b| {
        b.iter(|| {
            for line in transcripts.iter().flat_map(|t| t.split(|byte| *byte == b'\n')) {
                black_box(serde_json::from_slice::<Value>(line).ok());
            }
        });
    });
    group.bench_function("parse and fingerprint", |b| {
        b.iter(|| transcripts.iter().for_each(|t| read(t, |record| _ = black_box(record.at))));
    });
    group.bench_function("parse, fingerprint, fold, detect", |b| {
        b.iter(|| transcripts.iter().for_each(|t| _ = black_box(fold(t))));
    });
    group.bench_function("flat log", |b| {
        b.iter(|| {
            for transcript in &transcripts {
                let mut log = FlatLog::default();
                let file = (FileRole::default(), transcript.as_slice());
                Folder::of([file], FoldConfig::default(), &mut log);
                black_box(log.finish());
            }
        });
    });
    group.finish();
}

/// The rate per event must not fall as the run grows.
fn scale(c: &mut Criterion) {
    let mut group = c.benchmark_group("calls");
    group.sample_size(10);
    for calls in [1_000, 100_000] {
        let bytes = synthetic(calls * CALL_BYTES, 0);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("fold of about {calls} calls"), |b| {
            b.iter(|| black_box(fold(&bytes)));
        });
    }
    group.finish();
}

fn view(c: &mut Criterion) {
    let states: Vec<RunState> = transcripts().iter().map(|t| fold(t)).collect();
    c.bench_function("compile the worker view", |b| {
        b.iter(|| {
            for state in &states {
                black_box(worker::compile(state, &worker::WorkerViewConfig::default()));
            }
        });
    });
}

criterion_group!(benches, throughput, scale, view);
criterion_main!(benches);
