//! COMPREHEND.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ground_truth::graders::Answer;
use ground_truth::questions::{PACK_NAMES, QuestionType};
use harnesses::common::Reporter;
use harnesses::comprehend::{
    Caps, Compiled, Condition, Context, READERS, Subject, mechanical, run, run_with, tables,
};
use harnesses::model::reply;
use harnesses::model::structured::ParseFailure;
use scoreboards::measures::comprehend::{ConditionLabel, Family};
use scoreboards::{Decimal, Group, Measure, Row, Scoreboard, to_json, verify};
use serde_json::json;

use crate::support::{claude_code_transcripts, comprehend, shared_cases, write_trace};

const SMALL: [&str; 4] = ["--profile", "paper", "--seeds", "201-202"];

fn board(flags: &[&str]) -> Scoreboard {
    run(&comprehend(flags), &Reporter::silent()).expect("the inputs can be read")
}

fn small(flags: &[&str]) -> Scoreboard {
    board(&[&SMALL, flags].concat())
}

#[test_needs::shared]
#[test]
fn the_shared_replies_are_read_as_they_say() {
    let cases = shared_cases("replies.json");
    assert!(!cases.is_empty());
    for case in &cases {
        let (text, right) = (case["reply"].as_str().unwrap(), case["right"].as_str().unwrap());
        let read = reply::parse(text).map(serde_json::Value::Object);
        let object = json!({"n_turns": 3, "top_tool": "Bash"});
        match right.split(':').next().unwrap() {
            "the object" => assert_eq!(read, Ok(object), "{text}"),
            "no answer" => assert_eq!(read, Err(ParseFailure::Unfinished), "{text}"),
            "unreadable" => assert!(matches!(read, Err(ParseFailure::Malformed(_))), "{text}"),
            other => panic!("no reading is called {other:?}"),
        }
    }
}

#[test]
fn the_graders_make_no_error_and_the_board_says_so() {
    let out = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tracefold-comprehend"))
        .args(["graders", "--seeds", "201", "--date", "2026-01-31", "--out"])
        .arg(out.path())
        .output()
        .expect("the binary runs");
    let (printed, talk) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{talk}");
    let all = printed.lines().rfind(|line| line.starts_with("all ")).expect("a line of sums");
    let cells: Vec<u64> =
        all.split_whitespace().skip(1).map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(cells[2..4], [0, 0], "strict/2: {all}");
    assert!(cells[4..].iter().all(|errors| *errors > 0), "those before make errors: {all}");
    let saved: Vec<_> = fs::read_dir(out.path().join("scoreboards")).unwrap().flatten().collect();
    assert!(scoreboards::verify_file(&saved[0].path()).holds());
    let board = scoreboards::load(&saved[0].path()).unwrap();
    let kinds = board.aggregate("kinds of form", &Group::all().and("what", "kind")).unwrap();
    assert!(kinds.outcome.value.decimal().unwrap() >= Decimal::from(40));
}

/// Rows with all of these labels.
fn rows<'a>(board: &'a Scoreboard, labels: &[(&str, &str)]) -> Vec<&'a Row> {
    let group = labels.iter().fold(Group::all(), |group, (name, value)| group.and(*name, *value));
    board.rows.iter().filter(|row| group.contains(row)).collect()
}

fn number(row: &Row, measure: &str) -> Decimal {
    row.measures[measure].number().expect("it is a number")
}

/// The answers of these rows that are not right by `strict/2`.
fn not_right(rows: &[&Row]) -> Vec<String> {
    assert!(!rows.is_empty());
    let wrong = rows.iter().filter(|row| number(row, "strict") != Decimal::ONE);
    wrong.map(|row| format!("{}: {:?}", row.id, row.measures.get("answer"))).collect()
}

/// An aggregate's value.
fn value(board: &Scoreboard, name: &str, labels: &[(&str, &str)]) -> Decimal {
    let group = labels.iter().fold(Group::all(), |group, (name, value)| group.and(*name, *value));
    let aggregate = board.aggregate(name, &group).expect("it is declared");
    aggregate.outcome.value.decimal().expect("it has a value")
}

