//! Many sessions at once: the number of threads changes nothing that is printed, said or written.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Transcript, session, stderr, stdout, text, tracefold};

/// Sessions of different lengths with agents, files that are no transcripts, and one that cannot be used.
fn many() -> Folder {
    let folder = Folder::new();
    for n in 0..90 {
        let name: &'static str = Box::leak(format!("s{n}").into_boxed_str());
        // The first takes longest: the others are done before it.
        let answers = if n == 0 { 400 } else { n % 7 };
        let more = (0..answers)
            .fold(session(name), |session, _| session.answer("more", &text("The row is counted.")));
        folder.write(&format!("project-{}/{name}.jsonl", n % 5), more.text());
    }
    let agent = Transcript::new("s3").prompt("Find the well.").text();
    folder.write("project-3/agent-a1.jsonl", &agent);
    folder.write("project-3/s8/subagents/agent-b2.jsonl", &agent);
    folder.write("project-4/agent-lost.jsonl", Transcript::new("none").prompt("Dig.").text());
    folder.write("project-1/notes.jsonl", "not a record\n");
    folder.write("project-2/empty.jsonl", "");
    folder
}

fn run(folder: &Folder, arguments: &[&str], jobs: &str) -> (String, String, Option<i32>) {
    let assert = tracefold(arguments).args(["--jobs", jobs]).assert();
    let said = stderr(&assert).replace(&folder.name(&format!("out-{jobs}")), "OUT");
    (stdout(&assert), said, assert.get_output().status.code())
}

#[test]
fn fold_prints_the_same_on_any_number_of_threads() {
    let folder = many();
    let below = folder.name("");
    let lone = folder.name("project-4/agent-lost.jsonl");
    let claimed = folder.name("project-3/agent-a1.jsonl");
    for format in [&[][..], &["--json"]] {
        let mut arguments = vec!["fold", &lone, &claimed, &below];
        arguments.extend(format);
        let alone = run(&folder, &arguments, "1");
        assert_eq!(alone.2, Some(2), "{}", alone.1);
        assert!(alone.0.contains("s89.jsonl") && alone.1.contains("empty.jsonl"), "{}", alone.1);
        for jobs in ["2", "16"] {
            assert_eq!(run(&folder, &arguments, jobs), alone, "on {jobs} threads");
        }
    }
}

#[test]
fn sessions_are_listed_alike_on_any_number_of_threads() {
    let folder = many();
    let below = folder.name("");
    let listed = ["1", "2", "16"].map(|jobs| {
        let cache = folder.name(&format!("cache-{jobs}"));
        let mut both = Vec::new();
        // Once read and once out of the cache.
        for _ in 0..2 {
            let arguments = ["sessions", &below, "--cache-dir", &cache, "--json", "--limit", "200"];
            both.push(run(&folder, &arguments, jobs));
        }
        fs::remove_dir_all(&cache).unwrap();
        both
    });
    assert!(listed[0][0].0.lines().count() > 90, "{:?}", listed[0]);
    assert!(listed.iter().flatten().all(|one| *one == listed[0][0]));
}

#[test]
fn instruments_measure_the_same_on_any_number_of_threads() {
    let folder = many();
    let below = folder.name("");
    for instrument in ["fidelity", "detect"] {
        let boards = ["1", "3"].map(|jobs| {
            let out = folder.name(&format!("out-{jobs}"));
            let arguments = [
                instrument,
                "--profile",
                "none",
                "--pathology",
                "none",
                "--transcripts",
                &below,
                "--out",
                &out,
                "--date",
                "2026-01-02",
                "--json",
            ];
            let (printed, _, code) = run(&folder, &arguments, jobs);
            let mut board: Value = serde_json::from_str(&printed).unwrap();
            // Both name the command line, which is another one.
            board.as_object_mut().unwrap().remove("id").unwrap();
            board["provenance"].as_object_mut().unwrap().remove("command").unwrap();
            (board, code)
        });
        assert_eq!(boards[0], boards[1], "{instrument}");
    }
}
