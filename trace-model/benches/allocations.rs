//! Allocations and allocated bytes an event, of the plain program, of parsing, and of parsing and folding. Counts,
//! not times: the same on every machine and in every run.
//!
//! ```text
//! TRACEFOLD_TRANSCRIPTS=~/.claude/projects cargo bench -p trace-model --bench allocations
//! ```

#[path = "../../benches/inputs/mod.rs"]
mod inputs;
#[path = "../../benches/plain/mod.rs"]
mod plain;

use std::hint::black_box;

use allocation_counter::{AllocationInfo, measure};
use trace_model::adapter::FileRole;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::TranscriptReader;
use trace_model::view::{Budget, WorkerView};

fn main() {
    let transcripts = inputs::transcripts();
    let (mut events, mut records) = (0, 0);
    let parse = measure(|| {
        for bytes in &transcripts {
            let mut reader = TranscriptReader::new(FileRole::default());
            reader.feed(bytes, |record| {
                events += record.events.len() as u64;
                records += 1;
            });
        }
    });
    let plain = measure(|| {
        for bytes in &transcripts {
            black_box(plain::Seen::of_bytes(bytes));
        }
    });
    let mut states = Vec::new();
    let fold = measure(|| {
        for bytes in &transcripts {
            let mut state = RunState::new(FoldConfig::default());
            TranscriptReader::new(FileRole::default()).feed(bytes, |record| state.apply(record));
            states.push(state);
        }
    });
    println!("{events} events in {records} records of {} transcripts", transcripts.len());
    println!("{:<40} {:>14} {:>10} {:>14}", "", "allocations", "an event", "bytes an event");
    print("plain program", &plain, events);
    print("parse", &parse, events);
    print("parse, fold, detectors, episodes", &fold, events);
    let view = measure(|| {
        for state in &states {
            black_box(WorkerView::TWO.compile(state, Budget::Own));
        }
    });
    let views = states.len();
    println!("worker view: {} allocations a view", view.count_total / (views as u64).max(1));
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn print(what: &str, info: &AllocationInfo, events: u64) {
    let events = events.max(1) as f64;
    println!(
        "{what:<40} {:>14} {:>10.2} {:>14.0}",
        info.count_total,
        info.count_total as f64 / events,
        info.bytes_total as f64 / events
    );
}
