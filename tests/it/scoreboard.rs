//! Scoreboards: shown, verified, compared.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Folder, stderr, stdout, tracefold};

/// A scoreboard over one labelled trace.
fn board(folder: &Folder, seed: &str) -> PathBuf {
    let out = folder.name(seed);
    let inputs = ["--profile", "none", "--pathology", "default", "--pathology-seeds", seed];
    let rest = ["--date", "2026-03-01", "--quiet", "--out", &out];
    let arguments: Vec<&str> = ["detect"].into_iter().chain(inputs).chain(rest).collect();
    tracefold(&arguments).assert().code(0);
    let mut files = fs::read_dir(folder.path(seed).join("scoreboards")).unwrap().flatten();
    files.next().unwrap().path()
}

#[test]
fn a_scoreboard_is_shown_verified_and_compared() {
    let folder = Folder::new();
    let (one, other) = (board(&folder, "302"), board(&folder, "303"));
    let (one, other) = (one.to_str().unwrap(), other.to_str().unwrap());

    let shown = stdout(&tracefold(&["scoreboard", "show", one]).assert().code(0));
    assert!(shown.contains("detect 2026-03-01"), "{shown}");
    let json = stdout(&tracefold(&["scoreboard", "show", "--json", one, other]).assert().code(0));
    assert_eq!(json.lines().count(), 2);

    let verified = stdout(&tracefold(&["scoreboard", "verify", one, other]).assert().code(0));
    assert!(verified.ends_with("2 of 2 scoreboards hold\n"), "{verified}");

    let compared = stdout(&tracefold(&["scoreboard", "compare", one, other]).assert().code(0));
    assert!(compared.contains("differs in"), "{compared}");
    let json =
        stdout(&tracefold(&["scoreboard", "compare", "--json", one, other]).assert().code(0));
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["same_rows"], false);
}

#[test]
fn a_scoreboard_that_was_changed_does_not_hold() {
    let folder = Folder::new();
    let file = board(&folder, "302");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("{\"count\":1}", "{\"count\":2}", 1)).unwrap();
    let file = file.to_str().unwrap();
    let assert = tracefold(&["scoreboard", "verify", file]).assert().code(1);
    assert!(stdout(&assert).contains("FAILED"), "{}", stdout(&assert));
    let json = stdout(&tracefold(&["scoreboard", "verify", "--json", file]).assert().code(1));
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()[0]["holds"], false);
}

#[test]
fn what_is_no_scoreboard_is_refused() {
    let folder = Folder::new();
    folder.write("notes.txt", "nothing");
    let empty = tracefold(&["scoreboard", "verify", &folder.name("")]).assert().code(2);
    assert!(stderr(&empty).contains("no scoreboard (*.json) in"));
    let absent = tracefold(&["scoreboard", "verify", "/nowhere.json"]).assert().code(2);
    assert!(stderr(&absent).contains("hint: check the path"), "{}", stderr(&absent));
    let broken = folder.write("broken.json", "[1]");
    let assert = tracefold(&["scoreboard", "show", &broken]).assert().code(2);
    assert!(stderr(&assert).contains("is not a complete scoreboard"));
    tracefold(&["scoreboard", "verify", &broken]).assert().code(1);
}
