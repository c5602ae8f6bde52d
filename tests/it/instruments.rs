//! The instruments and the suite, over as little as will do.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, stderr, stdout, tracefold};

/// Inputs that are generated in a moment.
const LITTLE: [&str; 6] = ["--profile", "paper", "--seeds", "201", "--pathology", "none"];

/// Tasks that are done in a moment.
const SHORT: [&str; 4] = ["--horizons", "10", "--task-seeds", "1"];

#[test]
fn the_suite_generates_folds_measures_and_says_where_things_are() {
    let folder = Folder::new();
    let out = folder.name("out");
    let arguments: Vec<&str> = LITTLE.into_iter().chain(SHORT).chain(["--out", &out]).collect();
    let assert = tracefold(&arguments).assert().code(0);
    let (printed, said) = (stdout(&assert), stderr(&assert));
    for expected in [
        "1 of 1 are as committed",
        "sessions/paper",
        "scoreboard  detect",
        "scoreboard  fidelity",
        "scoreboard  comprehend",
        "scoreboard  continue",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(said.contains("everything holds"), "{said}");
    let boards = fs::read_dir(folder.path("out/scoreboards")).unwrap().count();
    assert_eq!(boards, 4);
    tracefold(&["scoreboard", "verify", &folder.name("out/scoreboards")]).assert().code(0);
    // The corpus is one that `fold` reads.
    tracefold(&["fold", &folder.name("out/corpus")]).assert().code(0);
    // Again, and for a program.
    let arguments: Vec<&str> = arguments.into_iter().chain(["--json", "--quiet"]).collect();
    let assert = tracefold(&arguments).assert().code(0);
    let report: Value = serde_json::from_str(&stdout(&assert)).unwrap();
    assert_eq!(report["holds"], true);
    assert_eq!(report["scoreboards"].as_array().unwrap().len(), 4);
    assert_eq!(stderr(&assert), "");
}

#[test]
fn detect_measures_a_labelled_trace() {
    let folder = Folder::new();
    let out = folder.name("out");
    let inputs = ["--profile", "none", "--pathology", "default", "--pathology-seeds", "302"];
    let arguments = [&["detect", "--out", &out, "--json"][..], &inputs].concat();
    let board: Value =
        serde_json::from_str(&stdout(&tracefold(&arguments).assert().code(0))).unwrap();
    assert_eq!(board["provenance"]["instrument"], "detect");
    assert!(board["rows"].as_array().unwrap().len() > 1);
}

/// Generates one small session into `corpus`, and its manifest beside it.
fn generate(folder: &Folder) -> String {
    let (out, manifest) = (folder.name("corpus"), folder.name("manifest.json"));
    let small = ["--profile", "paper", "--seeds", "5", "--pathology", "none"];
    let written = ["--out", &out, "--manifest-out", &manifest];
    tracefold(&[&["corpus", "generate"][..], &small, &written].concat()).assert().code(0);
    manifest
}

#[test]
fn the_corpus_can_be_listed_and_generated() {
    let folder = Folder::new();
    let list = stdout(&tracefold(&["corpus", "list"]).assert().code(0));
    assert!(list.contains("paper-201") && list.contains("realistic-212"), "{list}");
    generate(&folder);
    assert!(folder.path("corpus/sessions/paper/paper-5.jsonl").exists());
}

#[test]
fn a_manifest_that_does_not_hold_is_found() {
    let folder = Folder::new();
    let manifest = generate(&folder);
    tracefold(&["corpus", "verify", "--manifest", &manifest]).assert().code(0);
    let text = fs::read_to_string(&manifest).unwrap();
    let at = text.find("\"sha256\": \"").unwrap() + 11;
    let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
    fs::write(&manifest, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
    tracefold(&["corpus", "verify", "--manifest", &manifest]).assert().code(1);
}
