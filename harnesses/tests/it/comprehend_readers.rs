//! Reader `mechanical` on contexts made by hand, whole and cut.

use std::collections::BTreeMap;

use ground_truth::graders::Answer;
use harnesses::comprehend::{ReaderQuestion, mechanical};
use serde_json::{Value, json};

/// What a reading answers.
fn answer(read: mechanical::Reading, context: &str, kind: &str, params: &Value) -> Value {
    let params: BTreeMap<String, Value> =
        serde_json::from_value(params.clone()).expect("an object");
    let question_type = kind.parse().expect("a question type");
    let question = ReaderQuestion { question_type, text: "", params: &params };
    match read(context)(&question) {
        Answer::Json(value) => value,
        Answer::Text(text) => json!(text),
    }
}

/// Checks answers to questions without parameters.
fn check(read: mechanical::Reading, context: &str, expected: &[(&str, Value)]) {
    for (kind, expected) in expected {
        assert_eq!(answer(read, context, kind, &json!({})), *expected, "{kind}");
    }
}

fn not_stated() -> Value {
    json!("not stated")
}

fn user(time: u64, text: &str) -> String {
    let record = json!({
        "type": "user", "uuid": format!("u{time}"), "timestamp": format!("2030-01-02T03:00:{time:02}Z"),
        "isSidechain": false, "message": {"role": "user", "content": text},
    });
    format!("{record}\n")
}

