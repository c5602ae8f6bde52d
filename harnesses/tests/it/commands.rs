//! The binaries: exit status, output, and what is left on disk.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn detect(out: &Path, flags: &[&str]) -> Output {
    let small = ["--profile", "none", "--pathology", "default", "--pathology-seeds", "300"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold-detect"));
    command.args(small).args(flags).arg("--out").arg(out).output().expect("the binary runs")
}

#[test]
fn a_scoreboard_is_saved_and_printed() {
    let out = tempfile::tempdir().unwrap();
    let output = detect(out.path(), &["--json", "-q", "--date", "2026-01-31"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["provenance"]["date"], "2026-01-31");
    let saved: Vec<_> = fs::read_dir(out.path().join("scoreboards")).unwrap().flatten().collect();
    assert_eq!(saved.len(), 1);
    assert_eq!(fs::read(saved[0].path()).unwrap(), output.stdout);
    assert!(scoreboards::verify_file(&saved[0].path()).holds());
    // The same run on the same day is the same scoreboard.
    assert_eq!(
        detect(out.path(), &["--json", "-q", "--date", "2026-01-31"]).status.code(),
        Some(0)
    );
    assert_eq!(fs::read_dir(out.path().join("scoreboards")).unwrap().count(), 1);
}

#[test]
fn what_does_not_hold_ends_with_1() {
    let out = tempfile::tempdir().unwrap();
    let deaf = ["--set", "loop.raise=50"];
    assert_eq!(detect(out.path(), &deaf).status.code(), Some(0), "measuring is all that was asked");
    let output = detect(out.path(), &[deaf[0], deaf[1], "--require-perfect"]);
    assert_eq!(output.status.code(), Some(1));
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("default-300/instance/01: the loop was not found"), "{talk}");
}

#[test]
fn unusable_input_ends_with_2_and_leaves_nothing() {
    let out = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let nothing = folder.path().join("nothing.jsonl");
    let cases: [(&[&str], &str); 4] = [
        (&["--transcripts", nothing.to_str().unwrap()], "no such file"),
        (&["--transcripts", folder.path().to_str().unwrap()], "no transcript is among the paths"),
        (&["--pathology-seeds", "9-3"], "runs backwards"),
        (&["--jobs", "0"], "--jobs"),
    ];
    for (flags, message) in cases {
        let output = if flags[0] == "--pathology-seeds" {
            let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold-fidelity"));
            command.args(flags).arg("--out").arg(out.path()).output().unwrap()
        } else {
            detect(out.path(), flags)
        };
        let talk = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{talk}");
        assert!(talk.contains(message), "{talk}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}
