//! `fidelity --against`: another program's opinion, asked of small programs made for the purpose.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Folder, session, stderr, stdout, tracefold};

/// Writes a program. Another process writes it: while this one has a file open for writing, a test
/// beside this could hand that on to a process it starts, and then the file cannot be run.
fn program(folder: &Folder, script: &str) -> String {
    let text = folder.write("program.txt", format!("#!/bin/sh\n{script}\n"));
    let program = folder.name("opinion");
    let install = Command::new("install").args(["-m", "755", &text, &program]).status().unwrap();
    assert!(install.success());
    program
}

/// A program that prints this reply to the only session.
fn replying(folder: &Folder, reply: &Value) -> String {
    let reply = reply.to_string();
    let rest = reply.strip_prefix('{').unwrap();
    program(folder, &format!("printf '{{\"run\":\"%s\",' \"$1\"\ncat <<'END'\n{rest}\nEND"))
}

/// The folder of one session, whose state is known.
fn one_session() -> (Folder, String) {
    let folder = Folder::new();
    let path = folder.write("shop.jsonl", session("shop").text());
    (folder, path)
}

/// What the fold says of that session.
fn right() -> Value {
    json!({
        "calls": 4, "prompts": 2, "tool_calls": 4, "results": 3, "dangling": ["c4"],
        "tokens.input": 400, "tokens.output": 200, "dollars": "0.0126",
        "by_model.output": {"claude-sonnet-4-5-20250929": 200, "claude-of-no-tokens": 0},
        "per_tool": {"Read": 1, "Bash": 2, "Write": 1},
        "goal": "Count the widgets in stock.txt.", "steps": 9,
    })
}

#[test]
fn agreement_is_said_field_by_field_and_ends_with_0() {
    let (folder, path) = one_session();
    let program = replying(&folder, &json!({"by": "opinion 1.2", "fields": right()}));
    let run =
        tracefold(&["fidelity", "--against", &program, "--transcripts", &path]).assert().code(0);
    assert_eq!(stderr(&run), "");
    insta::assert_snapshot!("agreement", folder.portable(&stdout(&run)));
    assert!(!Path::new("out").exists(), "no scoreboard is written");
}

#[test]
fn each_disagreement_has_its_place_and_both_values_and_ends_with_1() {
    let (folder, path) = one_session();
    let mut fields = right();
    fields["tokens.output"] = json!(160);
    fields["dollars"] = json!("0.0127");
    fields["per_tool"] = json!({"Read": 1, "Bash": 1, "Write": 1, "Grep": 1});
    fields["dangling"] = json!(["c3"]);
    let reply = json!({
        "by": "opinion 1.2", "fields": fields, "tolerances": {"dollars": "0.00001"},
        "places": {"tokens.output": {"m1": 10, "m2": 50, "m3": 50, "shop-10": 50}},
    });
    let program = replying(&folder, &reply);
    let arguments = ["fidelity", "--against", &program, "--transcripts", &path];
    let run = tracefold(&arguments).assert().code(1);
    assert_eq!(stderr(&run), "4 of 11 values compared with opinion differ\n");
    insta::assert_snapshot!("disagreement", folder.portable(&stdout(&run)));

    let run =
        tracefold(&[&arguments[..], &["--json", "--disagreements", "2"]].concat()).assert().code(1);
    let printed: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(printed["fields"]["tokens.output"], json!({"equal": 0, "compared": 1}));
    assert_eq!(printed["fields"]["dollars"]["tolerance"], "0.00001");
    assert_eq!(printed["disagreements_in_all"], 6, "a map's and a list's entries are told apart");
    assert_eq!(printed["disagreements"].as_array().unwrap().len(), 2);
    assert_eq!(printed["disagreements"][0]["run"], path.as_str());

    let run = tracefold(&[&arguments[..], &["--disagreements", "1"]].concat()).assert().code(1);
    let printed = stdout(&run);
    assert!(
        printed.contains("disagreements: 1 of 6") && printed.contains("--disagreements N"),
        "{printed}"
    );
}

