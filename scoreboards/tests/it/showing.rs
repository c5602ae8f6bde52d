//! What a person sees.

use scoreboards::{IntervalOutcome, NotComputable, ShowOptions, load, show, verify};

use crate::fixture::{detect, few, finished, first, work};

#[test]
fn a_detect_board() {
    let text = show(&finished(detect()), ShowOptions::default());
    // A row's text cannot reach the terminal as a control sequence.
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
    insta::assert_snapshot!("detect", text);
}

#[test]
fn a_continue_board_with_rows_and_cuts() {
    let options = ShowOptions { max_aggregates: 1, max_rows: 2 };
    insta::assert_snapshot!("continue_cut", show(&finished(work(first(7), "1")), options));
}

#[test]
fn an_interval_over_too_few_clusters_is_stored_and_not_shown() {
    for transcripts in [1, 2, 7] {
        let board = few(transcripts);
        assert_eq!(verify(&board), []);
        let text = show(&board, ShowOptions::default());
        assert_eq!(text.matches(&format!("too few clusters ({transcripts})")).count(), 1, "{text}");
        assert!(!text.contains("bootstrap"), "{text}");
        assert_eq!(text.matches("95% Clopper-Pearson").count(), 1, "{text}");
        let (outcome, exact) = (&board.aggregates[0].outcome, &board.aggregates[1].outcome);
        let clusters = transcripts as u64;
        let too_few = IntervalOutcome::NotComputable(NotComputable::TooFewClusters { clusters });
        assert_eq!(outcome.shown_interval(), Some(too_few.clone()));
        assert_ne!(outcome.interval, Some(too_few), "what is stored is what was computed");
        assert_eq!(exact.shown_interval(), exact.interval);
    }
    let eight = few(8);
    assert_eq!(eight.aggregates[0].outcome.shown(), eight.aggregates[0].outcome);
    assert!(show(&eight, ShowOptions::default()).contains("95% BCa bootstrap"));
}

#[test]
fn a_committed_board_over_two_transcripts_holds_and_shows_no_bootstrap_interval() {
    let runs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("runs");
    let board = load(&runs.join("comprehend-2026-11-30-ba1fc331.json")).unwrap();
    assert_eq!(verify(&board), []);
    let text = show(&board, ShowOptions::default());
    assert!(text.contains("too few clusters (2)") && !text.contains("bootstrap"), "{text}");
}
