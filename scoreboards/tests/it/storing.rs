//! Files: dated, whole, never overwritten; and what reading a bad one says.

use std::fs;
use std::path::Path;

use scoreboards::{LoadError, Saved, StoreError, file_name, load, save};

use crate::fixture::{detect, finished, first, work};

fn one_line(e: &LoadError, file: &str) -> String {
    let text = e.to_string();
    assert!(!text.contains('\n'));
    // The folder is a temporary one.
    let (_, rest) = text.split_once(file).expect("the error names the file");
    rest.to_owned()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be listed").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_board_is_saved_once_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let board = finished(detect());
    let saved = save(&runs, &board).unwrap();
    assert!(matches!(&saved, Saved::Written(_)));
    let name = file_name(&board);
    assert!(name.starts_with("detect-2026-01-31-") && name.len() == 31, "{name}");
    assert_eq!(load(saved.path()).unwrap(), board);
    // The same run again is the same file; no temporary file stays behind.
    assert_eq!(save(&runs, &board).unwrap(), Saved::AlreadyThere(saved.path().to_path_buf()));
    assert_eq!(files(&runs), [name]);
}

#[test]
fn nothing_is_ever_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let board = finished(detect());
    let path = folder.path().join(file_name(&board));
    fs::write(&path, "something else").unwrap();
    assert!(matches!(save(folder.path(), &board), Err(StoreError::Taken(at)) if at == path));
    assert_eq!(fs::read_to_string(&path).unwrap(), "something else");
    assert_eq!(files(folder.path()), [file_name(&board)]);
    // Another run of the same day has another name.
    let other = finished(work(first(3), "1"));
    assert!(matches!(save(folder.path(), &other), Ok(Saved::Written(_))));
    assert_eq!(files(folder.path()).len(), 2);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let (a, b) = (finished(detect()), finished(detect()));
    assert_eq!(scoreboards::to_json(&a).unwrap(), scoreboards::to_json(&b).unwrap());
}

#[test]
fn bad_files_are_one_line_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.json");
    let whole = scoreboards::to_json(&finished(detect())).unwrap();
    let read = |text: &str| {
        fs::write(&path, text).unwrap();
        load(&path).expect_err("must not be read")
    };
    // Wherever it is cut, it is no scoreboard; only the last line feed may go.
    for cut in (0..whole.len() - 1).step_by(97) {
        let head = String::from_utf8_lossy(&whole.as_bytes()[..cut]).into_owned();
        assert!(matches!(read(&head), LoadError::Malformed { .. }), "cut at {cut}");
    }
    let newer = one_line(&read("{\"schema\": 2, \"what\": [\"nobody knows\"]}"), "b.json");
    insta::assert_snapshot!(newer, @" has schema 2, this program reads up to 1: use a newer version of it");
    let older = one_line(&read("{\"schema\": 0}"), "b.json");
    insta::assert_snapshot!(older, @" has schema 0, which no version of this program wrote");
    let other = one_line(&read("[1, 2]"), "b.json");
    insta::assert_snapshot!(other, @" is not a complete scoreboard: it does not hold a JSON object; restore it from version control");
    let unknown = read(&whole.replacen("\"schema\"", "\"extra\": 1, \"schema\"", 1)).to_string();
    assert!(unknown.contains("unknown field `extra`"), "{unknown}");
    let absent = load(&folder.path().join("none.json")).expect_err("there is none");
    assert!(matches!(absent, LoadError::Io { .. }));
}