#[test]
fn what_the_program_skips_is_said_and_the_rest_compared() {
    let (folder, _) = one_session();
    folder.write("sub/other.jsonl", session("other").text());
    let script = r#"for run; do
  case "$run" in
    */other.jsonl) echo "{\"run\":\"$run\",\"skipped\":\"too odd\"}" ;;
    *) echo "{\"run\":\"$run\",\"fields\":{\"calls\":4}}" ;;
  esac
done"#;
    let program = program(&folder, script);
    let all = folder.name("");
    let run =
        tracefold(&["fidelity", "--against", &program, "--transcripts", &all]).assert().code(0);
    let printed = folder.portable(&stdout(&run));
    assert!(printed.contains("sessions  1 of 2 compared"), "{printed}");
    assert!(printed.contains("skipped   DIR/sub/other.jsonl: too odd"), "{printed}");
}

#[test]
fn a_program_that_is_no_use_is_named_with_place_and_remedy_and_ends_with_2() {
    let cases: [(&str, &[&str]); 9] = [
        (
            "echo nonsense; exit 0",
            &["line 1 of what", "is not a reply: expected", "docs/FORMAT.md"],
        ),
        (
            "echo 'the disk is on fire' >&2; exit 3",
            &["ended with exit status: 3", "the disk is on fire"],
        ),
        ("kill -9 $$", &["ended with signal: 9", "it said: nothing"]),
        ("sleep 30", &["was stopped after 1 s", "--against-timeout SECONDS"]),
        ("true", &["printed no reply for DIR/shop.jsonl", "\"skipped\""]),
        (
            r#"echo "{\"run\":\"$1\",\"fields\":{\"calls\":4.5}}""#,
            &["states a calls for", "4.5 is a float"],
        ),
        (
            r#"echo "{\"run\":\"$1\",\"fields\":{\"steps\":4}}""#,
            &["states no field that the fold has (steps"],
        ),
        (
            r#"echo "{\"run\":\"$1\",\"skipped\":\"no\"}""#,
            &["states no field", "1 sessions skipped"],
        ),
        (r#"echo "{\"run\":\"elsewhere\",\"fields\":{}}""#, &["not among the paths it was given"]),
    ];
    for (script, expected) in cases {
        let (folder, path) = one_session();
        let program = program(&folder, script);
        let arguments =
            ["fidelity", "--against", &program, "--transcripts", &path, "--against-timeout", "1"];
        let run = tracefold(&arguments).assert().code(2);
        let said = folder.portable(&stderr(&run));
        assert_eq!(stdout(&run), "", "{script}");
        assert_eq!(said.lines().count(), 1, "{said}");
        for part in ["DIR/opinion", "DIR/shop.jsonl"].iter().chain(expected) {
            // What concerns no session in particular names none.
            let named = !part.starts_with("DIR/shop") || !said.contains("states no field");
            assert!(!named || said.contains(part), "{part}: {said}");
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_named_with_a_remedy() {
    let (folder, path) = one_session();
    let missing = folder.name("opinion");
    let run =
        tracefold(&["fidelity", "--against", &missing, "--transcripts", &path]).assert().code(2);
    let said = folder.portable(&stderr(&run));
    assert!(said.starts_with("error: cannot run DIR/opinion: No such file"), "{said}");
    assert!(said.contains("name an executable file by its path"), "{said}");
    let text = folder.write("plain.txt", "no program");
    let run = tracefold(&["fidelity", "--against", &text, "--transcripts", &path]).assert().code(2);
    assert!(stderr(&run).contains("plain.txt: Permission denied"), "{}", stderr(&run));
}

#[test]
fn what_another_program_has_no_use_for_is_refused() {
    let cases: [&[&str]; 4] = [
        &["--against", "x"],
        &["--against", "x", "--transcripts", "a", "--seeds", "1"],
        &["--against", "x", "--transcripts", "a", "--out", "o"],
        &["--disagreements", "3"],
    ];
    for flags in cases {
        let run = tracefold(&[&["fidelity"], flags].concat()).assert().code(2);
        assert_eq!(stdout(&run), "");
    }
}
