//! Files that grow, shrink, are replaced or vanish while they are followed.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::json;
use trace_model::adapter::AdapterRef;
use trace_model::fold::FoldConfig;
use trace_model::ledger::LedgerFile;
use trace_model::reader::Change;
use trace_model::run::{Run, RunChange};
use trace_model::totals::Totals;

use super::files::Folder;
use crate::common::{Script, fold};

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

fn follow(path: &Path) -> Run {
    let mut run = Run::new(AdapterRef::GENERATED, path, FoldConfig::default());
    assert!(matches!(run.poll().unwrap(), RunChange::Read(_)));
    run
}

fn totals(run: &Run) -> Totals {
    Totals::of(run.state(), &run.reading())
}

/// A transcript with `count` answers whose texts start with `word`.
fn script(word: &str, count: u32) -> Script {
    let start = Script::new().prompt(word);
    (0..count).fold(start, |script, n| script.says(&format!("{word} {n} {}", "x".repeat(200))))
}

#[test]
fn a_torn_tail_is_read_once_it_is_complete() {
    let folder = Folder::new();
    let bytes = script("a", 3).bytes();
    for cut in [bytes.len() - 1, bytes.len() - 2, bytes.len() - 150, 1, 0] {
        let path = folder.write("s1.jsonl", &bytes[..cut]);
        let mut run = follow(&path);
        let complete = bytes[..cut].split(|byte| *byte == b'\n').count() as u64 - 1;
        assert_eq!(run.reading().records, complete, "cut at {cut}");
        assert_eq!(run.reading().bad_lines, 0);
        assert_eq!(run.poll().unwrap(), RunChange::Read(0));
        append(&path, &bytes[cut..]);
        assert_eq!(run.poll().unwrap(), RunChange::Read((bytes.len() - cut) as u64));
        assert_eq!(run.state(), &fold(&bytes).state);
        assert_eq!(totals(&run), fold(&bytes).totals());
    }
}

/// Taken as finished, a file whose last record has no line feed is whole; written on, it goes on.
#[test]
fn a_finished_file_that_is_written_on_after_all() {
    let folder = Folder::new();
    let script = script("a", 2);
    let bytes = script.bytes();
    let path = folder.write("s1.jsonl", &bytes[..bytes.len() - 1]);
    let mut run = Run::fold(&path, FoldConfig::default()).unwrap();
    assert_eq!((totals(&run).calls, totals(&run).pending_bytes), (2, 0));
    let more = script.says("more").bytes();
    append(&path, &more[bytes.len() - 1..]);
    run.poll().unwrap();
    assert_eq!((totals(&run).calls, totals(&run).bad_lines), (3, 0));
    assert_eq!(run.state(), &fold(&more).state);
}

/// What a change of the followed file has to be noticed as, and what a fresh fold finds after it.
#[track_caller]
fn noticed(run: &mut Run, path: &Path, expected: Change) {
    let change = run.poll().unwrap();
    assert_eq!(change, RunChange::StartedOver { path: path.to_owned(), change: expected });
    assert_eq!(run.state().observed().events, 0, "the old state is gone");
    run.poll().unwrap();
    run.finish();
    let now = fs::read(path).unwrap();
    assert_eq!(run.state(), &fold(&now).state, "the new one is that of a fresh run");
}

#[test]
fn truncation_is_noticed() {
    let folder = Folder::new();
    let bytes = script("a", 9).bytes();
    for left in [bytes.len() - 1, bytes.len() / 2, 1, 0] {
        let path = folder.write("s1.jsonl", &bytes);
        let mut run = follow(&path);
        fs::write(&path, &bytes[..left]).unwrap();
        noticed(&mut run, &path, Change::Truncated);
    }
}

