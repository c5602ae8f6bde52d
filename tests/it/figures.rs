//! One figure everywhere: what commands say of the same session is the same, whichever way it is found.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::support::{Folder, Transcript, json_lines, session, tracefold};

/// What two commands both say of a session.
type Figures = BTreeMap<&'static str, String>;

fn folded(folder: &str) -> BTreeMap<String, Figures> {
    let runs = json_lines(&tracefold(&["fold", "--json", "-q", folder]).assert().code(0));
    let figures = |run: &Value| {
        let totals = &run["totals"];
        let tokens = ["input", "output", "cache_creation", "cache_read"];
        let tokens: u64 = tokens.iter().map(|name| totals["tokens"][name].as_u64().unwrap()).sum();
        BTreeMap::from([
            ("calls", totals["tool_calls"].to_string()),
            ("failed", totals["failed_calls"].to_string()),
            ("turns", totals["prompts"].to_string()),
            ("cost", totals["cost_usd"].to_string()),
            ("bad lines", totals["bad_lines"].to_string()),
            ("tokens", tokens.to_string()),
            ("in flight", run["in_flight"].as_array().unwrap().len().to_string()),
        ])
    };
    runs.iter().map(|run| (run["session"].as_str().unwrap().to_owned(), figures(run))).collect()
}

fn rows(folder: &str, cache: &str) -> Vec<Value> {
    let list = ["sessions", folder, "--json", "--limit", "100000", "--cache-dir", cache];
    json_lines(&tracefold(&list).assert().code(0))
}

fn listed(folder: &str, cache: &str) -> BTreeMap<String, Figures> {
    let figures = |row: &Value| {
        let told = &row["told"];
        BTreeMap::from([
            ("calls", told["calls"].to_string()),
            ("failed", told["failed"].to_string()),
            ("turns", told["turns"].to_string()),
            ("cost", told["cost_usd"].to_string()),
            ("bad lines", told["bad_lines"].to_string()),
            ("tokens", told["tokens"].to_string()),
            ("in flight", told["in_flight"].to_string()),
        ])
    };
    let rows = rows(folder, cache);
    rows.iter().map(|row| (row["path"].as_str().unwrap().to_owned(), figures(row))).collect()
}

#[track_caller]
fn agree(folder: &str) -> usize {
    let cache = Folder::new();
    let runs = folded(folder);
    for time in ["read", "kept"] {
        let listed = listed(folder, &cache.name("cache"));
        assert_eq!(runs.len(), listed.len(), "{time}: sessions");
        for (path, figures) in &runs {
            assert_eq!(figures, &listed[path], "{time}: {path}");
        }
    }
    runs.len()
}

#[test_needs::transcripts]
#[test]
fn all_commands_agree_on_every_real_session() {
    let folder = test_needs::transcripts_dir!().join("claude-code");
    assert!(agree(folder.to_str().unwrap()) >= 20);
}

#[test]
fn a_last_line_without_its_line_feed_counts_in_every_command() {
    let folder = Folder::new();
    folder.write("p/whole.jsonl", session("s1").text());
    folder.write("p/open.jsonl", session("s2").text().trim_end());
    folder.write("p/one.jsonl", session("s3").text().lines().nth(3).unwrap());
    folder.write("p/torn.jsonl", session("s4").text() + "{\"type\":\"user\",\"mess");
    assert_eq!(agree(&folder.name("p")), 4);
    let listed = listed(&folder.name("p"), &folder.name("cache"));
    assert_eq!(listed[&folder.name("p/one.jsonl")]["calls"], "1");
    // What was taken as read is not counted twice when the file goes on.
    let more = Transcript::new("s2b").prompt("more").text();
    folder.write("p/open.jsonl", session("s2").text() + &more);
    assert_eq!(agree(&folder.name("p")), 4);
    let again = self::listed(&folder.name("p"), &folder.name("cache"));
    assert_eq!(again[&folder.name("p/open.jsonl")]["turns"], "3");
    assert_eq!(again[&folder.name("p/open.jsonl")]["calls"], "4");
}

#[cfg(unix)]
#[test]
fn a_session_that_two_paths_lead_to_counts_once_in_every_command() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let elsewhere = Folder::new();
    elsewhere.write("far/s3.jsonl", session("s3").text());
    folder.write("p/b/s1.jsonl", session("s1").text());
    folder.write("p/b/s2.jsonl", session("s2").text());
    symlink(folder.path("p/b"), folder.path("p/c")).unwrap();
    symlink(folder.path("p/b/s1.jsonl"), folder.path("p/again.jsonl")).unwrap();
    symlink(folder.path("p"), folder.path("p/b/up")).unwrap();
    symlink(elsewhere.path("far"), folder.path("p/far")).unwrap();
    let root = folder.name("p");
    assert_eq!(agree(&root), 3);
    let names: Vec<_> = folded(&root).into_keys().collect();
    let expected =
        ["p/again.jsonl", "p/b/s2.jsonl", "p/far/s3.jsonl"].map(|name| folder.name(name));
    assert_eq!(names, expected);
    let twice = [&root, &folder.name("p/c"), &folder.name("p/b/s1.jsonl")];
    let arguments = [&["fold", "--json", "-q"][..], &twice.map(String::as_str)].concat();
    assert_eq!(json_lines(&tracefold(&arguments).assert().code(0)).len(), 3);
}

fn touch(path: &Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn sessions_are_chosen_and_ordered_by_their_last_event_not_by_their_files_times() {
    let folder = Folder::new();
    for day in 1..=6_u64 {
        let time = json!({"timestamp": format!("2026-03-0{day}T10:00:00.000Z")});
        let record = json!({"message": {"role": "user", "content": format!("day {day}")}});
        let mut fields = record.as_object().unwrap().clone();
        fields.extend(time.as_object().unwrap().clone());
        let text = Transcript::new("s").record("user", &Value::Object(fields)).text();
        folder.write(&format!("p/{}/d{day}.jsonl", day % 2), text + "{\"type\":\"mode\"}\n");
    }
    let cache = folder.name("cache");
    let asked = |limit: &str| -> Vec<String> {
        let root = folder.name("p");
        let list = ["sessions", &root, "--json", "--limit", limit, "--cache-dir", &cache];
        let rows = json_lines(&tracefold(&list).assert().code(0));
        rows.iter().map(|row| row["told"]["ask"]["text"].as_str().unwrap().to_owned()).collect()
    };
    let path = |day: u64| folder.path(&format!("p/{}/d{day}.jsonl", day % 2));
    // Restored in the reverse order, then copied in one moment.
    for times in [|day: u64| 2_000_000_000 - day * 86_400, |_| 1_900_000_000] {
        (1..=6).for_each(|day| touch(&path(day), times(day)));
        assert_eq!(asked("2"), ["day 6", "day 5"]);
        assert_eq!(asked("9"), ["day 6", "day 5", "day 4", "day 3", "day 2", "day 1"]);
        fs::remove_dir_all(&cache).unwrap();
    }
}
