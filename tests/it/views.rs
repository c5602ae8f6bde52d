//! What a worker or a baseline reader is shown.

use serde_json::Value;

use crate::support::{Folder, json_lines, session, stdout, tracefold};

/// A view's stamp changes with every release of its renderer; the text is what these tests pin.
fn without_fingerprint(text: &str) -> String {
    let Some(at) = text.find("(fingerprint ") else { return text.to_owned() };
    let end = text[at..].find(')').unwrap() + at;
    format!("{}(fingerprint ...{}", &text[..at], &text[end..])
}

#[test]
fn the_view_of_a_run() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    let printed = stdout(&tracefold(&["view", &file]).assert().code(0));
    insta::assert_snapshot!(without_fingerprint(&printed));
}

#[test]
fn the_flat_log_of_a_run() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    let printed = stdout(&tracefold(&["flatlog", &file]).assert().code(0));
    insta::assert_snapshot!(without_fingerprint(&printed));
}

#[test]
fn as_json_the_text_is_the_same() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    for command in ["view", "flatlog"] {
        let printed = stdout(&tracefold(&[command, &file]).assert().code(0));
        let json = json_lines(&tracefold(&[command, "--json", &file]).assert().code(0)).remove(0);
        assert_eq!(json["text"], Value::String(printed));
        assert_eq!(json["events"], 11);
        assert_eq!(json["session"], *file);
    }
}
