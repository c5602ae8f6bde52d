//! Transcripts are not trusted: nothing in them may reach a terminal as a command to it.

use serde_json::json;

use crate::support::{Folder, Transcript, call, stderr, stdout, tracefold};

#[test]
fn control_and_bidi_characters_are_never_printed() {
    let evil = "a\u{1b}]0;owned\u{7}b\u{1b}[2J\u{9b}31m\u{202e}c\r\u{8}\u{200b}\u{2066}";
    let folder = Folder::new();
    let text = Transcript::new("s1")
        .record("custom-title", &json!({"customTitle": evil, "title": evil}))
        .record(
            "user",
            &json!({
                "cwd": evil, "gitBranch": evil, "version": evil,
                "message": {"role": "user", "content": evil},
            }),
        )
        .answer("m1", &call("c1", evil, &json!({"file_path": evil})))
        .result("c1", &format!("{evil} = {evil}\nk = {evil}"), true)
        .answer("m2", &call("c2", "Write", &json!({"file_path": evil})))
        .result("c2", evil, false)
        .answer("m3", &call("c3", evil, &json!({"x": evil})))
        .record(evil, &json!({"x": 1}))
        .text();
    let file = folder.write("session.jsonl", text);
    for arguments in [
        &["fold", &file] as &[&str],
        &["fold", "--json", &file],
        &["view", &file],
        &["view", "--json", &file],
        &["flatlog", &file],
        &["flatlog", "--json", &file],
        &["fold", &format!("/nowhere/{evil}")],
    ] {
        let assert = tracefold(arguments).assert();
        let shown = stdout(&assert) + &stderr(&assert);
        let obeyed = shown.chars().find(|c| {
            (c.is_control() && *c != '\n') || matches!(*c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        });
        assert_eq!(obeyed, None, "{arguments:?}: {shown:?}");
    }
}
