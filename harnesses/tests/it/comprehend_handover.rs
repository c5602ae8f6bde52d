//! Reader `mechanical` on handover views made by hand.

use std::collections::BTreeMap;

use ground_truth::graders::Answer;
use harnesses::comprehend::{ReaderQuestion, mechanical};
use serde_json::{Value, json};

fn answer(context: &str, kind: &str, params: &Value) -> Value {
    let params: BTreeMap<String, Value> =
        serde_json::from_value(params.clone()).expect("an object");
    let question_type = kind.parse().expect("a question type");
    let question = ReaderQuestion { question_type, text: "", params: &params };
    match mechanical::handover(context)(&question) {
        Answer::Json(value) => value,
        Answer::Text(text) => json!(text),
    }
}

/// Checks answers to questions without parameters.
fn check(context: &str, expected: &[(&str, Value)]) {
    for (kind, expected) in expected {
        assert_eq!(answer(context, kind, &json!({})), *expected, "{kind}");
    }
}

fn not_stated() -> Value {
    json!("not stated")
}

const VIEW: &str = "\
# worker 2 (fingerprint 0): covers events 0-90 until 2030-01-02T03:03:37Z
in /shop, branch main, title Fix it, in time, session x
GOAL (turn 1, event 1): Read the list: all of it.
LATEST REQUEST (turn 3 of 3, event 25): Try again… [9 of 40 characters]
CALLS WITHOUT A RESULT (all 2):
- Bash [t5] interrupted since 2030-01-02T03:03:16Z, event 28: {\"command\":\"make test\"}
- Task [t6] in flight, event 83: {\"description\":\"look around\"}
LAST ERROR: two tests failed: none passed
FAILURES not mended since (1 of 2, newest first):
- event 17 Bash {\"command\":\"make: all\"}: two tests failed: none passed
REFUSED CALLS (all 2, newest first):
- event 77 DENIED Bash [t9]: {\"command\":\"git push\"}; the person said: not yet
- event 70 CANCELLED Bash [-]: {\"command\":\"git pull\"}
FILES (all 5, last used first; r = reads, w = writes, sr and sw = by subagents, c = named in commands):
- w2 c1 src/list.rs
- r1 w3 sw4 src/a file.rs
- c3 Makefile
- sr2 sw1 src/other.rs
- r4 /tmp/read.rs
COMMANDS (all 2, last run first, with how the last run ended):
- FAILED x3, 2 failed: make test [and 2 more lines]; failing: test_a, test_b
- ok: make all
LAST ANSWER (event 81): It is done: finally.
LAST EVENTS of the main thread (4 of 29, oldest first):
- event 78 agent calls Edit: {\"file_path\":\"/shop/src/list.rs\",\"old_st… [40 of 99 characters]
- event 80 tool Edit ok: done
- event 81 agent: It is done… [10 of 20 characters]
- event 83 agent calls Task: {\"description\":\"look around\"}
COUNTS: 3 user turns; 13 tool calls (10 ok, 1 failed, 1 denied, 0 interrupted, 2 in flight); 0 subagents
TIME: 605 s from 2030-01-02T02:53:32Z to 2030-01-02T03:03:37Z; 21 s of them since the last user turn
TURNS (all 3, newest first):
- 3 in_progress: 3 calls (Bash 2, Task 1), 1 failed, $0.0032; last call: Task; last file: src/list.rs
- 2 taken back: 9 calls (Read 5, Bash 4), 1 failed
- 1 complete: 1 calls (Bash 1), 0 failed, $0
REQUESTS (all 3, newest first):
- 3: the latest request
- 2: Do: it (all), then stop; concluded: Done.
- 1: the goal; concluded: Read.
AFTER THE LAST EDIT (event 82): Bash [-]: {\"command\":\"make y\"}
FIRST ERROR (event 9): one test failed… [15 of 99 characters]
SLOWEST CALL (event 20): Bash [t2] 61.500 s: {\"command\":\"make all\"}
SUBAGENTS (all 2, by description, newest first):
- event 83: look around
- event 30: read: everything
TOOLS by calls of the main thread (all 2): Bash 7 (1 failed), Read 4; and 9 calls by subagents
MODELS by output tokens (all 2): m-1 12,345; m-2 7
";

#[test]
fn a_handover_view_is_read_by_its_parts() {
    check(
        VIEW,
        &[
            ("latest_ask", json!("Try again")),
            ("n_turns", json!(3)),
            ("top_tool", json!("Bash")),
            ("files", json!(["/shop/src/list.rs", "/shop/src/a file.rs"])),
            ("last_error", json!("two tests failed: none passed")),
            ("first_error", json!("one test failed")),
            ("dangling", json!(["t5", "t6"])),
            ("most_edited_file", json!("/shop/src/a file.rs")),
            ("after_last_edit", json!("Bash make y")),
            ("refused_call", json!("t9")),
            ("slowest_call", json!("t2")),
            ("subagents", json!(["look around", "read: everything"])),
            ("last_words", json!("It is done: finally.")),
            ("failed_in_last_turn", json!([3, 1, "Task"])),
            ("busiest_turn", json!([2, 9])),
            ("session_minutes", json!(10)),
            ("since_last_user", json!(21)),
            ("top_command", json!("make test")),
        ],
    );
    let asked = |kind, params| answer(VIEW, kind, &params);
    assert_eq!(asked("turn_request", json!({"turn": 1})), json!("Read the list: all of it."));
    assert_eq!(asked("turn_request", json!({"turn": 2})), json!("Do: it (all), then stop"));
    assert_eq!(asked("model_tokens", json!({"model": "m-1"})), json!(12345));
    assert_eq!(asked("model_tokens", json!({"model": "m-3"})), not_stated());
    assert_eq!(asked("calls_before_turn", json!({"tool": "Bash", "turn": 3})), json!(5));
    let files = json!({"files": ["/tmp/read.rs", "/shop/src/other.rs", "/shop/src/a file.rs"]});
    assert_eq!(asked("was_read", files), json!(["yes", "no", "yes"]));
    let pair = json!({"first_about": "last_file", "second_about": "subject"});
    assert_eq!(asked("not_stated", pair), json!(["/shop/src/list.rs", "not stated"]));
}

#[test]
fn what_a_budget_left_out_is_not_known() {
    let view = "# worker 2 (fingerprint 0): covers events 0-90\nin /shop\n\
                COUNTS: 3 user turns; 9 tool calls\n\
                TURNS (2 of 3, newest first):\n\
                - 3 in_progress: 0 calls, 0 failed, $0\n\
                - 2 complete: 2 calls (Bash 2), 0 failed, $0\n\
                LEFT OUT: 2 open calls, 12 files, 4 lines\n";
    let unknown = ["dangling", "files", "last_error", "latest_ask", "slowest_call"];
    let unknown = unknown.map(|kind| (kind, not_stated()));
    check(view, &unknown);
    let before = |turn| answer(view, "calls_before_turn", &json!({"tool": "Bash", "turn": turn}));
    assert_eq!(before(3), not_stated(), "the first turn is not shown");
}

#[test]
fn a_run_in_which_nothing_happened_says_so() {
    let view = "# worker 2 (fingerprint 0): covers no events\n\
                GOAL: no person has written anything\nCOUNTS: 0 user turns; 1 tool calls\n";
    check(
        view,
        &[("dangling", json!("none")), ("n_turns", not_stated()), ("latest_ask", not_stated())],
    );
    for context in ["", "\n", "- event", "FILES (", "TIME: ", "COUNTS: x user turns", "in "] {
        check(context, &[("latest_ask", not_stated()), ("dangling", not_stated())]);
    }
}