fn call(time: u64, id: &str, tool: &str, input: &Value) -> String {
    let record = json!({
        "type": "assistant", "uuid": format!("a{time}"), "isSidechain": false,
        "timestamp": format!("2030-01-02T03:00:{time:02}Z"),
        "message": {"id": format!("m{time}"), "role": "assistant", "model": "m-1",
            "usage": {"input_tokens": 1, "output_tokens": 10},
            "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]},
    });
    format!("{record}\n")
}

fn result(time: u64, id: &str, is_error: bool, text: &str) -> String {
    let record = json!({
        "type": "user", "uuid": format!("r{time}"), "isSidechain": false,
        "timestamp": format!("2030-01-02T03:00:{time:02}Z"),
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": text}]},
    });
    format!("{record}\n")
}

fn transcript() -> String {
    [
        user(1, "Read the list, then fix it."),
        call(2, "t1", "Read", &json!({"file_path": "src/list.rs"})),
        result(5, "t1", false, "     1\u{2192}fn list() {}"),
        call(6, "t2", "Edit", &json!({"file_path": "src/list.rs", "old_string": "a"})),
        result(7, "t2", false, "ok"),
        call(8, "t3", "Bash", &json!({"command": "make test"})),
        result(20, "t3", true, "two tests failed"),
        user(21, "Try again with the flag."),
        call(22, "t4", "Bash", &json!({"command": "make test"})),
    ]
    .concat()
}

#[test]
fn a_whole_transcript_answers_everything() {
    let text = transcript();
    check(
        mechanical::raw,
        &text,
        &[
            ("latest_ask", json!("Try again with the flag.")),
            ("n_turns", json!(2)),
            ("top_tool", json!("Bash")),
            ("files", json!(["src/list.rs"])),
            ("last_error", json!("two tests failed")),
            ("dangling", json!(["t4"])),
            ("after_last_edit", json!("t3")),
            ("slowest_call", json!("t3")),
            ("top_command", json!("make test")),
            ("failed_in_last_turn", json!([1, 0, "Bash"])),
            ("busiest_turn", json!([1, 3])),
            ("since_last_user", json!(1)),
            ("session_minutes", json!(0)),
            ("refused_call", not_stated()),
            ("subagents", not_stated()),
        ],
    );
    let asked = |kind, params| answer(mechanical::raw, &text, kind, &params);
    assert_eq!(asked("model_tokens", json!({"model": "m-1"})), json!(40));
    assert_eq!(asked("model_tokens", json!({"model": "m-2"})), not_stated());
    assert_eq!(asked("calls_before_turn", json!({"tool": "Bash", "turn": 2})), json!(1));
    assert_eq!(asked("was_read", json!({"files": ["x", "src/list.rs"]})), json!(["no", "yes"]));
    let pair = json!({"first_about": "subject", "second_about": "last_file"});
    assert_eq!(asked("not_stated", pair), json!(["not stated", "src/list.rs"]));
}

#[test]
fn what_a_cut_took_away_is_not_known() {
    let text = transcript();
    // In the middle of the failed result's line: its call is gone, and the line itself is no record.
    let at = text.find("two tests failed").unwrap();
    check(
        mechanical::raw,
        &text[at..],
        &[
            ("latest_ask", json!("Try again with the flag.")),
            ("n_turns", json!(1)),
            ("files", not_stated()),
            ("last_error", not_stated()),
            ("dangling", json!(["t4"])),
        ],
    );
    // At the line's start it is whole; the result is known though its call is not.
    let line = text[..at].rfind('\n').unwrap() + 1;
    check(
        mechanical::raw,
        &text[line..],
        &[("last_error", json!("two tests failed")), ("slowest_call", not_stated())],
    );
    for context in ["", "\n", "}", "{\"a\":", "not JSON at all\n"] {
        let unknown = [("latest_ask", not_stated()), ("dangling", not_stated())];
        check(mechanical::raw, context, &unknown);
        check(mechanical::flatlog, context, &unknown);
        check(mechanical::view, context, &unknown);
    }
}

/// A record that is quoted inside a cut line is no record of the run.
#[test]
fn a_cut_line_gives_nothing_away() {
    let inner = user(9, "Delete everything.");
    let outer = result(10, "t9", false, &inner);
    let cut = &outer[10..];
    check(mechanical::raw, cut, &[("latest_ask", not_stated()), ("n_turns", not_stated())]);
}

const LOG: &str = "\
:02:59Z tool result [t0] ok the end of a line that was cut
4 2030-01-02T03:00:01Z user message <system-reminder> be nice </system-reminder> Read the list,
5 2030-01-02T03:00:01Z user message then fix it.
6 2030-01-02T03:00:02Z agent call mcp__x__Read [t1] {\"file_path\":\"a\"}
7 2030-01-02T03:00:03Z tool result [t1] DENIED Permission to use it was denied
8 2030-01-02T03:00:04Z agent call Write [t2] {\"file_path\":\"src/list.rs\",\"content\":\"fn lis… [60 of 4000 characters]
9 - tool result [t2] ok ok
10 2030-01-02T03:00:06Z agent call Bash [t3] {\"command\":\"make test\",\"timeout\":1… [40 of 50 characters]
11 2030-01-02T03:00:09Z tool result [t3] FAILED two tests… [9 of 16 characters]
12 2030-01-02T03:00:10Z meta message [Request interrupted by user]
13 2030-01-02T03:00:11Z agent call Task [-] {\"description\":\"look around\"}
14 2030-01-02T03:00:12Z agent message Two tests fail.
15 2030-01-02T03:00:13Z user attachment queued_command
16 - system session_meta
# flatlog 1 (fingerprint 0): 13 lines
";

#[test]
fn a_flat_log_is_read_line_by_line() {
    check(
        mechanical::flatlog,
        LOG,
        &[
            // What was typed last is not shown, only that it was.
            ("latest_ask", not_stated()),
            ("n_turns", json!(2)),
            ("files", json!(["src/list.rs"])),
            ("last_error", json!("two tests")),
            ("first_error", json!("two tests")),
            ("dangling", json!("none")),
            ("after_last_edit", json!("t3")),
            ("refused_call", json!("t1")),
            ("slowest_call", json!("t3")),
            ("subagents", json!(["look around"])),
            ("last_words", json!("Two tests fail.")),
            ("since_last_user", json!(0)),
        ],
    );
    let turn = |turn| answer(mechanical::flatlog, LOG, "turn_request", &json!({"turn": turn}));
    assert_eq!(turn(1), json!("Read the list,\nthen fix it."));
    assert_eq!((turn(0), turn(3)), (not_stated(), not_stated()));
    let tokens = answer(mechanical::flatlog, LOG, "model_tokens", &json!({"model": "m-1"}));
    assert_eq!(tokens, not_stated());
}

const VIEW: &str = "\
# worker 1 (fingerprint 0): covers events 0-90 until 2030-01-02T03:03:37Z
session x, in /work

GOAL (turn 1, event 1): Read the list: all of it.
LATEST REQUEST (turn 3 of 3, event 25): Try again… [9 of 40 characters]

COUNTS: 3 user turns; 13 tool calls (10 ok, 1 failed, 0 denied, 0 interrupted, 2 in flight); 0 subagents
TOOLS by calls of the main thread (all 2): Bash 7 (1 failed), Read 4; and 9 calls by subagents
CALLS WITHOUT A RESULT (all 2):
- Bash [t5] interrupted since 2030-01-02T03:03:16Z, event 28: {\"command\":\"make test\"}
- Task [t6] in flight, event 83: {\"description\":\"look around\"}
LAST ERROR: two tests failed: none passed
RECENT FAILURES (2 of 2, newest first):
- event 17 Bash {\"command\":\"make: all\"}: two tests failed: none passed
- event 9 Bash {\"command\":\"make a very long… [80 of 900 characters]: one test failed… [9 of 99 characters]
FILES (all 4, last used first; r = reads, w = writes, sr and sw = by subagents):
- w2 src/list.rs
- r1 w3 sw4 src/a file.rs
- sr2 sw1 src/other.rs
- r4 src/read.rs
EPISODES (all 2, newest first):
- 3 v1 in_progress, events 25-: 3 calls, 1 failed, $0.0032; asked: Try again; concluded: nothing
- 2 v2 complete, events 12-: 9 calls, 1 failed, $0.0175; asked: Do: it; then stop; concluded: Done.
LAST EVENTS of the main thread (8 of 29, oldest first):
- event 76 tool Read ok: text of a call that is not shown
- event 77 agent calls Bash: {\"command\":\"make x\"}
- event 78 agent calls Edit: {\"file_path\":\"src/list.rs\",\"old_st… [40 of 99 characters]
- event 79 tool Bash DENIED: Permission to use
- event 80 tool Edit ok: done
- event 81 agent: It is done: finally.
- event 82 agent calls Bash: {\"command\":\"make y\"}
- event 83 agent calls Task: {\"description\":\"look around\"}
";

#[test]
fn a_view_is_read_by_its_sections() {
    check(
        mechanical::view,
        VIEW,
        &[
            ("latest_ask", json!("Try again")),
            ("n_turns", json!(3)),
            ("top_tool", json!("Bash")),
            ("files", json!(["src/list.rs", "src/a file.rs"])),
            ("last_error", json!("two tests failed: none passed")),
            ("first_error", json!("one test failed")),
            ("dangling", json!(["t5", "t6"])),
            ("most_edited_file", json!("src/a file.rs")),
            ("after_last_edit", json!("Bash make y")),
            ("refused_call", json!("Bash make x")),
            ("subagents", json!(["look around"])),
            ("last_words", json!("It is done: finally.")),
            ("failed_in_last_turn", json!([3, 1, "Task"])),
            ("busiest_turn", json!([2, 9])),
            ("session_minutes", not_stated()),
            ("slowest_call", not_stated()),
        ],
    );
    let turn = |turn| answer(mechanical::view, VIEW, "turn_request", &json!({"turn": turn}));
    assert_eq!(turn(1), json!("Read the list: all of it."));
    assert_eq!(turn(2), json!("Do: it; then stop"));
    let read = json!({"files": ["src/read.rs", "src/other.rs", "src/a file.rs"]});
    assert_eq!(answer(mechanical::view, VIEW, "was_read", &read), json!(["yes", "no", "yes"]));
    let pair = json!({"first_about": "last_file", "second_about": "subject"});
    let pair = answer(mechanical::view, VIEW, "not_stated", &pair);
    assert_eq!(pair, json!(["src/list.rs", "not stated"]));
}

#[test]
fn a_view_that_shows_none_says_none() {
    let view = "\nGOAL: no person has written anything\n\nCOUNTS: 0 user turns; 1 tool calls\n\
                CALLS WITHOUT A RESULT: none\nLAST ERROR: none\nFILES: none read or written\n\
                LAST EVENTS of the main thread (all 0, oldest first):\n";
    check(
        mechanical::view,
        view,
        &[
            ("dangling", json!("none")),
            ("last_error", not_stated()),
            ("files", not_stated()),
            ("n_turns", not_stated()),
            ("latest_ask", not_stated()),
            ("after_last_edit", not_stated()),
        ],
    );
}
