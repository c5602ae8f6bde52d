//! `continue`: arms, grids, what is stored, what is refused.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, refused, stderr, stdout, tracefold};

#[test]
fn a_run_is_printed_and_its_transcript_is_one_that_fold_reads() {
    let folder = Folder::new();
    let out = folder.name("out");
    let arms = "mask,curated,curated/2@9500";
    let arguments = ["continue", "--horizon", "5", "--arm", arms, "--out", &out, "-q"];
    let printed = stdout(&tracefold(&arguments).assert().code(0));
    assert!(printed.contains("curated") && printed.contains("1/1"), "{printed}");
    for file in ["curated-1.jsonl", "curated.2@9500-1.jsonl"] {
        let transcript = folder.name(&format!("out/continue/transcripts/chain-5/{file}"));
        let read = stdout(&tracefold(&["fold", &transcript]).assert().code(0));
        assert!(read.contains("7 succeeded"), "{file}: {read}");
    }
}

#[test]
fn a_grid_is_saved_resumed_verified_and_tabulated() {
    let folder = Folder::new();
    let out = folder.name("out");
    let grid = ["continue", "grid", "--arms", "full,curated", "--horizons", "4", "--out", &out];
    let arguments: Vec<&str> = grid.into_iter().chain(["--seeds", "1-2", "--json"]).collect();
    let board: Value =
        serde_json::from_str(&stdout(&tracefold(&arguments).assert().code(0))).unwrap();
    assert_eq!(board["provenance"]["instrument"], "continue");
    assert_eq!(board["rows"].as_array().unwrap().len(), 4);
    let again = tracefold(&arguments).assert().code(0);
    assert!(stderr(&again).contains("4 of 4 runs are stored"), "{}", stderr(&again));
    let boards = folder.name("out/scoreboards");
    tracefold(&["scoreboard", "verify", &boards]).assert().code(0);
    let file = fs::read_dir(&boards).unwrap().next().unwrap().unwrap().path();
    let tables = tracefold(&["continue", "tables", file.to_str().unwrap()]).assert().code(0);
    assert!(stdout(&tables).contains("chain, worker mechanical: runs that succeeded"));
    let other: Vec<&str> = grid.into_iter().chain(["--error-rate", "0.08"]).collect();
    refused(&other, "holds the rows of another run: bench.error_rate is `0` there and `0.08` here");
}

#[test]
fn a_recorded_run_is_replayed_and_its_scoreboard_verified() {
    let folder = Folder::new();
    let out = folder.name("out");
    let replay = ["continue", "replay", "--out", &out, "--every", "20", "-q"];
    let session = ["--profile", "paper", "--seeds", "201", "--budgets", "2000"];
    let printed = stdout(&tracefold(&[&replay[..], &session].concat()).assert().code(0));
    assert!(printed.contains("needed at") && printed.contains("arm"), "{printed}");
    tracefold(&["scoreboard", "verify", &folder.name("out/scoreboards")]).assert().code(0);
    refused(&[&replay[..], &["--contexts", "x"]].concat(), "there is no context `x`");
}

#[test]
fn what_cannot_be_run_is_said_in_a_line() {
    let folder = Folder::new();
    let out = folder.name("out");
    let cases: [(&[&str], &str); 7] = [
        (&["--arms", "ful"], "there is no arm `ful`; there are full, full-cached"),
        (&["--families", "chains"], "there is no task family `chains`"),
        (&["--horizons", "0"], "a task of horizon 0 has nothing to do"),
        (&["--horizons", "x"], "`x` is not a horizon"),
        (&["--seeds", "9-3"], "the range `9-3` runs backwards"),
        (&["--price-as", "gpt-x"], "no price is known for `gpt-x`"),
        (
            &["--worker", "openai", "--base-url", "http://127.0.0.1:9/v1"],
            "openai needs a model: name it with --model",
        ),
    ];
    for (flags, expected) in cases {
        let common = ["continue", "grid", "--out", &out];
        refused(&[&common[..], flags].concat(), expected);
    }
    assert!(!folder.path("out").exists(), "nothing is left behind");
}

#[test]
fn the_arms_are_listed() {
    let printed = stdout(&tracefold(&["continue", "arms"]).assert().code(0));
    for arm in ["full", "curated-declared", "minimal-tally", "parser-model", "curated/2", "list"] {
        assert!(printed.contains(arm), "{arm}: {printed}");
    }
}
