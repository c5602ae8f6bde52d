//! Verification finds whatever was changed.

use std::fs;
use std::path::Path;

use scoreboards::{
    Decimal, FolderError, IntervalOutcome, Measure, Problem, Row, Scoreboard, Value, file_name,
    save, verify, verify_file, verify_folder,
};

use crate::fixture::{detect, finished, first, work};

fn changed(change: impl FnOnce(&mut Scoreboard)) -> Vec<Problem> {
    let mut board = finished(detect());
    change(&mut board);
    verify(&board)
}

fn differs(problems: &[Problem], wanted: &str) -> bool {
    problems.iter().any(|p| matches!(p, Problem::Differs { part, .. } if *part == wanted))
}

fn hashes(problems: &[Problem]) -> (bool, bool) {
    (
        problems.iter().any(|p| matches!(p, Problem::RowsHash { .. })),
        problems.iter().any(|p| matches!(p, Problem::Id { .. })),
    )
}

#[test]
fn an_untouched_board_holds() {
    assert_eq!(verify(&finished(detect())), []);
    assert_eq!(verify(&finished(work(first(7), "1"))), []);
}

#[test]
fn a_changed_row_is_found_in_its_aggregates_and_in_the_hash() {
    let problems = changed(|board| {
        let row = board.rows.iter_mut().find(|r| r.id == "default/t1/loop").unwrap();
        row.measures.insert("tp".to_owned(), Measure::Count(3));
    });
    assert!(differs(&problems, "value") && differs(&problems, "interval"), "{problems:?}");
    assert_eq!(hashes(&problems), (true, true));
}

#[test]
fn a_row_that_no_aggregate_uses_is_found_by_its_hash() {
    let problems = changed(|board| {
        board.rows[0].labels.insert("extra".to_owned(), "1".to_owned());
    });
    assert_eq!(hashes(&problems), (true, true));
}

#[test]
fn a_changed_value_is_found() {
    let problems = changed(|board| {
        let precision = &mut board.aggregates[0].outcome;
        precision.value = Value::Ratio { num: Decimal::from(4), den: Decimal::from(4) };
    });
    assert!(differs(&problems, "value"));
    assert_eq!(hashes(&problems), (false, true));
    insta::assert_snapshot!(problems[0], @r#"aggregate precision [kind=loop what=trace]: value is stored as {"ratio":{"num":"4","den":"4"}}, its rows give {"ratio":{"num":"3","den":"4"}}"#);
}

#[test]
fn a_changed_interval_is_found() {
    let problems = changed(|board| {
        let outcomes = board.aggregates.iter_mut().map(|a| &mut a.outcome);
        let mut intervals = outcomes.filter_map(|o| o.interval.as_mut());
        let IntervalOutcome::Bounds { hi, .. } = intervals.next().unwrap() else {
            panic!("the first interval has ends");
        };
        *hi -= Decimal::new(1, 6);
    });
    assert!(differs(&problems, "interval"), "{problems:?}");
    let dropped = changed(|board| board.aggregates[0].outcome.interval = None);
    assert!(differs(&dropped, "interval"));
}

#[test]
fn a_last_digit_of_an_interval_may_differ_between_platforms() {
    let problems = changed(|board| {
        if let Some(IntervalOutcome::Bounds { hi, .. }) = &mut board.aggregates[0].outcome.interval
        {
            *hi -= Decimal::new(1, 12);
        }
    });
    assert!(!differs(&problems, "interval"));
}

#[test]
fn changed_counts_and_header_are_found() {
    let problems = changed(|board| {
        board.aggregates[0].outcome.n += 1;
        board.aggregates[1].outcome.missing += 1;
        board.aggregates[2].outcome.clusters = None;
    });
    assert!(differs(&problems, "n") && differs(&problems, "missing"));
    assert!(differs(&problems, "clusters"));
    let header = changed(|board| {
        board.provenance.protocol.insert("loop.repeats".to_owned(), "3".to_owned());
    });
    assert_eq!(header.len(), 1);
    assert_eq!(hashes(&header), (false, true));
}

#[test]
fn duplicates_and_disorder_are_found() {
    let problems = changed(|board| board.rows.insert(1, board.rows[0].clone()));
    assert!(problems.contains(&Problem::DuplicateRow("default/firing/0".to_owned())));
    let problems = changed(|board| board.rows.swap(0, 1));
    assert!(problems.contains(&Problem::Unordered));
    let problems = changed(|board| board.aggregates.push(board.aggregates[0].clone()));
    assert!(problems.iter().any(|p| matches!(p, Problem::DuplicateAggregate(_))));
}

#[test]
fn a_group_of_nothing_is_found() {
    let problems = changed(|board| {
        let over = &mut board.aggregates[0].spec.over;
        *over = over.clone().and("kind", "lop");
    });
    assert!(
        problems
            .iter()
            .any(|p| matches!(p, Problem::NotRecomputable { why, .. } if why.contains("kind=lop")))
    );
    let problems = changed(|board| board.rows.push(Row::new("zzz").renderer("unknown")));
    assert!(problems.iter().any(|p| matches!(p, Problem::Content(why) if why.contains("unknown"))));
}

#[test]
fn a_folder_is_verified_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name);
    assert!(matches!(verify_folder(folder.path()), Err(FolderError::Empty(_))));
    assert!(matches!(verify_folder(&in_folder("absent")), Err(FolderError::Io { .. })));
    let board = finished(detect());
    let path = save(folder.path(), &board).unwrap().path().to_path_buf();
    fs::write(in_folder("notes.txt"), "not a scoreboard").unwrap();
    let report = verify_folder(folder.path()).unwrap();
    assert!(report.holds());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(in_folder("a-cut.json"), &text[..text.len() / 2]).unwrap();
    fs::write(
        in_folder("b-edited.json"),
        text.replace("\"tp\":{\"count\":2}", "\"tp\":{\"count\":1}"),
    )
    .unwrap();
    fs::write(in_folder("c-newer.json"), text.replacen("\"schema\": 1", "\"schema\": 7", 1))
        .unwrap();
    let report = verify_folder(folder.path()).unwrap();
    assert!(!report.holds());
    let failed: Vec<bool> = report.files.iter().map(|file| !file.holds()).collect();
    assert_eq!(failed, [true, true, true, false]);
    let text = report.to_string().replace(&folder.path().display().to_string(), "[folder]");
    insta::assert_snapshot!("folder_report", text);
}

#[test]
fn a_renamed_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let board = finished(detect());
    let path = save(folder.path(), &board).unwrap().path().to_path_buf();
    let renamed = folder.path().join("detect-2026-02-01-00000000.json");
    fs::rename(path, &renamed).unwrap();
    let problems = verify_file(Path::new(&renamed)).problems;
    assert_eq!(problems, [Problem::FileName { expected: file_name(&board) }]);
}