fn monitoring(condition: &str) -> [(&str, &str); 3] {
    [("pack", "monitoring/1"), ("condition", condition), ("reader", "mechanical")]
}

#[test]
fn the_view_holds_all_of_monitoring() {
    let board = small(&[]);
    assert_eq!(verify(&board), []);
    assert_eq!(not_right(&rows(&board, &monitoring("view"))), Vec::<String>::new());
    let over = [&monitoring("view")[..], &[("what", "answer"), ("inputs", "generated")]].concat();
    for name in ["accuracy, strict/2", "macro average, strict/2", "accuracy, paper/1"] {
        assert_eq!(value(&board, name, &over), Decimal::ONE, "{name}");
        assert_eq!(value(&board, &format!("{name} (BCa)"), &over), Decimal::ONE);
    }
    assert_eq!(board.provenance.renderers["view"].name, "worker");
    assert_eq!(board.provenance.protocol["condition.raw.chars"], "100000");
    // Most questions cannot be answered from the end alone.
    let raw = [&monitoring("raw")[..], &[("what", "answer"), ("inputs", "generated")]].concat();
    assert!(value(&board, "accuracy, strict/2", &raw) < Decimal::new(5, 1));
    insta::assert_snapshot!("loss_table", tables(&board));
}

#[test]
fn each_question_has_a_row_for_each_reader_and_condition() {
    let board = small(&["--pack", "coverage/1"]);
    let answers = rows(&board, &[("what", "answer")]);
    let blind = rows(&board, &[("reader", "blind")]);
    assert_eq!(answers.len(), 5 * blind.len());
    let left_out = rows(&board, &[("what", "left_out")]);
    assert_eq!(blind.len() + left_out.len(), 2 * 17, "every type is asked or left out");
    for row in answers {
        let (strict, paper) = (number(row, "strict"), number(row, "paper"));
        assert_eq!(strict + number(row, "strict_loss"), Decimal::ONE, "{}", row.id);
        assert!(paper >= Decimal::ZERO && paper <= Decimal::ONE);
        let condition = row.labels["condition"].as_str();
        assert_eq!(row.renderer.as_deref(), Some(condition).filter(|it| *it != "none"));
    }
    assert!(rows(&board, &[("pack", "monitoring/1")]).is_empty());
}

/// What no constant answer may reach: were it more, a score would say little of a reader.
#[test]
fn the_floor_is_low() {
    let board = board(&["--profile", "paper", "--reader", "blind"]);
    let over = [("what", "answer"), ("inputs", "generated"), ("reader", "blind")];
    let over = [&over[..], &[("condition", "none")]].concat();
    assert!(value(&board, "accuracy, strict/2", &over) <= Decimal::new(15, 2));
    let lenient = value(&board, "accuracy, paper/1", &over);
    assert!(lenient > Decimal::new(3, 1), "the lenient rules give much away: {lenient}");
    for aggregate in &board.aggregates {
        let is_type = aggregate.spec.over.0.contains_key("question");
        if aggregate.spec.name == "accuracy, strict/2" && is_type {
            let score = aggregate.outcome.value.decimal().unwrap();
            assert!(score <= Decimal::new(25, 2), "{}: {score}", aggregate.spec.title());
        }
    }
}

/// Whatever is lost by the raw condition is lost by its cap: without it nothing of the session is.
#[test]
fn without_a_cap_the_transcript_holds_all_of_monitoring() {
    let uncapped = ["--raw-chars", "100000000", "--flatlog-chars", "100000000"];
    let board = small(&[&uncapped[..], &["--pack", "monitoring/1"]].concat());
    assert_eq!(not_right(&rows(&board, &monitoring("raw"))), Vec::<String>::new());
    assert_eq!(board.provenance.protocol["condition.raw.chars"], "100000000");
    for row in rows(&board, &[("what", "context")]) {
        assert_eq!(row.measures["cut"], Measure::Flag(false), "{}", row.id);
    }
}

