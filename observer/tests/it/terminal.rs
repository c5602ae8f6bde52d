//! The terminal view, drawn on a terminal in memory.

use observer::mask::Mask;
use observer::page::Subject;
use observer::session::Session;
use observer::tui::{Screen, Scroll, draw};
use serde_json::json;
use trace_model::fold::FoldConfig;
use trace_model::ids::Millis;

use crate::transcript::{Lines, before_rewind, sample, with_background};

fn drawn(text: &str, width: u16, height: u16) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    std::fs::write(&path, text).unwrap();
    let mut session = Session::followed(&path, FoldConfig::default()).unwrap();
    let now = Millis::parse("2026-03-01T10:20:00Z").unwrap();
    session.advance(now);
    let reading = session.run().reading();
    let subject = Subject::of(&session, &reading, Some(now));
    let mut screen = Screen::new(width, height);
    draw(&mut screen, &subject, &Mask::on(), &mut Scroll::default());
    screen.to_string().replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn the_essentials_of_a_small_run() {
    insta::assert_snapshot!(drawn(&sample(), 120, 28));
}

#[test]
fn a_narrow_terminal_shows_them_one_above_the_other() {
    insta::assert_snapshot!(drawn(&sample(), 60, 30));
}

#[test]
fn tasks_in_the_background_a_turn_taken_back_and_a_wait_for_a_person() {
    let mut lines = Lines::fixed("s1");
    let fork = before_rewind(&mut lines);
    lines.prompt_after(&fork, "Share the night shifts.").say("Shared.");
    with_background(&mut lines);
    insta::assert_snapshot!(drawn(&lines.take(), 120, 34));
    let mut lines = Lines::new("s1", Millis::parse("2026-03-01T08:00:00Z").unwrap());
    lines.prompt("go").call("c1", "Edit", &json!({"file_path": "/a"}));
    let screen = drawn(&lines.take(), 120, 20);
    assert!(screen.contains("! Waiting for a person: Edit showed no sign of running"), "{screen}");
}

#[test]
fn nothing_in_a_transcript_moves_the_cursor_and_a_tiny_terminal_is_survived() {
    let attack = "\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}evil\r\n\u{9b}31m";
    let mut lines = Lines::fixed("s1");
    lines.title(attack).prompt(attack).call(attack, attack, &json!({"command": attack}));
    let text = lines.take();
    let screen = drawn(&text, 100, 30);
    assert!(!screen.chars().any(|c| c != '\n' && trace_model::text::is_misleading(c)));
    assert!(screen.contains("\\u{1b}[2J"));
    for (width, height) in [(1, 1), (3, 40), (200, 2), (20, 5)] {
        drawn(&text, width, height);
    }
}
