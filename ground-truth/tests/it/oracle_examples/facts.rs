//! "Facts".

use ground_truth::oracle::{FieldValue, Recount};
use serde_json::{Value, json};

use super::support::{call, count, failure, result, texts, user, with};

/// A call with its result.
fn answered(id: &str, tool: &str, input: Value, text: &str) -> [Value; 2] {
    [call(id, tool, input), result(id, text)]
}

/// The facts of a run of answered calls, as text.
fn facts(calls: &[[Value; 2]]) -> Vec<String> {
    lines_of(&count(calls.as_flattened()))
}

fn lines_of(run: &Recount) -> Vec<String> {
    match run.fields().remove("facts") {
        Some(FieldValue::List(facts)) => facts,
        other => panic!("{other:?}"),
    }
}

fn file(path: &str) -> Value {
    json!({ "file_path": path })
}

fn part(path: &str, offset: i64, limit: i64) -> Value {
    json!({"file_path": path, "offset": offset, "limit": limit})
}

#[test]
fn a_fact_has_its_source_and_line() {
    let found = facts(&[
        answered("1", "Read", file("f"), "     3→a = 1\n     4→\n    10\tb=x y"),
        answered("2", "Bash", json!({"z": {"b": 1, "a": [1.5, "x"]}, "command": "env"}), "k=v"),
        answered("3", "Read", json!({"file_path": "g", "offset": 5}), "\nc=2\r\n"),
    ]);
    assert_eq!(
        found,
        [
            "f:3: a = 1",
            "f:10: b = x y",
            r#"Bash: {"command":"env","z":{"a":[1.5,"x"],"b":1}}:1: k = v"#,
            "g:6: c = 2",
        ]
    );
    let mut unnamed = answered("1", "x", json!({"command": "env"}), "k=v");
    unnamed[0]["message"]["content"][0]["name"] = Value::Null;
    assert_eq!(facts(&[unnamed]), [r#"unknown: {"command":"env"}:1: k = v"#]);
}

#[test]
fn some_results_give_no_facts() {
    let (open, answer) = (call("1", "Read", file("f")), result("1", "a=1"));
    assert_eq!(lines_of(&count(&[open.clone(), answer.clone()])).len(), 1);
    assert_eq!(lines_of(&count(&[answer.clone(), open.clone()])), texts(&[]), "before its call");
    assert_eq!(lines_of(&count(&[open.clone(), failure("1", "a=1")])), texts(&[]));
    let aside = |record: &Value| with(record.clone(), &json!({"agentId": "x"}));
    assert_eq!(lines_of(&count(&[open.clone(), aside(&answer)])).len(), 1, "the call's thread");
    assert_eq!(lines_of(&count(&[aside(&open), answer.clone()])), texts(&[]), "the call's thread");
    let late = [open.clone(), user("next"), answer];
    assert_eq!(lines_of(&count(&late)).len(), 1, "a late result");
    for tool in ["Grep", "Glob", "LS", "search", "list_files"] {
        assert_eq!(facts(&[answered("1", tool, file("f"), "a=1")]), texts(&[]), "{tool}");
    }
    let preview = "<persisted-output>\na=1";
    assert_eq!(facts(&[answered("1", "Read", file("f"), preview)]), texts(&[]));
}

#[test]
fn a_second_reading_replaces_the_first() {
    let first = || answered("1", "Read", file("f"), "a=1\nb=2\na=3\nc=4");
    let other = || answered("2", "Read", file("g"), "a=9");
    assert_eq!(
        facts(&[first(), other(), first()]),
        ["f:1: a = 1", "f:2: b = 2", "f:3: a = 3", "f:4: c = 4", "g:1: a = 9"],
        "the same reading changes nothing"
    );
    let changed = answered("3", "view_file", json!({"path": "f"}), "new=0\na=7\n\na=8\na=9");
    assert_eq!(
        facts(&[first(), other(), changed]),
        ["f:2: a = 7", "f:4: a = 8", "g:1: a = 9", "f:1: new = 0", "f:5: a = 9"],
        "places are kept in order of occurrence, b and c are gone"
    );
}

#[test]
fn a_partial_reading_replaces_its_lines_alone() {
    let first = || answered("1", "Read", file("f"), "a=1\na=2\na=3\na=4");
    let middle = |limit| answered("2", "Read", part("f", 2, limit), "  2\ta=22");
    assert_eq!(
        facts(&[first(), middle(1)]),
        ["f:1: a = 1", "f:2: a = 22", "f:3: a = 3", "f:4: a = 4"]
    );
    assert_eq!(facts(&[first(), middle(2)]), ["f:1: a = 1", "f:2: a = 22", "f:4: a = 4"]);
    let short = answered("2", "Read", part("f", 2, 1), "  2\tx\n  3\ta=33");
    let expected = ["f:1: a = 1", "f:3: a = 33", "f:4: a = 4"];
    assert_eq!(facts(&[first(), short]), expected, "up to the last line seen");
    let blank_end = answered("2", "Read", part("f", 2, 1), "x\n \n\n");
    let expected = ["f:1: a = 1", "f:3: a = 3", "f:4: a = 4"];
    assert_eq!(facts(&[first(), blank_end]), expected, "not of lines that are blank at the end");
    let footer = answered("2", "Read", part("f", 2, 1), "  2\tx\n\n\n(a footer)");
    assert_eq!(facts(&[first(), footer]), expected, "printed numbers go first");
    let no_limit = answered("2", "Read", json!({"file_path": "f", "offset": 3}), "nothing");
    assert_eq!(facts(&[first(), no_limit]), ["f:1: a = 1", "f:2: a = 2"]);
    let head = answered("2", "Read", json!({"file_path": "f", "limit": 1}), "a=0");
    assert_eq!(facts(&[first(), head]), ["f:1: a = 0", "f:2: a = 2", "f:3: a = 3", "f:4: a = 4"]);
}

#[test]
fn a_write_removes_the_facts_of_its_source() {
    let read = |id: &str, path: &str| answered(id, "Read", file(path), "a=1");
    let write = answered("w", "Edit", file("f"), "b=2");
    assert_eq!(facts(&[read("1", "f"), read("2", "g"), write]), ["g:1: a = 1"]);
    let aside = |record: Value| with(record, &json!({"agentId": "x"}));
    let in_agent = answered("w", "Write", file("f"), "ok").map(aside);
    assert_eq!(facts(&[read("1", "f"), in_agent.clone()]), texts(&[]), "whichever thread wrote");
    let [open, answer] = in_agent;
    let records = [[open, read("1", "f")[0].clone()], [read("1", "f")[1].clone(), answer]];
    assert_eq!(facts(&records), texts(&[]), "at its result");
    let [open, answer] = answered("w", "Write", file("f"), "ok");
    let records = [[answer, read("1", "f")[0].clone()], [read("1", "f")[1].clone(), open]];
    assert_eq!(facts(&records), texts(&[]), "at its call, where that is later");
    let failed = [call("w", "Edit", file("f")), failure("w", "no match")];
    assert_eq!(facts(&[read("1", "f"), failed]), ["f:1: a = 1"]);
}

#[test]
fn aggregates_are_exact_and_over_all_sources() {
    let counted = count(
        [
            answered("1", "Read", file("f"), "x=0.1\nx=+2\nx=many\ny=n/a\nx=-0.30"),
            answered("2", "Read", file("g"), "x=0.2\nx=0.2"),
        ]
        .as_flattened(),
    );
    let x = &counted.aggregates["x"];
    assert_eq!((x.count, x.numeric), (6, 5));
    let fields = counted.fields();
    let statistic = |name: &str| match &fields[&format!("aggregates.{name}")] {
        FieldValue::Map(keys) => keys.get("x").cloned().unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    let names = ["count", "sum", "min", "max", "last", "alternating"];
    assert_eq!(names.map(statistic), ["6", "2.2", "-0.3", "2", "0.2", "-2.2"]);
    let y = &counted.aggregates["y"];
    assert_eq!((y.count, y.numeric, y.sum), (1, 0, None));
    let large = "9".repeat(28);
    let text = format!("x={large}\nx=0.0000001\nx=-{large}\nx={large}");
    let counted = count(answered("1", "Read", file("f"), &text).as_slice());
    let x = &counted.aggregates["x"];
    let sums = [x.sum, x.alternating].map(|sum| sum.unwrap().to_string());
    let expected = [format!("{large}.0000001"), format!("-{large}.0000001")];
    assert_eq!(sums, expected, "35 digits");
}
