//! Bad input: each gives a result, or one line that says what to do and a non-zero exit status; never
//! a panic, and nothing is lost silently.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    Folder, Transcript, call, json_lines, refused, small, stderr, stdout, text, tracefold,
};

/// Folds a file whose bytes are given, and expects its JSON object.
#[track_caller]
fn folded(bytes: impl AsRef<[u8]>) -> Value {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", bytes);
    let assert = tracefold(&["fold", "--json", &file]).assert().code(0);
    assert_eq!(stderr(&assert), "");
    json_lines(&assert).remove(0)
}

#[test]
fn no_such_file() {
    for command in ["fold", "view", "flatlog"] {
        refused(&[command, "/nowhere/session.jsonl"], "no such file; name a transcript");
    }
}

#[test]
fn an_empty_file() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", "");
    for command in ["fold", "view", "flatlog"] {
        refused(&[command, &file], "is empty: there is nothing to fold yet");
    }
}

#[test]
fn a_folder_without_sessions() {
    let folder = Folder::new();
    folder.write("notes/readme.txt", "nothing here");
    refused(&["fold", &folder.name("")], "no session (*.jsonl) in");
    refused(&["view", &folder.name("notes")], "is a folder; name one of the transcripts in it");
}

#[test]
fn a_file_that_is_not_jsonl() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", "Dear diary,\ntoday I parsed nothing.\n");
    for command in ["fold", "view", "flatlog"] {
        refused(&[command, &file], "is not a transcript");
    }
    let file = folder.write("other.jsonl", "{\"level\":\"info\"}\n{\"level\":\"warn\"}\n");
    refused(&["fold", &file], "is not a transcript");
}

#[test]
fn a_binary_file_with_nul_bytes() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    refused(&["fold", &folder.write("session.jsonl", &bytes)], "is not a transcript");
    // Longer than what is looked at to tell the format, and without a line feed.
    let bytes = vec![0; 3 * 1024 * 1024];
    refused(&["fold", &folder.write("zeros.jsonl", &bytes)], "is not a transcript");
}

#[test]
fn nul_bytes_between_records() {
    let mut bytes = small("s1").into_bytes();
    bytes.extend(b"\0\0\0\0\n");
    bytes.extend(Transcript::new("s2").prompt("again").text().bytes());
    let run = folded(&bytes);
    assert_eq!(run["totals"]["prompts"], 2);
    assert_eq!(run["totals"]["bad_lines"], 1);
    assert_eq!(run["reading"]["files"][0]["bad"][0]["at"]["line"], 3);
}

#[test]
fn invalid_utf8_is_decoded_lossily_on_its_line_alone() {
    let text = Transcript::new("s1").prompt("caf# au lait").prompt("th\u{e9} vert").text();
    let bytes: Vec<u8> = text.bytes().map(|b| if b == b'#' { 0xE9 } else { b }).collect();
    let run = folded(&bytes);
    assert_eq!(run["reading"]["all"]["lossy_lines"], 1);
    assert_eq!(run["goal"]["text"]["text"], "caf\u{fffd} au lait");
    assert_eq!(run["latest_request"]["text"]["text"], "th\u{e9} vert");
}

#[test]
fn a_line_of_200_megabytes_is_read() {
    const MEGABYTE: usize = 1024 * 1024;
    let folder = Folder::new();
    let file = folder.write("session.jsonl", "");
    let record = Transcript::new("s1").result("c1", "#", false).text();
    let (head, tail) = record.split_once('#').unwrap();
    let mut writer = File::create(&file).unwrap();
    writer.write_all(small("s1").as_bytes()).unwrap();
    writer.write_all(head.as_bytes()).unwrap();
    let megabyte = vec![b'a'; MEGABYTE];
    for _ in 0..200 {
        writer.write_all(&megabyte).unwrap();
    }
    writer.write_all(tail.as_bytes()).unwrap();
    writer.write_all(Transcript::new("s2").prompt("still there?").text().as_bytes()).unwrap();
    let assert = tracefold(&["fold", "--json", &file]).assert().code(0);
    let run = json_lines(&assert).remove(0);
    assert_eq!(run["reading"]["all"]["records"], 4);
    assert_eq!(run["totals"]["bad_lines"], 0);
    assert_eq!(run["totals"]["orphan_results"], 1);
    assert_eq!(run["latest_request"]["text"]["text"], "still there?");
}

#[test]
fn a_truncated_last_line_is_pending_not_lost() {
    let whole = small("s1");
    let run = folded(format!("{whole}{}", &whole[..40]));
    assert_eq!(run["totals"]["bad_lines"], 0);
    assert_eq!(run["totals"]["pending_bytes"], 40);
    let folder = Folder::new();
    let file = folder.write("session.jsonl", format!("{whole}{}", &whole[..40]));
    let printed = stdout(&tracefold(&["fold", &file]).assert().code(0));
    assert!(printed.contains("the last 40 bytes of"), "{printed}");
    // A complete record that only lacks its line feed counts.
    assert_eq!(folded(whole.trim_end())["totals"]["pending_bytes"], 0);
    assert_eq!(folded(whole.trim_end())["reading"]["all"]["records"], 2);
}

#[test]
fn crlf_line_ends_and_a_byte_order_mark_change_nothing() {
    let text = crate::support::session("s1").text();
    let plain = folded(&text);
    let crlf = folded(text.replace('\n', "\r\n"));
    let marked = folded(format!("\u{feff}{text}"));
    assert_eq!(plain["totals"], crlf["totals"]);
    assert_eq!(plain["totals"], marked["totals"]);
    assert_eq!(plain["facts"]["aggregates"], crlf["facts"]["aggregates"]);
}

