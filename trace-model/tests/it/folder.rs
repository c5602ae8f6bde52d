//! A run that is folded while it is being written: what a worker's loop does between its steps.

use proptest::prelude::*;
use serde_json::json;
use trace_model::fold::{FoldConfig, RunState, Statistic};
use trace_model::run::Folder;
use trace_model::view::Variant;
use trace_model::view::worker::{WorkerViewConfig, compile, compile_variant};

use crate::common::{Script, fold, fold_with, pieces};

/// A worker that reads and writes with a workbench's tools.
fn steps(count: u32) -> Script {
    (0..count).fold(Script::new().prompt("Write the sum."), |script, n| {
        let path = format!("chain/{n:03}.txt");
        let text = format!("# padding\ndelta = {}\nnext = chain/{:03}.txt", n * 3 % 17, n + 1);
        let script = script.done("read_file", json!({ "path": path }), &text);
        match n % 5 {
            4 => {
                script.done("write_file", json!({"path": "sum.txt", "content": "total = 9"}), "ok")
            }
            _ => script,
        }
    })
}

fn view(state: &RunState) -> String {
    compile(state, &WorkerViewConfig::default())
}

/// Between any two steps the state is that of the run so far folded whole.
#[test]
fn a_run_folded_step_by_step_is_the_run_folded_whole() {
    let mut folder = Folder::new(FoldConfig::default());
    let mut pushed = 0;
    for count in [1, 2, 7, 7, 30] {
        let bytes = steps(count).bytes();
        folder.push(&bytes[pushed..]);
        pushed = bytes.len();
        assert_eq!(folder.state(), &fold(&bytes).state);
    }
    folder.finish();
    assert_eq!(view(folder.state()), fold(&steps(30).bytes()).view());
    assert_eq!(folder.reading().bad_lines, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn pieces_may_end_anywhere(cuts in prop::collection::vec(any::<usize>(), 0..20)) {
        let bytes = steps(6).bytes();
        let mut folder = Folder::new(FoldConfig::default());
        for piece in pieces(&bytes, &cuts) {
            folder.push(piece);
        }
        folder.finish();
        prop_assert_eq!(folder.state(), &fold(&bytes).state);
    }
}

/// `read_file` and `write_file` with a `path` read and write that file, and its lines are its facts.
#[test]
fn a_workbenchs_tools_read_and_write_files() {
    let state = fold(&steps(10).bytes()).state;
    let uses: Vec<(&str, u64, u64)> = state
        .files()
        .iter()
        .map(|(path, file)| (path.as_str(), file.reads(), file.writes()))
        .collect();
    assert_eq!(uses.len(), 11);
    assert_eq!(uses[0], ("chain/000.txt", 1, 0));
    assert_eq!(uses[10], ("sum.txt", 0, 2));
    let facts = state.facts_in_force();
    assert!(facts.iter().all(|fact| fact.source.starts_with("chain/")), "{facts:?}");
    assert_eq!(facts.iter().filter(|fact| fact.key == "delta").count(), 10);
}

/// A statistic that depends on order follows the order of reading, not of names; a file read again
/// keeps its place; and the view says what it covers.
#[test]
fn a_declared_statistic_follows_the_traversal() {
    let mut config = FoldConfig::default();
    config.facts.statistics = vec![Statistic::Count, Statistic::Sum, Statistic::AlternatingSum];
    let read = |script: Script, path: &str, delta: i32| {
        script.done("read_file", json!({ "path": path }), &format!("delta = {delta}"))
    };
    let script = [("z.txt", 10), ("b.txt", 3), ("m.txt", 5), ("a.txt", 1)]
        .into_iter()
        .fold(Script::new().prompt("go"), |script, (path, delta)| read(script, path, delta));
    // 10 - 3 + 5 - 1; in the order of names it would be 1 - 3 + 5 - 10 = -7.
    let line = "- delta sum 19, alternating sum 11, over 4 values, up to and including ";
    let view_of = |script: &Script| fold_with(&script.bytes(), config.clone()).view();
    assert!(view_of(&script).contains(&format!("{line}a.txt (event 8)")), "{}", view_of(&script));
    let again = read(read(script, "b.txt", 3), "z.txt", 10);
    assert!(view_of(&again).contains(&format!("{line}z.txt (event 12)")), "{}", view_of(&again));
    let unstamped = compile_variant(
        &fold_with(&again.bytes(), config.clone()).state,
        &WorkerViewConfig::default(),
        Variant::Unstamped,
    );
    assert!(unstamped.contains("- delta sum 19, alternating sum 11\n"), "{unstamped}");
}
