//! "Calls and their results".

use serde_json::{Value, json};

use super::support::{assistant, call, count, failure, progress, result, texts, user, with};

const STOP: &str = "[Request interrupted by user for tool use]";

/// Succeeded, failed, denied, interrupted, in flight.
fn states(records: &[Value]) -> [u64; 5] {
    let run = count(records);
    [
        run.succeeded_calls,
        run.failed_calls,
        run.denied_calls,
        run.interrupted_calls,
        run.open_tool_calls,
    ]
}

#[test]
fn results_match_by_id_in_any_order() {
    let counted = count(&[
        result("early", "came first"),
        call("a", "Bash", json!({})),
        call("b", "Bash", json!({})),
        result("b", "ok"),
        result("a", "ok"),
        failure("a", "again"),
        result("never", "ok"),
        result("never", "ok"),
        user(json!([{"type": "tool_result", "content": "no id"}])),
        call("early", "Read", json!({})),
        call("early", "Read", json!({"other": 1})),
        call("open", "Read", json!({})),
        assistant(json!([{"type": "tool_use", "name": "Bash"}, {"type": "tool_use", "id": "x"}])),
    ]);
    assert_eq!((counted.tool_calls, counted.calls_without_id, counted.duplicate_calls), (6, 1, 1));
    assert_eq!((counted.results, counted.duplicate_results, counted.orphan_results), (3, 1, 3));
    assert_eq!((counted.succeeded_calls, counted.open_tool_calls), (3, 2));
    assert_eq!(counted.open_call_ids, texts(&["open", "x"]));
    assert_eq!(counted.dangling, texts(&["open", "x"]));
    let per_tool = counted.per_tool.iter().map(|(tool, count)| format!("{tool} {count}"));
    assert_eq!(per_tool.collect::<Vec<_>>(), ["Bash 3", "Read 2", "unknown 1"]);
}

#[test]
fn results_of_one_id_are_orphans_until_their_call_comes() {
    let two = [result("t", "first"), failure("t", "second")];
    let counts = |records: &[Value]| {
        let run = count(records);
        (run.results, run.duplicate_results, run.orphan_results)
    };
    assert_eq!(counts(&two), (0, 0, 2));
    let [first, second] = two;
    assert_eq!(counts(&[first, second, call("t", "Bash", json!({}))]), (1, 1, 0));
}

#[test]
fn late_results_are_those_of_closed_calls() {
    let late = |records: &[Value]| {
        let run = count(records);
        (run.late_results, run.interrupted_calls, run.succeeded_calls)
    };
    let (open, next, done) = (call("t", "Task", json!({})), user("next"), result("t", "done"));
    assert_eq!(late(&[open.clone(), next.clone(), done.clone()]), (1, 0, 1));
    assert_eq!(late(&[open.clone(), done.clone(), next.clone(), done.clone()]), (0, 0, 1));
    assert_eq!(late(&[done.clone(), open.clone(), next.clone()]), (0, 0, 1));
    assert_eq!(late(&[open.clone(), next.clone()]), (0, 1, 0));
    let inner = progress("a", "t", &call("inner", "Bash", json!({})));
    let answer = progress("a", "t", &result("inner", "ok"));
    let records = [open.clone(), inner.clone(), next.clone(), answer.clone()];
    assert_eq!(late(&records), (1, 1, 1), "closed by what launched its agent");
    assert_eq!(late(&[open, next, inner, answer]), (0, 1, 1), "neither was there yet");
}

#[test]
fn the_result_says_how_a_call_ended() {
    let ended = |answer: Value| states(&[call("t", "Bash", json!({})), answer]);
    let kind = |kind: Value| json!({ "toolDenialKind": kind });
    let refused = "The user doesn't want to take this action right now";
    assert_eq!(ended(result("t", "ok")), [1, 0, 0, 0, 0]);
    assert_eq!(ended(failure("t", "exit 1")), [0, 1, 0, 0, 0]);
    assert_eq!(ended(failure("t", refused)), [0, 0, 1, 0, 0]);
    assert_eq!(ended(failure("t", "Permission to use Bash was denied")), [0, 0, 1, 0, 0]);
    assert_eq!(ended(result("t", refused)), [1, 0, 0, 0, 0], "no error");
    assert_eq!(ended(with(result("t", "x"), &kind(json!("user-rejected")))), [0, 0, 1, 0, 0]);
    assert_eq!(ended(with(failure("t", "x"), &kind(json!("interrupted")))), [0, 0, 0, 1, 0]);
    assert_eq!(ended(with(failure("t", "x"), &kind(Value::Null))), [0, 1, 0, 0, 0]);
    assert_eq!(ended(failure("t", STOP)), [0, 0, 0, 1, 0]);
    let blocks = json!([{"type": "tool_result", "tool_use_id": "t", "is_error": "true"}]);
    assert_eq!(ended(user(blocks)), [1, 0, 0, 0, 0], "only JSON true is true");
}

