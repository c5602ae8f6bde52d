//! The comparison over time holds a line.

use scoreboards::Instrument;

use crate::support::{answer, board, report, run, save, stdout};

fn curated(failures: u32) -> scoreboards::Scoreboard {
    let rows = (1..=20).map(|seed| run("curated", seed, seed > failures, "1.5")).collect();
    board(Instrument::Continue, rows)
}

#[test]
fn a_cell_that_falls_past_the_threshold_is_named_and_ends_in_1() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), "a", &curated(0));
    save(folder.path(), "b", &curated(6));
    let assert = report(folder.path(), &["diff", "a", "b", "--threshold", "0.1"]).code(1);
    insta::assert_snapshot!("diff-fell", stdout(&assert));
    report(folder.path(), &["diff", "a", "b", "--threshold", "0.3"]).code(0);
    report(folder.path(), &["diff", "b", "a", "--threshold", "0"]).code(0);
    report(folder.path(), &["diff", "a", "b"]).code(0);
}

#[test]
fn a_cell_that_is_gone_is_past_any_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows: Vec<_> = (1..=5).map(|seed| run("full", seed, true, "2")).collect();
    let only_full = board(Instrument::Continue, rows.clone());
    rows.extend((1..=5).map(|seed| run("curated", seed, true, "1")));
    save(folder.path(), "a", &board(Instrument::Continue, rows));
    save(folder.path(), "b", &only_full);
    let assert = report(folder.path(), &["diff", "a", "b", "--threshold", "0.5"]).code(1);
    assert!(stdout(&assert).contains("curated is gone"), "{}", stdout(&assert));
}

#[test]
fn scores_are_compared_by_transcript() {
    let folder = tempfile::tempdir().unwrap();
    let scores = |low: &str| {
        let rows = (1..=8).map(|t| answer("view", t, if t % 2 == 0 { low } else { "1" })).collect();
        board(Instrument::Comprehend, rows)
    };
    save(folder.path(), "a", &scores("1"));
    save(folder.path(), "b", &scores("0.5"));
    let assert = report(folder.path(), &["diff", "a", "b", "--threshold", "0.2"]).code(1);
    insta::assert_snapshot!("diff-scores", stdout(&assert));
}