#[test]
fn replacement_is_noticed_even_when_it_is_longer() {
    let folder = Folder::new();
    let path = folder.path("s1.jsonl");
    let old = script("a", 40).bytes();
    // Another session altogether, of any length; copied over the file or moved in its place.
    for count in [40, 41, 200] {
        fs::write(&path, &old).unwrap();
        let mut run = follow(&path);
        fs::write(&path, script("b", count).bytes()).unwrap();
        noticed(&mut run, &path, Change::Replaced);
        fs::write(&path, &old).unwrap();
        let mut run = follow(&path);
        let new = folder.write("new", script("b", count).bytes());
        fs::rename(new, &path).unwrap();
        noticed(&mut run, &path, Change::Replaced);
    }
    // The same head: truncated and grown past the offset again, as by a log rotation.
    let mut regrown = script("a", 20);
    for n in 0..100 {
        regrown = regrown.says(&format!("regrown {n}"));
    }
    let regrown = regrown.bytes();
    assert!(regrown.len() > old.len() && regrown[..6000] == old[..6000]);
    fs::write(&path, &old).unwrap();
    let mut run = follow(&path);
    fs::write(&path, &regrown).unwrap();
    noticed(&mut run, &path, Change::Replaced);
    // The same tail at the same place.
    let mut edited = old.clone();
    edited[300] = b'?';
    fs::write(&path, &old).unwrap();
    let mut run = follow(&path);
    fs::write(&path, &edited).unwrap();
    noticed(&mut run, &path, Change::Replaced);
}

/// The unfinished last line was read too: a file that differs in it alone is another file.
#[test]
fn replacement_of_an_unfinished_line_is_noticed() {
    let folder = Folder::new();
    let whole = script("a", 3).bytes();
    let tail = br#"{"type":"user","uuid":"x","message":{"content":"old"#;
    for head in [&whole[..], &whole[..0]] {
        let path = folder.write("s1.jsonl", [head, tail].concat());
        let mut run = follow(&path);
        let other = br#"{"type":"mode"}
{"type":"user","uuid":"y","message":{"content":"new and longer than what was there"}}
"#;
        fs::write(&path, [head, other].concat()).unwrap();
        noticed(&mut run, &path, Change::Replaced);
    }
}

#[test]
fn a_vanished_file_keeps_its_last_state_until_it_is_back() {
    let folder = Folder::new();
    let path = folder.write("s1.jsonl", script("a", 5).bytes());
    let mut run = follow(&path);
    let before = run.state().clone();
    fs::remove_file(&path).unwrap();
    assert_eq!(run.poll().unwrap(), RunChange::Gone);
    assert_eq!(run.state(), &before);
    // Back as it was and longer, it goes on; back as another, it is another.
    fs::write(&path, script("a", 6).bytes()).unwrap();
    assert!(matches!(run.poll().unwrap(), RunChange::Read(_)));
    assert_eq!(run.state(), &fold(&script("a", 6).bytes()).state);
    fs::remove_file(&path).unwrap();
    assert_eq!(run.poll().unwrap(), RunChange::Gone);
    fs::write(&path, script("c", 9).bytes()).unwrap();
    noticed(&mut run, &path, Change::Replaced);
}

#[test]
fn a_file_that_is_not_there_yet_is_followed_once_it_is() {
    let folder = Folder::new();
    let path = folder.path("s1.jsonl");
    let mut run = Run::new(AdapterRef::GENERATED, &path, FoldConfig::default());
    assert_eq!(run.poll().unwrap(), RunChange::Gone);
    fs::write(&path, script("a", 2).bytes()).unwrap();
    assert!(matches!(run.poll().unwrap(), RunChange::Read(_)));
    assert_eq!(totals(&run).calls, 2);
}

