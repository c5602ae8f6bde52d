//! How long views take: of a state with 120 facts and 30 episodes, and of a long one whose every table is full.
//!
//! ```text
//! cargo bench -p trace-model --bench view
//! ```

#[path = "../../benches/inputs/mod.rs"]
mod inputs;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use trace_model::adapter::FileRole;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::Folder;
use trace_model::view::{Budget, WorkerView};

fn fold(bytes: &[u8]) -> RunState {
    Folder::of([(FileRole::default(), bytes)], FoldConfig::default(), &mut ()).into_state()
}

fn views(criterion: &mut Criterion) {
    let paper = fold(&inputs::facts_and_turns(120, 30));
    assert_eq!(paper.shown_facts().len(), 120);
    assert_eq!(paper.turns().len(), 30);
    let long = fold(&inputs::facts_and_turns(2_000, 400));
    for (name, state) in [("120 facts, 30 episodes", &paper), ("all tables full", &long)] {
        let mut group = criterion.benchmark_group(format!("view of {name}"));
        for view in [WorkerView::TWO, WorkerView::ONE] {
            println!("{view}: {} bytes", view.compile(state, Budget::Own).len());
            group.bench_function(view.to_string(), |bencher| {
                bencher.iter(|| black_box(view.compile(state, Budget::Own)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, views);
criterion_main!(benches);
