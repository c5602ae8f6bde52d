//! How fast transcripts are parsed, folded and logged, beside the plain program over the same bytes in the same
//! run; and whether the time an event takes grows with the run. The transcripts are Claude Code's, real ones where
//! a folder of them is named by `TRACEFOLD_TRANSCRIPTS`, otherwise an invented one.
//!
//! ```text
//! TRACEFOLD_TRANSCRIPTS=~/.claude/projects cargo bench -p trace-model --bench fold
//! ```

#[path = "../../benches/plain/beside.rs"]
mod beside;
#[path = "../../benches/inputs/mod.rs"]
mod inputs;
#[path = "../../benches/plain/mod.rs"]
mod plain;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use trace_model::adapter::FileRole;
use trace_model::detect::{DetectorConfig, Detectors, Observation, OutcomeKind, WaitsFor};
use trace_model::event::Record;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::TranscriptReader;
use trace_model::run::Folder;
use trace_model::view::flatlog::FlatLog;

use self::beside::Beside;
use self::plain::Seen;

fn read(bytes: &[u8], mut sink: impl FnMut(&Record<'_>)) {
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

fn flat_log(bytes: &[u8]) -> String {
    let mut log = FlatLog::default();
    Folder::of([(FileRole::default(), bytes)], FoldConfig::default(), &mut log);
    log.finish()
}

fn transcripts(criterion: &mut Criterion) {
    let transcripts = inputs::transcripts();
    let bytes = transcripts.iter().map(Vec::len).sum();
    let mut beside = Beside::new(criterion, "transcripts", bytes);
    beside.measure("plain program", || {
        transcripts.iter().map(|it| Seen::of_bytes(it).blocks).sum::<u64>()
    });
    beside.measure("parse and fingerprint", || {
        for it in &transcripts {
            read(it, |record| _ = black_box(record.at));
        }
    });
    beside.measure("parse, fold, detectors, episodes", || {
        transcripts.iter().map(|it| fold(it).observed().events).sum::<u64>()
    });
    beside.measure("the same, and the flat log", || {
        transcripts.iter().map(|it| flat_log(it).len()).sum::<usize>()
    });
    beside.print();
}

/// The time an event takes must not grow with the run.
fn scale(criterion: &mut Criterion) {
    for (name, calls) in [("1,000 calls", 1_000), ("100,000 calls", 100_000)] {
        let bytes = inputs::short_calls(calls);
        let mut beside = Beside::new(criterion, name, bytes.len());
        beside.measure("plain program", || Seen::of_bytes(&bytes));
        beside.measure("parse, fold, detectors, episodes", || fold(&bytes));
        beside.print();
    }
}

/// The detectors alone: calls and their outcomes, some of which repeat and fail.
fn detectors(criterion: &mut Criterion) {
    const CALLS: u64 = 50_000;
    let mut group = criterion.benchmark_group("detectors");
    group.throughput(Throughput::Elements(2 * CALLS)).sample_size(20);
    group.bench_function("calls and outcomes", |bencher| {
        bencher.iter(|| {
            let mut detectors = Detectors::new(DetectorConfig::default());
            for call in 0..CALLS {
                let (seq, thread) = (2 * call, 0);
                detectors.observe(&Observation::Call {
                    seq,
                    thread,
                    call,
                    tool: if call % 4 == 0 { "Bash" } else { "Read" },
                    input_hash: call % 50,
                    waits_for: WaitsFor::Tool,
                    writes: call % 9 == 0,
                });
                let failed = call % 11 < 4;
                detectors.observe(&Observation::Outcome {
                    seq: seq + 1,
                    thread,
                    call,
                    result: if failed { OutcomeKind::Failed } else { OutcomeKind::Succeeded },
                    result_hash: call % 13,
                });
            }
            black_box(detectors)
        });
    });
    group.finish();
}

criterion_group!(benches, transcripts, scale, detectors);
criterion_main!(benches);