#[test]
fn a_subagent_that_appears_is_followed_and_its_change_starts_the_run_over() {
    let folder = Folder::new();
    let path = folder.write("s1.jsonl", script("a", 2).bytes());
    let mut run = follow(&path);
    let agent = |word: &str, count| {
        let mut bytes = Vec::new();
        for line in script(word, count).lines() {
            let mut record: serde_json::Value = serde_json::from_str(&line).unwrap();
            record["uuid"] = json!(format!("a-{}", record["uuid"].as_str().unwrap()));
            if record["type"] == "assistant" {
                let id = format!("a-{}", record["message"]["id"].as_str().unwrap());
                record["message"]["id"] = json!(id);
            }
            bytes.extend(format!("{record}\n").bytes());
        }
        bytes
    };
    let own = folder.write("s1/subagents/agent-x.jsonl", agent("sub", 3));
    assert!(matches!(run.poll().unwrap(), RunChange::Read(n) if n > 0));
    assert_eq!((totals(&run).calls, totals(&run).subagents), (5, 1));
    // Described only now: still the same file, which is not read again.
    folder.write("s1/subagents/agent-x.meta.json", r#"{"toolUseId":"t"}"#);
    assert_eq!(run.poll().unwrap(), RunChange::Read(0));
    assert_eq!(totals(&run).events_by_kind.values().sum::<u64>(), 3 + 4);
    assert_eq!((totals(&run).duplicates, totals(&run).calls), (0, 5));
    fs::write(&own, agent("other", 4)).unwrap();
    let change = run.poll().unwrap();
    assert_eq!(change, RunChange::StartedOver { path: own.clone(), change: Change::Replaced });
    run.poll().unwrap();
    assert_eq!(totals(&run).calls, 6);
    // A subagent's file that goes takes nothing back.
    fs::remove_file(&own).unwrap();
    run.poll().unwrap();
    assert_eq!(totals(&run).calls, 6);
}

type Fault = fn(&PathBuf);

/// After a restart the same faults are noticed, by the fingerprint in the snapshot.
#[test]
fn changes_between_saving_and_resuming_are_noticed() {
    let folder = Folder::new();
    let (snapshot, ledger) = (folder.path("snapshot"), folder.path("ledger"));
    let path = folder.path("s1.jsonl");
    let old = script("a", 9).bytes();
    let save = || {
        fs::write(&path, &old).unwrap();
        let mut run = Run::new(AdapterRef::GENERATED, &path, FoldConfig::default())
            .with_ledger(&ledger)
            .unwrap();
        run.poll().unwrap();
        run.save(&snapshot).unwrap();
    };
    let changes: [(Change, Fault); 3] = [
        (Change::Truncated, |path| fs::write(path, script("a", 2).bytes()).unwrap()),
        (Change::Replaced, |path| fs::write(path, script("b", 30).bytes()).unwrap()),
        (Change::Gone, |path| fs::remove_file(path).unwrap()),
    ];
    for (expected, change) in changes {
        save();
        change(&path);
        let (mut run, noticed) = Run::resume(&snapshot, Some(&ledger)).unwrap();
        assert_eq!(noticed, Some(RunChange::StartedOver { path: path.clone(), change: expected }));
        assert_eq!(run.state().observed().events, 0);
        run.poll().unwrap();
        run.save(&snapshot).unwrap();
        // The ledger starts over with the state.
        let events = LedgerFile::read(&ledger).unwrap();
        assert_eq!(events.len() as u64, run.state().observed().events);
    }
    save();
    let (_, noticed) = Run::resume(&snapshot, Some(&ledger)).unwrap();
    assert_eq!(noticed, None);
}

#[test]
fn snapshots_and_ledgers_that_cannot_be_used_say_why() {
    let folder = Folder::new();
    let path = folder.write("s1.jsonl", script("a", 3).bytes());
    let (snapshot, ledger) = (folder.path("snapshot"), folder.path("ledger"));
    let mut run =
        Run::new(AdapterRef::GENERATED, &path, FoldConfig::default()).with_ledger(&ledger).unwrap();
    run.poll().unwrap();
    run.save(&snapshot).unwrap();
    let good = fs::read(&snapshot).unwrap();
    let said = |snapshot: &Path, ledger: Option<&Path>| {
        Run::resume(snapshot, ledger).map(|_| ()).unwrap_err().to_string()
    };
    fs::write(&snapshot, &good[..good.len() / 2]).unwrap();
    assert!(said(&snapshot, None).contains("delete it to read the transcript from the start"));
    for (other, reason) in [
        ("{\"version\":4}", "its schema is version 4"),
        ("tracefold snapshot 999\n", "its schema is version 999"),
        ("something else", "it is not a snapshot"),
    ] {
        fs::write(&snapshot, other).unwrap();
        assert!(said(&snapshot, None).contains(reason), "{}", said(&snapshot, None));
    }
    assert!(said(&folder.path("none"), None).contains("none"));
    fs::write(&snapshot, &good).unwrap();
    // A ledger cut by a crash in the middle of its last line, then one that lacks events.
    let events = fs::read(&ledger).unwrap();
    fs::write(&ledger, [&events[..], b"{\"half"].concat()).unwrap();
    assert!(Run::resume(&snapshot, Some(&ledger)).is_ok());
    assert_eq!(fs::read(&ledger).unwrap(), events, "what the crash left is cut off");
    fs::write(&ledger, &events[..events.len() - 5]).unwrap();
    assert!(said(&snapshot, Some(&ledger)).contains("holds 3 of 4 events"));
    let unledgered = folder.path("unledgered");
    follow(&path).save(&unledgered).unwrap();
    assert!(said(&unledgered, Some(&ledger)).contains("no ledger was kept with it"));
}

/// A snapshot holds the state, not the trace: of records as long as those of real sessions, it is a small part.
#[test]
fn a_snapshot_is_a_small_part_of_its_run() {
    let folder = Folder::new();
    let start = Script::new().prompt("go");
    let long = "a line of output that says little; ".repeat(90);
    let script = (0..1000).fold(start, |script, n| {
        let file = format!("src/f{}.rs", n % 50);
        let id = format!("t{n}");
        script.call(&id, "Read", json!({"file_path": file})).result(&id, &long.repeat(2))
    });
    let bytes = script.bytes();
    let path = folder.write("s1.jsonl", &bytes);
    let snapshot = folder.path("snapshot");
    let mut run = follow(&path);
    run.save(&snapshot).unwrap();
    let size = fs::metadata(&snapshot).unwrap().len();
    assert!(size * 50 < bytes.len() as u64, "{size} of {}", bytes.len());
    let (resumed, change) = Run::resume(&snapshot, None).unwrap();
    assert_eq!((resumed.state(), change), (run.state(), None));
    assert_eq!(totals(&resumed), totals(&run));
}

/// The file that was looked at to tell what it is is read on from there, wherever that look ended.
#[test]
fn a_file_that_stays_open_reads_like_one_that_is_opened_again() {
    let folder = Folder::new();
    for (count, torn) in [(0, 0), (1, 0), (40, 0), (40, 7), (3000, 0), (3000, 100)] {
        let mut bytes = script("a", count).bytes();
        bytes.truncate(bytes.len() - torn);
        let path = folder.write("s1.jsonl", &bytes);
        let anew = follow(&path);
        let mut open = Run::open(&path, FoldConfig::default()).unwrap();
        assert_eq!(open.poll().unwrap(), RunChange::Read(bytes.len() as u64));
        assert_eq!(open.state(), anew.state(), "{count} answers");
        assert_eq!(totals(&open), totals(&anew));
        assert_eq!(open.poll().unwrap(), RunChange::Read(0));
        append(&path, &script("a", count + 2).bytes()[bytes.len()..]);
        open.poll().unwrap();
        assert_eq!(open.state(), &fold(&script("a", count + 2).bytes()).state);
    }
}

/// A file that takes the path's place between the look that tells what it is and the first read.
#[test]
fn a_file_that_is_replaced_before_it_is_read_is_noticed() {
    let folder = Folder::new();
    let path = folder.write("s1.jsonl", script("a", 9).bytes());
    let mut run = Run::open(&path, FoldConfig::default()).unwrap();
    let other = folder.write("other.jsonl", script("b", 20).bytes());
    fs::rename(other, &path).unwrap();
    run.poll().unwrap();
    noticed(&mut run, &path, Change::Replaced);
}
