//! What a worker or a baseline reader is shown.

use serde_json::{Value, json};

use crate::support::{
    Folder, Transcript, call, json_lines, refused, session, stderr, stdout, tracefold,
};

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

/// A run of many files, commands and requests: more than a small view holds.
fn long(folder: &Folder) -> String {
    let mut run = Transcript::new("s1");
    for turn in 0..12 {
        run = run.prompt(&format!("Now mend part {turn} of the orchard, and never push."));
        for step in 0..8 {
            let id = format!("c{turn}-{step}");
            let input = if step % 2 == 0 {
                json!({"command": format!("cargo test --package part{turn} step_{step}_works")})
            } else {
                json!({"file_path": format!("/orchard/part{turn}/row{step}.rs")})
            };
            let tool = if step % 2 == 0 { "Bash" } else { "Read" };
            run = run.answer(&format!("m{turn}-{step}"), &call(&id, tool, &input)).result(
                &id,
                &format!("fn waterRow{turn}{step}() {{}}"),
                false,
            );
        }
    }
    folder.write("session.jsonl", run.text())
}

fn view_of(arguments: &[&str]) -> String {
    stdout(&tracefold(&[&["view"], arguments].concat()).assert().code(0))
}

#[test]
fn a_view_keeps_to_its_budget_and_says_what_it_leaves_out() {
    let folder = Folder::new();
    let file = long(&folder);
    for most in [1000, 1001, 1500, 2000, 4000, 9500] {
        let text = view_of(&[&file, "--budget-chars", &most.to_string()]);
        let chars = text.chars().count();
        assert!(chars <= most, "{chars} characters of {most}");
        assert!(chars > most * 3 / 4 || most == 9500, "{chars} characters of {most}");
    }
    let small = view_of(&[&file, "--budget-chars", "1000"]);
    assert!(small.contains("\nLEFT OUT: "), "{small}");
    let items = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("- ")).map(str::to_owned).collect()
    };
    let large = items(&view_of(&[&file, "--budget-chars", "4000"]));
    assert!(items(&small).iter().all(|item| large.contains(item)), "{small}");
}

#[test]
fn a_view_keeps_to_a_budget_of_tokens() {
    let folder = Folder::new();
    let file = long(&folder);
    for most in [600, 1000, 2000] {
        let text = view_of(&[&file, "--budget-tokens", &most.to_string()]);
        let tokens = harnesses::continuation::tokens::count(&text);
        assert!(tokens <= most && tokens > most * 3 / 4, "{tokens} tokens of {most}");
    }
    refused(&["view", &file, "--budget-tokens", "50"], "give it --budget-tokens");
}

#[test]
fn a_delta_view_shows_what_has_changed_since() {
    let folder = Folder::new();
    let file = long(&folder);
    let events: u64 =
        json_lines(&tracefold(&["view", "--json", &file]).assert().code(0))[0]["events"]
            .as_u64()
            .unwrap();
    let delta = view_of(&[&file, "--since", &(events - 6).to_string()]);
    assert!(delta.contains(&format!("what changed behind event {}", events - 6)), "{delta}");
    assert!(delta.contains("part11/row7.rs") && !delta.contains("part10/row7.rs"), "{delta}");
    assert!(!delta.contains("GOAL"), "{delta}");
    let none = view_of(&[&file, "--since", &events.to_string()]);
    assert!(none.contains("covers no events") && !none.contains("row7.rs"), "{none}");
}

#[test]
fn the_papers_view_is_had_by_its_name_and_knows_no_budget() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    let one = view_of(&[&file, "--renderer", "worker/1"]);
    assert!(one.starts_with("# worker 1 (fingerprint "), "{one}");
    insta::assert_snapshot!(without_fingerprint(&one));
    refused(
        &["view", &file, "--renderer", "worker/1", "--budget-chars", "2000"],
        "worker/1 knows no budget",
    );
    let assert = tracefold(&["view", &file, "--budget-chars", "999"]).assert().code(2);
    assert!(stderr(&assert).contains("a view needs 1000 characters or more"));
}