#[test]
fn a_cap_is_kept() {
    let board =
        small(&["--raw-chars", "1500", "--flatlog-chars", "0", "--condition", "raw,flatlog"]);
    for (condition, chars) in [("raw", 1500), ("flatlog", 0)] {
        for row in rows(&board, &[("what", "context"), ("condition", condition)]) {
            assert_eq!(row.measures["characters"], Measure::Count(chars));
            assert_eq!(row.measures["cut"], Measure::Flag(true));
        }
    }
    let empty = rows(&board, &monitoring("flatlog"));
    assert!(empty.iter().all(|row| row.measures["answered"] == Measure::Flag(false)));
    assert!(rows(&board, &[("condition", "view")]).is_empty());
}

/// Each budget is a condition of its own: in labels, protocol and tables.
#[test]
fn a_budget_is_kept_and_named() {
    let conditions = "view@2000,flatlog@1500,raw@1500,view@1000,flatlog@1500";
    let board = small(&["--pack", "monitoring/1", "--condition", conditions]);
    assert_eq!(verify(&board), []);
    let budgets =
        [("raw@1500", 1500), ("flatlog@1500", 1500), ("view@1000", 1000), ("view@2000", 2000)];
    for (condition, most) in budgets {
        let contexts = rows(&board, &[("what", "context"), ("condition", condition)]);
        assert_eq!(contexts.len(), 2);
        for row in contexts {
            assert!(number(row, "characters") <= Decimal::from(most), "{}", row.id);
        }
        let name = format!("condition.{condition}.chars");
        assert_eq!(board.provenance.protocol[&name], most.to_string());
    }
    assert_eq!(board.provenance.renderers.len(), 4);
    let tables = tables(&board);
    let header = tables.lines().find(|line| line.starts_with("question")).unwrap();
    assert!(header.ends_with("raw@1500  flatlog@1500  view@1000  view@2000"), "{header}");
    insta::assert_snapshot!("by_size", tables.split_once("Accuracy by ").unwrap().1);
}

/// A run whose client wrote no summary has a row that says so, and no answers under that condition.
#[test]
fn a_run_without_a_summary_is_left_out_with_a_reason() {
    let board = small(&["--pack", "monitoring/1", "--condition", "summary,view/2"]);
    assert_eq!(verify(&board), []);
    let left_out = rows(&board, &[("what", "not_shown"), ("condition", "summary")]);
    let shown = rows(&board, &[("what", "context"), ("condition", "summary")]);
    assert_eq!(left_out.len() + shown.len(), 2);
    assert!(rows(&board, &[("what", "answer"), ("condition", "summary")]).is_empty());
    for row in left_out {
        assert!(
            matches!(&row.measures["reason"], Measure::Text(why) if why.contains("no summary"))
        );
    }
}

fn goal(subject: &Subject<'_>, _: &Caps) -> Compiled {
    let goal = subject.state().conversation().goal().ok_or("nobody asked for anything")?;
    Ok(Context::whole(goal.text.text.clone()))
}

fn read_goal(text: &str) -> mechanical::Answers<'_> {
    Box::new(move |question| {
        let is_asked = question.question_type == QuestionType::TurnRequest
            && question.number_param("turn") == Some(1);
        Answer::Json(json!(if is_asked { text } else { "not stated" }))
    })
}

