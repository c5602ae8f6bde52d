//! FIDELITY.

use std::collections::BTreeSet;

use ground_truth::oracle::{DOLLAR_FIELD_NAMES, ESTIMATE_FIELD_NAMES, FIELD_NAMES};
use harnesses::common::{Reporter, Verdict};
use harnesses::fidelity::{run, verdict};
use scoreboards::{Group, Measure, Row, Scoreboard, Value, to_json, verify};

use crate::support::{claude_code_transcripts, fidelity, write_trace};

const SMALL: [&str; 8] = [
    "--profile",
    "paper",
    "--seeds",
    "201-202",
    "--pathology",
    "default",
    "--pathology-seeds",
    "303",
];

fn board(flags: &[&str]) -> Scoreboard {
    run(&fidelity(flags), &Reporter::silent()).expect("the inputs can be read")
}

fn faults(board: &Scoreboard) -> Vec<String> {
    match verdict(board) {
        Verdict::Holds => Vec::new(),
        Verdict::Fails(faults) => faults,
    }
}

#[test]
fn fold_oracle_and_truth_agree_and_every_fault_is_caught() {
    let board = board(&SMALL);
    assert_eq!(faults(&board), Vec::<String>::new());
    assert_eq!(verify(&board), []);
    let compared: BTreeSet<&str> =
        board.rows.iter().filter_map(|row| row.labels.get("field")).map(String::as_str).collect();
    let names = [FIELD_NAMES, DOLLAR_FIELD_NAMES, ESTIMATE_FIELD_NAMES];
    let all: BTreeSet<&str> = names.concat().into_iter().collect();
    assert_eq!(compared, all, "exactly the oracle's fields are compared");
    let truth = board.aggregate("equal to the truth", &Group::all().and("what", "field")).unwrap();
    assert!(truth.outcome.n > 100, "the generator's truth was compared too");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let of = |jobs: &str| {
        let mut flags = SMALL.to_vec();
        flags.extend(["--jobs", jobs]);
        board(&flags).rows_sha256
    };
    assert_eq!(of("1"), of("3"));
}

/// What the verdict says after a change to one row.
fn after(board: &Scoreboard, id: &str, change: impl Fn(&mut Row)) -> Vec<String> {
    let mut board = board.clone();
    change(board.rows.iter_mut().find(|row| row.id == id).expect("there is such a row"));
    faults(&board)
}

#[test]
fn every_way_to_fail_is_seen() {
    let board = board(&["--profile", "none", "--pathology", "none"]);
    assert_eq!(faults(&board), Vec::<String>::new());
    let set = |name: &'static str, measure: Measure| {
        move |row: &mut Row| {
            row.measures.insert(name.to_owned(), measure.clone());
        }
    };
    let unequal = after(&board, "probe/orphans", set("equal", Measure::Flag(false)));
    assert_eq!(unequal.len(), 1);
    assert!(unequal[0].starts_with("probe/orphans: the fold has"), "{unequal:?}");
    let untrue = after(&board, "probe/goal", set("truth", Measure::Flag(false)));
    assert_eq!(untrue.len(), 1);
    let missed = after(&board, "probe/goal", set("caught", Measure::Flag(false)));
    assert_eq!(missed, ["probe/goal: the fault was not caught"]);
    let idle = Measure::Missing { reason: String::new() };
    let idle = after(&board, "probe/fast_calls", set("caught", idle));
    assert_eq!(idle, ["fast_calls: no run exercises this field"]);
    let tampering = "tampering/a retry is not seen/retries";
    let missed = after(&board, tampering, set("caught", Measure::Flag(false)));
    assert_eq!(missed, [format!("{tampering}: the fault was not caught")]);
}

#[test]
fn nothing_of_a_named_transcript_is_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_trace(folder.path());
    let path = path.to_str().unwrap();
    let board = board(&["--profile", "none", "--pathology", "none", "--transcripts", path]);
    assert_eq!(faults(&board), Vec::<String>::new());
    let runs = board.aggregate("runs", &Group::all().and("what", "run")).unwrap();
    assert_eq!(runs.outcome.value, Value::Count(2), "the probe and the transcript");
    let json = to_json(&board).unwrap();
    assert!(!json.contains("a-name-of-ones-own"));
    let goal = corpus_gen::trace(corpus_gen::Set::Default, 300).truth.goal.unwrap();
    assert!(!json.contains(&goal) && !json.contains("/home/"));
}

#[test_needs::transcripts]
#[test]
fn every_field_is_equal_on_real_transcripts() {
    let folder = claude_code_transcripts();
    let board = board(&["--profile", "none", "--pathology", "none", "--transcripts", folder]);
    assert_eq!(faults(&board), Vec::<String>::new());
    assert_eq!(verify(&board), []);
}