#[test]
fn a_later_prompt_or_interruption_closes_calls_of_its_thread() {
    let open = call("t", "Bash", json!({}));
    assert_eq!(states(&[user("go"), open.clone()]), [0, 0, 0, 0, 1]);
    assert_eq!(states(&[open.clone(), user("next")]), [0, 0, 0, 1, 0]);
    assert_eq!(
        states(&[open.clone(), user(json!([{"type": "text", "text": STOP}]))]),
        [0, 0, 0, 1, 0]
    );
    assert_eq!(states(&[open.clone(), user("<tick>1</tick>")]), [0, 0, 0, 0, 1]);
    assert_eq!(states(&[open.clone(), user("next"), result("t", "late")]), [1, 0, 0, 0, 0]);
    let aside = |record: Value| with(record, &json!({"isSidechain": true}));
    assert_eq!(states(&[aside(open.clone()), user("next")]), [0, 0, 0, 0, 1], "another thread");
    assert_eq!(states(&[open.clone(), aside(user(STOP))]), [0, 0, 0, 0, 1], "another thread");
    assert_eq!(states(&[aside(open.clone()), aside(user(STOP))]), [0, 0, 0, 1, 0]);
    let counted = count(&[open, user("next"), aside(call("u", "Bash", json!({})))]);
    assert_eq!(counted.dangling, texts(&["t"]), "interrupted, of the main thread");
    assert_eq!(counted.open_call_ids, texts(&["u"]));
}

#[test]
fn what_a_closed_call_launched_is_closed_too() {
    let launch = call("launch", "Task", json!({}));
    let inner = progress("a", "launch", &call("inner", "Task", json!({})));
    let deeper = progress("b", "inner", &call("deeper", "Bash", json!({})));
    let records = [launch, inner, deeper, user("next")];
    assert_eq!(states(&records), [0, 0, 0, 3, 0]);
    assert_eq!(states(&records[..3]), [0, 0, 0, 0, 3]);
    let [launch, inner, deeper, next] = records;
    let done = result("launch", "done");
    let answered = [&launch, &inner, &done, &next, &deeper].map(Clone::clone);
    assert_eq!(states(&answered), [1, 0, 0, 0, 0], "the launching call was answered before");
    assert_eq!(count(&answered).abandoned_calls, 2);
    let late = [&launch, &next, &done, &inner].map(Clone::clone);
    assert_eq!(states(&late), [1, 0, 0, 1, 0], "answered late, and the inner call comes after it");
    let inner_answer = progress("a", "launch", &result("inner", "done"));
    let in_time = [&launch, &inner, &inner_answer, &next, &deeper].map(Clone::clone);
    assert_eq!(states(&in_time), [1, 0, 0, 1, 0], "what launched the deeper one was answered");
    assert_eq!(count(&in_time).abandoned_calls, 1);
    let in_the_way = [&launch, &inner, &next, &inner_answer, &deeper].map(Clone::clone);
    assert_eq!(states(&in_the_way), [1, 0, 0, 2, 0], "it was answered late");
    let unknown_launcher = [deeper, next];
    assert_eq!(states(&unknown_launcher), [0, 0, 0, 0, 1]);
}

#[test]
fn what_the_client_gave_up_is_cancelled_and_did_not_fail() {
    let ended = |answer: Value| {
        let run = count(&[call("t", "Bash", json!({})), answer]);
        (run.cancelled_calls, run.failed_calls, run.succeeded_calls, run.last_error.is_some())
    };
    let (cancelled, failed) = ((1, 0, 0, false), (0, 1, 0, true));
    for text in [
        "Sibling tool call errored",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        " \n<tool_use_error> Cancelled: parallel tool call Bash(ls) errored</tool_use_error>",
        "Error: Streaming fallback - tool execution discarded",
    ] {
        assert_eq!(ended(failure("t", text)), cancelled, "{text}");
    }
    assert_eq!(ended(failure("t", "make: Sibling tool call errored")), failed, "not at its start");
    assert_eq!(ended(result("t", "Sibling tool call errored")), (0, 0, 1, false), "no error");
    let denied =
        with(failure("t", "Cancelled: parallel tool call"), &json!({"toolDenialKind": "x"}));
    assert_eq!(ended(denied), (0, 0, 0, false), "a denial goes first");
    let run = count(&[call("t", "Bash", json!({})), failure("t", "Sibling tool call errored")]);
    assert!(run.per_tool_failed.is_empty() && run.results == 1);
}

/// Abandoned, interrupted, in flight.
fn unanswered(records: &[Value]) -> (u64, u64, u64) {
    let run = count(records);
    (run.abandoned_calls, run.interrupted_calls, run.open_tool_calls)
}

