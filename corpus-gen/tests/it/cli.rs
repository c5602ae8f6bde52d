//! The built command: what it writes, says and returns.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn corpus_gen(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corpus-gen")).args(args).output().unwrap()
}

fn small(out: &Path, manifest: &Path) -> Output {
    let (out, manifest) = (out.to_str().unwrap(), manifest.to_str().unwrap());
    let what = [
        "--profile",
        "paper",
        "--seeds",
        "206,204",
        "--pathology",
        "hard",
        "--pathology-seeds",
        "9",
    ];
    corpus_gen(
        &[&["generate", "--out", out, "--manifest-out", manifest, "--jobs", "2"], &what[..]]
            .concat(),
    )
}

#[test]
fn generate_then_verify_then_find_a_change() {
    let dir = tempfile::tempdir().unwrap();
    let (out, manifest) = (dir.path().join("corpus"), dir.path().join("m.json"));
    let done = small(&out, &manifest);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.stderr.is_empty(), "no progress where nobody can see it");
    let again = small(&out, &manifest);
    assert!(
        again.status.success(),
        "regenerating in place: {}",
        String::from_utf8_lossy(&again.stderr)
    );
    for file in [
        "sessions/paper/paper-206.jsonl",
        "sessions/paper/paper-206.truth.json",
        "pathology/hard/hard-9.labels.json",
    ] {
        assert!(out.join(file).exists(), "{file}");
    }
    let path = manifest.to_str().unwrap();
    let ok = corpus_gen(&["verify", "--manifest", path, "--json"]);
    assert_eq!(ok.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&ok.stdout).unwrap();
    assert_eq!((&report["ok"], &report["runs"]), (&Value::Bool(true), &Value::from(3)));

    let text = fs::read_to_string(&manifest).unwrap();
    let mut changed: Value = serde_json::from_str(&text).unwrap();
    changed["runs"][0]["files"][0]["sha256"] = "0".into();
    fs::write(&manifest, changed.to_string()).unwrap();
    let bad = corpus_gen(&["verify", "--manifest", path]);
    assert_eq!(bad.status.code(), Some(1));
    let named = changed["runs"][0]["files"][0]["path"].as_str().unwrap();
    assert!(String::from_utf8_lossy(&bad.stdout).contains(named));
}

#[test]
fn wrong_use_is_2_and_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("m.json");
    fs::write(&broken, "{}").unwrap();
    let cases: [&[&str]; 4] = [
        &["generate"],
        &["generate", "--out", "x", "--seeds", "9-1"],
        &["verify", "--manifest", "/nowhere/m.json"],
        &["verify", "--manifest", broken.to_str().unwrap()],
    ];
    for args in cases {
        let output = corpus_gen(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn list_shows_every_run() {
    let text = String::from_utf8(corpus_gen(&["list"]).stdout).unwrap();
    assert_eq!(text.lines().count(), 1 + 96 + 1);
    let json: Value = serde_json::from_slice(&corpus_gen(&["list", "--json"]).stdout).unwrap();
    assert_eq!(json["runs"].as_array().unwrap().len(), 96);
}
