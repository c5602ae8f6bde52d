//! The observer's commands: what they write, print and serve.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::{Folder, Transcript, json_lines, session, stderr, stdout, tracefold};

#[test]
fn observe_writes_one_page_beside_nothing_else() {
    let folder = Folder::new();
    let file = folder.write("in/session.jsonl", session("s1").text());
    folder.write("out/.keep", "");
    let assert = tracefold(&["observe", &file]).current_dir(folder.path("out")).assert().code(0);
    assert_eq!(stderr(&assert), "wrote session.html\n");
    let page = std::fs::read_to_string(folder.path("out/session.html")).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("Count the widgets in stock.txt.")
    );
    assert!(
        page.contains("default-src 'none'")
            && !page.contains("http://")
            && !page.contains("https://")
    );
    assert_eq!(folder.path("in").read_dir().unwrap().count(), 1, "nothing beside the transcript");

    let assert = tracefold(&["observe", &file, "-o", "-"]).assert().code(0);
    assert_eq!((stdout(&assert), stderr(&assert)), (page, String::new()));
}

#[test]
fn sessions_are_listed_and_a_broken_one_is_said() {
    let folder = Folder::new();
    let cache = folder.name("cache");
    folder.write("projects/a/s1.jsonl", session("s1").text());
    let root = folder.name("projects");
    let list = ["sessions", &root, "--cache-dir", &cache];
    let assert = tracefold(&list).assert().code(0);
    assert!(stdout(&assert).contains("Then write the sum to total.txt."), "{}", stdout(&assert));
    folder.write("projects/b/broken.jsonl", "nothing of the kind\n");
    let assert = tracefold(&[&list[..], &["--json"]].concat()).assert().code(2);
    let rows = json_lines(&assert);
    assert_eq!(rows.len(), 2);
    let told = rows.iter().find(|row| row["content"].is_null() && row["told"].is_object()).unwrap();
    assert_eq!((&told["told"]["turns"], &told["told"]["calls"]), (&2.into(), &4.into()));
    assert!(rows.iter().any(|row| row["broken"]["reason"].is_string()));
    let assert = tracefold(&[&list[..], &["--limit", "1"]].concat()).assert();
    assert!(stdout(&assert).contains("the newest 1 of 2; --limit N lists more"));
}

#[cfg(unix)]
#[test]
fn watch_prints_its_address_serves_and_ends_cleanly_when_interrupted() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    let mut child = Command::new(env!("CARGO_BIN_EXE_tracefold"))
        .args(["watch", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.contains("Then write the sum to total.txt."));
    // A browser that listens does not keep it from ending.
    let mut listening = TcpStream::connect(&address).unwrap();
    write!(listening, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn sessions_say_in_words_that_one_waits_for_a_person() {
    let folder = Folder::new();
    let two_hours_ago = observer::live::clock().0 - 2 * 3600 * 1000;
    let time = trace_model::ids::Millis(two_hours_ago).to_string();
    let call =
        json!({"type": "tool_use", "id": "c1", "name": "Edit", "input": {"file_path": "/a"}});
    let text = Transcript::new("s1")
        .record("user", &json!({"timestamp": time, "message": {"role": "user", "content": "Mend it."}}))
        .record("assistant", &json!({"timestamp": time, "message": {"id": "m1", "role": "assistant", "content": [call]}}))
        .text();
    folder.write("projects/a/s1.jsonl", text);
    let (root, cache) = (folder.name("projects"), folder.name("cache"));
    let assert = tracefold(&["sessions", &root, "--cache-dir", &cache]).assert().code(0);
    assert!(stdout(&assert).contains("[waiting for person] Mend it."), "{}", stdout(&assert));
    let assert = tracefold(&["sessions", "--json", &root, "--cache-dir", &cache]).assert().code(0);
    assert_eq!(json_lines(&assert)[0]["alerts"], json!(["waiting_for_person"]));
}