#[test]
fn nothing_can_answer_a_call_whose_agent_is_over() {
    let launch = call("launch", "Task", json!({}));
    let inner = progress("a", "launch", &call("inner", "Task", json!({})));
    let deeper = progress("b", "inner", &call("deeper", "Bash", json!({})));
    let done = result("launch", "I start.");
    let records = [launch.clone(), inner.clone(), deeper.clone(), done.clone()];
    assert_eq!(unanswered(&records), (2, 0, 0), "what it launched in turn, too");
    assert_eq!(unanswered(&records[..3]), (0, 0, 3), "its launching call is open");
    let first = [done.clone(), deeper.clone(), inner.clone(), launch.clone()];
    assert_eq!(unanswered(&first), (2, 0, 0), "wherever each stands");
    assert_eq!(unanswered(&[launch.clone(), inner.clone(), failure("launch", "cut")]), (1, 0, 0));
    let answered = progress("a", "launch", &result("inner", "ok"));
    let records = [launch.clone(), inner.clone(), answered, done.clone()];
    assert_eq!(unanswered(&records), (0, 0, 0), "it has its result");
    let alone = progress("a", "launch", &call("inner", "Bash", json!({})));
    assert_eq!(unanswered(&[alone, done.clone()]), (0, 0, 1), "a launching call that never comes");
    let aside = with(call("x", "Bash", json!({})), &json!({"isSidechain": true}));
    assert_eq!(unanswered(&[launch.clone(), aside, done]), (0, 0, 1), "launched by nothing known");
    let stop = user(json!([{"type": "text", "text": STOP}]));
    assert_eq!(unanswered(&[launch, inner, stop]), (0, 2, 0), "interrupted, not abandoned");
    let each_other = [
        progress("a", "t2", &call("t1", "Task", json!({}))),
        progress("b", "t1", &call("t2", "Task", json!({}))),
    ];
    assert_eq!(unanswered(&each_other), (0, 0, 2), "agents that launched one another");
}

#[test]
fn a_launching_call_is_told_in_four_ways() {
    let launch = || call("t", "Task", json!({}));
    let of_agent = |fields: &Value| with(call("inner", "Bash", json!({})), fields);
    let streamed = of_agent(&json!({"parent_tool_use_id": "t"}));
    let named = of_agent(&json!({"agentId": "a"}));
    let by_stream = [launch(), streamed.clone(), result("t", "ok")];
    assert_eq!(unanswered(&by_stream), (1, 0, 0), "by its records");
    let told =
        with(result("t", "ok"), &json!({"toolUseResult": {"status": "completed", "agentId": "a"}}));
    assert_eq!(unanswered(&[launch(), named.clone(), told.clone()]), (1, 0, 0), "by its result");
    assert_eq!(unanswered(&[launch(), named, result("t", "ok")]), (0, 0, 1), "by nothing");
    let both = of_agent(&json!({"agentId": "a", "parent_tool_use_id": "other"}));
    assert_eq!(unanswered(&[launch(), both, told]), (0, 0, 1), "the records go before a result");
}

#[test]
fn files_are_those_of_succeeded_calls() {
    let counted = count(&[
        call("1", "Read", json!({"file_path": "b"})),
        result("1", "x"),
        call(
            "2",
            "Read",
            json!({"file_path": "", "notebook_path": 5, "filePath": "a", "path": "z"}),
        ),
        result("2", "x"),
        call("3", "Read", json!({"file_path": "failed"})),
        failure("3", "File does not exist"),
        call("4", "Grep", json!({"path": "searched"})),
        result("4", "x"),
        with(call("5", "MultiEdit", json!({"file_path": "b"})), &json!({"agentId": "x"})),
        result("5", "x"),
        call("6", "Write", json!({"file_path": "open"})),
        call("7", "view_file", json!({"path": "b"})),
        result("7", "x"),
    ]);
    assert_eq!(counted.files_read, texts(&["a", "b"]));
    assert_eq!(counted.files_written, texts(&["b"]));
}

#[test]
fn the_last_error_is_the_main_threads() {
    let records = [
        call("1", "Bash", json!({})),
        call("2", "Bash", json!({})),
        failure("2", "second call, first result"),
        user(json!([{"type": "tool_result", "tool_use_id": "1", "is_error": true,
            "content": [{"type": "text", "text": "line one"}, {"type": "image"}, {"type": "text", "text": "two"}]}])),
        call("3", "Bash", json!({})),
        failure("3", "Permission to use Bash has been denied"),
        with(call("4", "Bash", json!({})), &json!({"agentId": "a"})),
        with(failure("4", "in the agent"), &json!({"agentId": "a"})),
        failure("5", "before its call"),
        call("5", "Bash", json!({})),
    ];
    let counted = count(&records);
    assert_eq!(counted.last_error.as_deref(), Some("line one\ntwo"));
    assert_eq!(counted.per_tool_failed["Bash"], 4);
    let elsewhere = |record: Value| with(record, &json!({"agentId": "a"}));
    let of_agent = [elsewhere(call("1", "Bash", json!({}))), failure("1", "x")];
    assert_eq!(count(&of_agent).last_error, None, "the thread of the call");
    let of_main = [call("1", "Bash", json!({})), elsewhere(failure("1", "x"))];
    assert_eq!(count(&of_main).last_error.as_deref(), Some("x"), "the thread of the call");
    assert_eq!(count(&records[..2]).last_error, None);
}
