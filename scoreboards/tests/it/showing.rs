//! What a person sees.

use scoreboards::{ShowOptions, show};

use crate::fixture::{detect, finished, first, work};

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
