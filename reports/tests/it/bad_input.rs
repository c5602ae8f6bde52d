//! Unusable input is one line that names it, and status 2; what data do not determine is said in place.

use std::fs;
use std::path::Path;

use reports::published;
use scoreboards::Instrument;

use crate::support::{board, report, run, save, stderr, stdout};

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let assert = report(folder, arguments).code(2);
    let said = stderr(&assert);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(stdout(&assert), "");
    said
}

#[test]
fn an_empty_folder_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("none")).unwrap();
    for command in [
        &["tables", "--scoreboards", "none"][..],
        &["reproduce", "--scoreboards", "none"],
        &["diff", "none", "none"],
        &["export", "--scoreboards", "none"],
    ] {
        let said = refused(folder.path(), command);
        assert!(said.contains("none holds no scoreboard"), "{said}");
    }
    let said = refused(folder.path(), &["tables", "--source", "ours"]);
    assert!(said.contains("--scoreboards"), "{said}");
}

#[test]
fn a_newer_schema_among_others_is_named() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), "b", &board(Instrument::Continue, vec![run("full", 1, true, "1")]));
    let newer = r#"{"schema": 2, "id": "x", "rows_sha256": "x"}"#;
    fs::write(folder.path().join("b/continue-2027-01-01-00000000.json"), newer).unwrap();
    let said = refused(folder.path(), &["tables", "--scoreboards", "b"]);
    assert!(said.contains("continue-2027-01-01-00000000.json has schema 2"), "{said}");
}

#[test]
fn a_scoreboard_cut_short_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let whole = board(Instrument::Continue, vec![run("full", 1, true, "1")]);
    save(folder.path(), "b", &whole);
    let path = folder.path().join("b").join(scoreboards::file_name(&whole));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let said = refused(folder.path(), &["tables", "--scoreboards", "b"]);
    assert!(said.contains("is not a complete scoreboard"), "{said}");
}

#[test]
fn a_published_file_cut_short_is_named() {
    let folder = tempfile::tempdir().unwrap();
    published::write_carried(folder.path()).unwrap();
    let path = folder.path().join("rows.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 40]).unwrap();
    let said = refused(folder.path(), &["reproduce", "--published", "."]);
    assert!(said.contains("rows.csv"), "{said}");
}

#[test]
fn one_seed_has_no_interval_and_no_success_no_cost_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let rows =
        vec![run("full", 1, true, "2"), run("mask", 1, false, "1"), run("mask", 2, false, "1")];
    save(folder.path(), "b", &board(Instrument::Continue, rows));
    let assert = report(
        folder.path(),
        &["tables", "--source", "ours", "--table", "5", "--scoreboards", "b"],
    )
    .code(0);
    let text = stdout(&assert);
    let line =
        |arm: &str| text.lines().find(|l| l.contains(&format!("/{arm}@"))).unwrap().to_owned();
    assert!(line("full").contains("not computable: one seed"), "{text}");
    assert!(line("mask").contains("undefined"), "{text}");
    assert!(line("mask").contains("not computable: no run succeeded"), "{text}");
}

#[test]
fn an_unknown_command_is_wrong_use() {
    let folder = tempfile::tempdir().unwrap();
    report(folder.path(), &["frobnicate"]).code(2);
}