#[test]
fn a_condition_is_one_function_and_one_value() {
    let row = Condition {
        name: "goal".into(),
        version: 7,
        most_chars: None,
        compile: goal,
        renderer: None,
        reading: Some(read_goal),
    };
    let unread = Condition { name: "unread".into(), version: 1, reading: None, ..row.clone() };
    let view = Condition::of(ConditionLabel::whole(Family::View));
    let conditions = [view, row, unread];
    let args = comprehend(&[&SMALL[..], &["--pack", "monitoring/1"]].concat());
    let board = run_with(&args, &conditions, &Reporter::silent()).unwrap();
    assert_eq!(verify(&board), []);
    assert_eq!(rows(&board, &[("reader", "mechanical"), ("condition", "goal")]).len(), 12);
    assert_eq!(rows(&board, &[("what", "context"), ("condition", "unread")]).len(), 2);
    assert!(rows(&board, &[("reader", "mechanical"), ("condition", "unread")]).is_empty());
    let stamp = &board.provenance.renderers["goal"];
    assert_eq!((stamp.version.as_str(), stamp.fingerprint.len()), ("7", 16));
    let tables = tables(&board);
    let header = tables.lines().find(|line| line.starts_with("question")).unwrap();
    assert_eq!(
        header.split_whitespace().collect::<Vec<_>>(),
        ["question", "asked", "left", "out", "blind", "view", "goal", "unread"]
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let of = |jobs: &str| {
        let args = [&SMALL[..], &["--jobs", jobs]].concat();
        let mut args = comprehend(&args);
        args.common.command = vec!["comprehend".to_owned()];
        to_json(&run(&args, &Reporter::silent()).unwrap()).unwrap()
    };
    assert_eq!(of("1"), of("3"));
}

#[test]
fn nothing_of_a_named_transcript_is_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_trace(folder.path());
    let path = path.to_str().unwrap();
    let board = board(&["--profile", "none", "--transcripts", path]);
    assert_eq!(verify(&board), []);
    let json = to_json(&board).unwrap();
    let truth = corpus_gen::trace(corpus_gen::Set::Default, 300).truth;
    assert!(!json.contains("a-name-of-ones-own") && !json.contains("/home/"));
    assert!(!json.contains(&truth.goal.unwrap()));
    assert!(!rows(&board, &[("inputs", "named"), ("what", "answer")]).is_empty());
    for row in rows(&board, &[("what", "answer")]) {
        assert!(row.measures.contains_key("answer_sha256") && !row.measures.contains_key("answer"));
    }
}

#[test_needs::transcripts]
#[test]
fn the_view_holds_all_of_monitoring_over_real_transcripts() {
    let folder = claude_code_transcripts();
    let board = board(&[
        "--profile",
        "none",
        "--pack",
        "monitoring/1",
        "--condition",
        "view",
        "--transcripts",
        folder,
    ]);
    assert_eq!(not_right(&rows(&board, &monitoring("view"))), Vec::<String>::new());
}

fn command(out: &Path, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold-comprehend"));
    command.args(SMALL).args(flags).arg("--out").arg(out).output().expect("the binary runs")
}

#[test]
fn a_dry_run_counts_and_leaves_nothing() {
    let out = tempfile::tempdir().unwrap();
    let output = command(out.path(), &["--dry-run", "--raw-chars", "1000", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    let raw = printed.lines().find(|line| line.contains("monitoring/1, raw")).unwrap();
    let cells: Vec<&str> = raw.split_whitespace().skip(3).collect();
    assert_eq!(cells, ["2", "12", "0", "2000", "12000", "500"]);
    let output = command(out.path(), &["--dry-run", "--json", "--pack", "coverage/1"]);
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["dry_run"].as_array().unwrap().len(), 4);
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}

#[test]
fn an_unknown_name_is_answered_with_those_there_are() {
    let out = tempfile::tempdir().unwrap();
    let conditions = Family::ALL.map(Family::name).join(", ");
    let cases = [
        (["--reader", "oracle"], READERS.join(", ")),
        (["--condition", "raws"], conditions),
        (["--condition", "view@12"], "1000".to_owned()),
        (["--pack", "monitoring/9"], PACK_NAMES.join(", ")),
    ];
    for (flags, known) in cases {
        let output = command(out.path(), &flags);
        assert_eq!(output.status.code(), Some(2));
        let talk = String::from_utf8(output.stderr).unwrap();
        assert!(talk.contains(flags[1]) && talk.contains(&known), "{talk}");
    }
    let output = command(out.path(), &["--transcripts", "/nowhere/at/all.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}

#[test]
fn a_scoreboard_is_saved_and_shown_with_its_tables() {
    let out = tempfile::tempdir().unwrap();
    let output = command(out.path(), &["--pack", "monitoring/1", "--date", "2026-01-31"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("representation loss, 1 - mechanical"), "{printed}");
    let saved: Vec<_> = fs::read_dir(out.path().join("scoreboards")).unwrap().flatten().collect();
    assert_eq!(saved.len(), 1);
    assert!(scoreboards::verify_file(&saved[0].path()).holds());
}
