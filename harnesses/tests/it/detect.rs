//! DETECT.

use harnesses::common::{Reporter, Verdict};
use harnesses::detect::{perfection, run};
use scoreboards::{Group, Measure, Scoreboard, Value, to_json, verify};

use crate::support::{claude_code_transcripts, detect, write_trace};

fn board(flags: &[&str]) -> Scoreboard {
    let mut all = vec!["--profile", "none"];
    all.extend(flags);
    run(&detect(&all), &Reporter::silent()).expect("the inputs can be read")
}

fn count(board: &Scoreboard, name: &str, group: &[(&str, &str)]) -> String {
    let group = group.iter().fold(Group::all(), |group, (label, value)| group.and(*label, *value));
    let found = board.aggregate(name, &group).unwrap_or_else(|| panic!("no {name} [{group}]"));
    match &found.outcome.value {
        Value::Count(n) => n.to_string(),
        other => other.decimal().expect("it is a number").normalize().to_string(),
    }
}

#[test]
fn the_default_set_is_found_and_clean_traces_are_left_alone() {
    let board = board(&["--pathology", "default", "--pathology-seeds", "300-305"]);
    assert_eq!(perfection(&board), Verdict::Holds);
    assert_eq!(verify(&board), []);
    let scored = [("scored", "yes"), ("set", "default")];
    assert_eq!(count(&board, "tp", &scored), "10");
    assert_eq!(count(&board, "precision", &scored), "1");
    assert_eq!(count(&board, "recall", &scored), "1");
    let clean = [("what", "trace"), ("set", "default"), ("clean", "yes")];
    assert_eq!(count(&board, "traces", &clean), "1");
    assert_eq!(count(&board, "with a false alarm", &clean), "0");
    let streaks = [("scored", "yes"), ("set", "default"), ("kind", "error_streak")];
    assert_eq!(count(&board, "mean delay", &streaks), "0", "raised with the fifth failure");
}

#[test]
fn near_misses_are_listed() {
    let board = board(&["--pathology", "hard", "--pathology-seeds", "401-403"]);
    let misses = board.rows.iter().filter(|row| row.labels["what"] == "near_miss");
    assert!(misses.count() > 0);
    assert_eq!(verify(&board), []);
}

#[test]
fn deaf_detectors_are_measured_as_such() {
    let flags = ["--pathology", "default", "--pathology-seeds", "300", "--loop-raise", "50"];
    let board = board(&flags);
    assert!(board.provenance.protocol["detectors.loop_raise"] == "50");
    let loops = [("scored", "yes"), ("set", "default"), ("kind", "loop")];
    assert_eq!(count(&board, "recall", &loops), "0");
    assert_eq!(count(&board, "fn", &loops), "1");
    let Verdict::Fails(faults) = perfection(&board) else { panic!("it holds") };
    assert_eq!(faults, ["default-300/instance/01: the loop was not found"]);
}

#[test]
fn nervous_detectors_are_measured_as_such() {
    // Every call repeats itself once.
    let flags = ["--pathology", "default", "--pathology-seeds", "304", "--loop-raise", "1"];
    let board = board(&flags);
    let clean = [("what", "trace"), ("set", "default"), ("clean", "yes")];
    assert_eq!(count(&board, "with a false alarm", &clean), "1");
    assert!(matches!(perfection(&board), Verdict::Fails(_)));
    assert_eq!(verify(&board), []);
}

#[test]
fn alarms_over_a_named_transcript_can_be_looked_up_but_show_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_trace(folder.path());
    let board = board(&["--pathology", "none", "--transcripts", path.to_str().unwrap()]);
    let alarms: Vec<_> = board.rows.iter().filter(|row| row.labels["what"] == "alarm").collect();
    assert_eq!(alarms.len(), 2, "a loop and an error streak");
    for alarm in alarms {
        assert!(matches!(alarm.measures["raised_line"], Measure::Count(line) if line > 100));
        assert!(alarm.id.starts_with("transcript-"));
    }
    let session = [("what", "session"), ("corpus", "transcripts")];
    assert_eq!(count(&board, "alarms", &session), "2");
    let read = [("what", "alarm"), ("corpus", "transcripts"), ("verdict", "not_read")];
    assert_eq!(count(&board, "alarms: not_read", &read), "2", "nobody has judged them");
    let of_transcripts = Group::all().and("what", "alarm").and("corpus", "transcripts");
    let precision = board.aggregate("precision", &of_transcripts).expect("it is stated");
    assert!(matches!(precision.outcome.value, Value::Undefined(_)), "{precision:?}");
    let json = to_json(&board).unwrap();
    assert!(!json.contains("a-name-of-ones-own") && !json.contains("/home/"));
    assert_eq!(verify(&board), []);
}

#[test_needs::transcripts]
#[test]
fn real_transcripts_are_measured() {
    let folder = claude_code_transcripts();
    let board = board(&["--pathology", "none", "--transcripts", folder]);
    let session = [("what", "session"), ("corpus", "transcripts")];
    assert_ne!(count(&board, "calls", &session), "0");
    assert_eq!(verify(&board), []);
}