#[test]
fn duplicate_ids_count_once() {
    let text = crate::support::session("s1").text();
    let once = folded(&text);
    let twice = folded(format!("{text}{text}"));
    for total in ["prompts", "calls", "tokens", "tool_calls", "results", "cost_usd", "facts"] {
        assert_eq!(once["totals"][total], twice["totals"][total], "{total}");
    }
    assert_eq!(twice["totals"]["duplicates"], 11);
}

#[test]
fn results_before_their_calls_are_matched() {
    let run = folded(
        Transcript::new("s1")
            .prompt("go")
            .result("c1", "early", false)
            .answer("m1", &call("c1", "Bash", &json!({"command": "ls"})))
            .text(),
    );
    assert_eq!(run["totals"]["results"], 1);
    assert_eq!(run["totals"]["orphan_results"], 0);
    assert_eq!(run["totals"]["open_tool_calls"], 0);
}

#[test]
fn a_bad_line_is_counted_with_its_place() {
    let folder = Folder::new();
    let text = Transcript::new("s1").prompt("a").raw("{\"type\":\"user\",").prompt("b").text();
    let file = folder.write("session.jsonl", text);
    let printed = stdout(&tracefold(&["fold", &file]).assert().code(0));
    assert!(printed.contains("session.jsonl:2 (byte "), "{printed}");
    assert!(printed.contains("2 prompts"), "{printed}");
}

#[test]
fn odd_fields_degrade_the_field_not_the_record() {
    let text = Transcript::new("s1")
        .record("user", &json!({"sessionId": null, "message": "a plain string"}))
        .record(
            "assistant",
            &json!({
                "requestId": 7,
                "message": {"id": "m1", "model": ["?"], "content": [text("hi")],
                    "usage": {"input_tokens": 12.0, "output_tokens": "34"}},
            }),
        )
        .text();
    let run = folded(text);
    assert_eq!(run["totals"]["prompts"], 1);
    assert_eq!(run["totals"]["tokens"]["input"], 12);
    assert_eq!(run["totals"]["tokens"]["output"], 34);
    assert!(run["totals"]["degraded_fields"].as_u64().unwrap() >= 1);
}

#[test]
fn another_agents_format_is_named() {
    let folder = Folder::new();
    let line = json!({"type": "session.start", "data": {"id": "x"}}).to_string() + "\n";
    let file = folder.write("events.jsonl", line);
    refused(&["fold", &file], "looks like a copilot transcript, which this version does not read");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let file = folder.write("session.jsonl", small("s1"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&file).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    refused(&["fold", &file], "hint: you lack the permission");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = Folder::new();
    let (first, last) = (folder.write("a.jsonl", small("a")), folder.write("c.jsonl", small("c")));
    let bad = folder.write("b.jsonl", "nothing\n");
    let assert = tracefold(&["fold", "--json", &first, &bad, "/nowhere", &last]).assert().code(2);
    assert_eq!(json_lines(&assert).len(), 2);
    assert_eq!(stderr(&assert).lines().count(), 2);
}

#[test]
fn wrong_use() {
    for (arguments, expected) in [
        (&["fold", "--no-such-option"] as &[&str], "unexpected argument '--no-such-option'"),
        (&["no-such-command"], "no-such-command"),
        (&["fold"], "<FILE>"),
        (&["fold", "--statistics", "mode", "x"], "alternating_sum"),
        (&["fold", "--set", "budget.dollars=-1", "x"], "--set"),
        (&["fold", "--resume", "x", "--set", "loop.raise=4"], "cannot be used with"),
        (&["fold", "--resume", "x", "--prices", "y"], "cannot be used with"),
        (&["scoreboard"], "Usage: tracefold scoreboard"),
    ] {
        let assert = tracefold(arguments).assert().code(2);
        assert!(stderr(&assert).contains(expected), "{arguments:?}: {}", stderr(&assert));
        assert_eq!(stdout(&assert), "", "{arguments:?}");
    }
}

#[test]
fn a_price_table_or_a_snapshot_that_is_none() {
    let folder = Folder::new();
    let session = folder.write("a.jsonl", small("a"));
    let broken = folder.write("broken.json", "{\"date\": 3}");
    refused(&["fold", "--prices", &broken, &session], "broken.json: the price table does not have");
    refused(&["fold", "--prices", "/nowhere", &session], "cannot read /nowhere");
    refused(&["fold", "--resume", &broken], "cannot be used");
    refused(&["fold", "--save", "/nowhere/x", &session], "/nowhere/x");
    refused(&["fold", "--ledger", "/nowhere/x", &session], "/nowhere/x");
    assert!(!Path::new("/nowhere").exists());
}

#[test]
fn the_observer_refuses_what_it_cannot_show_in_one_line() {
    let folder = Folder::new();
    let empty = folder.write("empty.jsonl", "");
    let diary = folder.write("diary.jsonl", "Dear diary,\ntoday I parsed nothing.\n");
    for command in ["observe", "watch"] {
        refused(&[command, "/nowhere/session.jsonl"], "no such file; name a transcript");
        refused(&[command, &empty], "is empty: there is nothing to fold yet");
        refused(&[command, &diary], "is not a transcript");
        refused(&[command, &folder.name("")], "is a folder; name one of the transcripts in it");
    }
    for command in ["fleet", "sessions"] {
        let cache = folder.name("cache");
        refused(&[command, "/nowhere", "--cache-dir", &cache], "cannot read /nowhere");
    }
    let session = folder.write("session.jsonl", small("s1"));
    refused(&["observe", &session, "-o", &session], "is the transcript itself");
    refused(&["observe", &session, "-o", &folder.name("no/page.html")], "cannot write");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let assert = tracefold(&["watch", &session, "--port", &port]).assert().code(2);
    assert!(stderr(&assert).contains("is in use; name another with --port"), "{}", stderr(&assert));
}
