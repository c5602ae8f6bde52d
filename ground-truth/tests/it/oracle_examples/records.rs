//! "Lines and records", "Records to events", "What a person wrote".

use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::{assistant, count, count_bytes, lines, progress, user, with};

/// The kinds with a count, as text.
fn kinds(records: &[Value]) -> String {
    let counted = count(records);
    let kinds = counted.events_by_kind.iter().filter(|(_, count)| **count > 0);
    kinds.map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn lines_are_counted_over_what_a_crash_leaves() {
    let whole = user("first").to_string();
    let torn = &whole[..20];
    let text = format!("\u{feff}{whole}{whole}\r\n\r\n[]\n{torn}{whole}\n{torn}\n{whole}");
    let both = count_bytes(format!("{whole}\n{whole}{whole}"));
    assert_eq!((both.lines, both.records, both.pending_partial_lines), (2, 3, 0));
    let torn_twice = count_bytes(format!("{torn}{} {}\n", user("a"), user("b")));
    assert_eq!((torn_twice.bad_lines, torn_twice.prompts), (1, 2));
    assert_eq!(torn_twice.goal.as_deref(), Some("a"), "in file order");
    let counted = count_bytes(text.clone());
    assert_eq!((counted.lines, counted.records, counted.bad_lines), (5, 4, 3));
    assert_eq!((counted.prompts, counted.pending_partial_lines), (4, 0));
    let counted = count_bytes(&text.as_bytes()[..text.len() - 5]);
    assert_eq!((counted.prompts, counted.bad_lines, counted.pending_partial_lines), (3, 3, 1));
}

#[test]
fn a_torn_tail_counts_once_the_rest_is_there() {
    let text = lines(&[user("a"), user("b")]);
    let cut = text.len() - 10;
    assert_eq!(count_bytes(&text.as_bytes()[..cut]).prompts, 1);
    assert_eq!(count_bytes(text).prompts, 2);
}

#[test]
fn odd_bytes_degrade_a_text_and_no_more() {
    let mut bytes = lines(&[user("X\u{2028}Y"), user("ok")]).into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'X').unwrap();
    bytes[at] = 0xFF;
    let counted = count_bytes(bytes);
    assert_eq!(counted.goal.as_deref(), Some("\u{fffd}\u{2028}Y"));
    assert_eq!(counted.latest_request.as_deref(), Some("ok"));
    let counted = count_bytes("{\"type\":\"user\",\"message\":{\"content\":\"half \\ud83d\"}}\n");
    assert_eq!(counted.goal.as_deref(), Some("half \u{fffd}"));
}

#[test]
fn odd_types_degrade_a_field_and_no_more() {
    let records = [
        json!({"type": "user", "sessionId": null, "uuid": 7, "message": "as a string"}),
        json!({"type": "user", "uuid": "7", "message": "as a string"}),
        json!({"type": "user", "isMeta": "true", "origin": "elsewhere", "message": {"content": "b"}}),
        json!({"type": "user", "message": {"content": {"no": "content"}}}),
        json!({"type": "assistant", "message": 5}),
    ];
    let counted = count(&records);
    assert_eq!(counted.goal.as_deref(), Some("as a string"));
    assert_eq!((counted.prompts, counted.duplicates, counted.calls), (2, 1, 1));
    assert_eq!(kinds(&records), "message 4");
}

#[test]
fn a_number_that_no_double_holds_is_null() {
    let text = r#"{"type":"user","uuid":1e999,"message":{"content":"a","usage":[-2E+400]}}"#;
    let counted = count_bytes(format!("{text}\n{text}\n"));
    assert_eq!((counted.records, counted.bad_lines, counted.duplicates), (2, 0, 0));
}

#[test]
fn an_empty_id_is_absent() {
    let empty = json!({"uuid": "", "parentUuid": "", "agentId": ""});
    let record = with(user("a"), &empty);
    let inner = progress("", "", &record);
    let counted = count(&[record.clone(), record, inner]);
    assert_eq!((counted.duplicates, counted.orphans, counted.subagents), (0, 0, 0));
    assert_eq!(counted.prompts, 3, "of the main thread");
    let counted = count(&[
        assistant(json!([{"type": "tool_use", "id": "", "name": "T"}])),
        user(json!([{"type": "tool_result", "tool_use_id": ""}])),
    ]);
    assert_eq!((counted.calls_without_id, counted.orphan_results, counted.results), (1, 1, 0));
}

#[test]
fn a_record_is_a_duplicate_if_all_its_events_are() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let stop = "[Request interrupted by user]";
    let of = |blocks: Value| with(user(blocks), &json!({"uuid": "u", "parentUuid": "lost"}));
    let retry = with(
        json!({"type": "system", "subtype": "api_error"}),
        &json!({"uuid": "r", "parentUuid": "lost"}),
    );
    let one = of(json!([text(stop), text("go")]));
    let counts = |records: &[Value]| {
        let run = count(records);
        (run.prompts, run.interruptions, run.retries, run.orphans)
    };
    assert_eq!(counts(&[one.clone(), retry.clone()]), (1, 1, 1, 2));
    assert_eq!(counts(&[one.clone(), one.clone(), retry.clone(), retry]), (1, 1, 1, 2));
    let grown = of(json!([text(stop), text("go"), text("on")]));
    assert_eq!(counts(&[one, grown]), (2, 2, 0, 2), "one event is new");
}

#[test]
fn every_block_has_its_kind() {
    let blocks = json!([
        "a string",
        {"type": "text", "text": "t"},
        {"type": "thinking", "thinking": ""},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "a", "name": "A"},
        {"type": "server_tool_use", "id": "b", "name": "B"},
        {"type": "mcp_tool_use", "id": "c", "name": "C"},
        {"type": "web_search_tool_result", "tool_use_id": "b", "content": [{"url": "u"}]},
        {"type": "mcp_tool_result", "tool_use_id": "c", "content": "r"},
        {"type": "image"},
        {"type": "document"},
        {"type": "tomorrow"},
        {"no": "type"},
        7,
    ]);
    assert_eq!(
        kinds(&[assistant(blocks)]),
        "attachment 2, message 2, thinking 2, tool_call 3, tool_result 2, unknown 3"
    );
}

#[test]
fn every_record_has_its_kind() {
    let records = [
        json!({"type": "system", "subtype": "compact_boundary"}),
        json!({"type": "system", "subtype": "api_error"}),
        json!({"type": "progress", "data": {"type": "hook_progress"}}),
        json!({"type": "speculation-accept"}),
        json!({"type": "queue-operation"}),
        json!({"type": "attachment", "attachment": {"type": "todo"}}),
        json!({"type": "tomorrow"}),
        json!({}),
        json!({"type": "assistant", "isApiErrorMessage": true, "message": {"content": [
            {"type": "tool_use", "id": "t", "name": "T"}, {"type": "text", "text": "529"}]}}),
        user(json!([])),
        json!({"type": "user"}),
    ];
    assert_eq!(
        kinds(&records),
        "attachment 1, compaction 1, error 1, message 2, session_meta 4, unknown 2"
    );
    let counted = count(&records);
    assert_eq!((counted.errors, counted.retries, counted.compactions), (1, 1, 1));
    assert_eq!((counted.unknown, counted.tool_calls, counted.calls), (2, 0, 0));
}

#[test]
fn only_a_whole_agent_progress_record_is_unwrapped() {
    let inner = with(assistant("x"), &json!({"uuid": "in"}));
    assert_eq!(kinds(&[progress("a", "t", &inner)]), "message 1");
    assert_eq!(count(&[progress("a", "t", &inner)]).subagents, 1);
    for data in [
        json!({"type": "agent_progress", "message": {"type": "assistant", "message": "text"}}),
        json!({"type": "agent_progress", "message": "text"}),
        json!({"type": "bash_progress", "message": inner}),
    ] {
        let record = json!({"type": "progress", "data": data});
        assert_eq!(kinds(&[record]), "session_meta 1");
    }
}

#[test]
fn an_event_seen_before_counts_as_a_duplicate_alone() {
    let record = |text: &str| with(user(text), &json!({"uuid": "u"}));
    let counted = count(&[record("a"), record("a"), record("b"), user("a"), user("a")]);
    assert_eq!((counted.events, counted.duplicates, counted.prompts), (4, 1, 4));
    let written = |input: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"u","message":{{"content":[{{"type":"tool_use","name":"T","input":{input}}}]}}}}"#
        )
    };
    let text = ["{\"a\":1}", "{\"a\":1}", "{ \"a\":1}"].map(written).join("\n");
    let counted = count_bytes(text);
    assert_eq!((counted.tool_calls, counted.duplicates), (2, 1), "the input as written");
}

#[test]
fn records_of_unknown_types_are_duplicates_by_their_json() {
    let counted = |lines: &[&str]| {
        let run = count_bytes(lines.join("\n"));
        (run.unknown, run.duplicates)
    };
    let one = r#"{"type":"tomorrow","uuid":"u","n":1}"#;
    let two = r#"{"type":"tomorrow","uuid":"u","n":2}"#;
    assert_eq!(counted(&[one, two]), (2, 0), "two different ones under one uuid");
    assert_eq!(counted(&[one, two, one]), (2, 1));
    assert_eq!(counted(&[one, &one.replace(':', ": ")]), (2, 0), "as written");
    assert_eq!(
        counted(&[&format!("{one} {one}"), &format!(" {one}\r")]),
        (1, 2),
        "not what is around it"
    );
    let mode = r#"{"type":"mode","uuid":"u","mode":"plan"}"#;
    let run = count_bytes([mode, &mode.replace("plan", "x"), mode].join("\n"));
    assert_eq!((run.events_by_kind["session_meta"], run.duplicates), (2, 1));
    let block = |time: u64| {
        with(
            user(json!([{"type": "tomorrow"}, {"type": "text", "text": "x"}])),
            &json!({"uuid": "u", "timestamp": time}),
        )
    };
    let run = count(&[block(1), block(2), block(1)]);
    assert_eq!((run.unknown, run.duplicates), (2, 3), "a block by its record's");
    let wrapped = |uuid: &str| {
        with(
            progress("a", "t", &json!({"type": "tomorrow", "uuid": "u", "message": {}})),
            &json!({"uuid": uuid}),
        )
    };
    assert_eq!(count(&[wrapped("o1"), wrapped("o2")]).duplicates, 1, "an unwrapped one by its own");
}

#[test]
fn a_stream_has_records_and_names_of_its_own() {
    let bare = [
        "result",
        "stream_event",
        "rate_limit_event",
        "tool_progress",
        "tool_use_summary",
        "auth_status",
    ];
    let records = bare.map(|kind| json!({ "type": kind }));
    assert_eq!(kinds(&records), "session_meta 6");
    let of_agent = |id: Value| with(user("x"), &json!({ "parent_tool_use_id": id }));
    let run = count(&[
        of_agent(json!("t")),
        of_agent(json!("t")),
        of_agent(Value::Null),
        of_agent(json!("")),
    ]);
    assert_eq!((run.subagents, run.prompts), (1, 2));
    let both = with(of_agent(json!("t")), &json!({"agentId": "a"}));
    assert_eq!(
        count(&[both, with(user("x"), &json!({"agentId": "a"}))]).subagents,
        1,
        "its own name goes first"
    );
    let synthetic = |flag: Value| with(user("x"), &json!({ "isSynthetic": flag }));
    assert_eq!(count(&[synthetic(json!(true)), synthetic(json!("true"))]).prompts, 1);
}

#[test]
fn deep_records_are_read_as_far_as_the_stack_allows() {
    let deep = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        count_bytes(format!("{{\"type\":\"mode\",\"a\":{open}{close}}}\n")).records
    };
    assert_eq!((deep(126), deep(127), deep(100_000)), (1, 0, 0));
}

#[test]
fn a_person_wrote_only_what_is_left() {
    let records = [
        user("<command-name>/clear</command-name>\n<command-args></command-args>"),
        user("<bash-input>ls</bash-input>"),
        user("[Request interrupted by user]"),
        user(json!([{"type": "text", "text": "Stop hook feedback:\n- no"}])),
        user("Operation stopped by hook: no"),
        user("<system-reminder>x</system-reminder> first\nquestion "),
        with(user("meta"), &json!({"isMeta": true})),
        with(user("summary"), &json!({"isCompactSummary": true})),
        with(user("shown"), &json!({"isVisibleInTranscriptOnly": true})),
        with(user("a task"), &json!({"origin": {"kind": "task-notification"}})),
        with(user("aside"), &json!({"isSidechain": true})),
        with(user("agent"), &json!({"agentId": "a"})),
        with(user("typed"), &json!({"origin": {"kind": "human"}})),
        user(
            json!([{"type": "tool_result", "tool_use_id": "t"}, {"type": "text", "text": "also"}]),
        ),
        user(json!([{"type": "tool_result", "tool_use_id": "t"}, {"type": "image"}])),
        user(json!([{"type": "image"}, {"type": "text", "text": " "}])),
        user(
            json!([{"type": "text", "text": " one "}, "<tick>x</tick>", {"type": "image"}, "two"]),
        ),
    ];
    let counted = count(&records);
    assert_eq!(counted.goal.as_deref(), Some("first\nquestion"));
    assert_eq!(counted.latest_request.as_deref(), Some("one\ntwo"));
    assert_eq!((counted.prompts, counted.interruptions), (5, 1));
    assert_eq!(count(&records[..16]).latest_request.as_deref(), Some("[image]"));
}

#[test]
fn a_queued_command_is_a_prompt_if_a_person_typed_it() {
    let queued = |fields: &Value| {
        let attachment = with(json!({"type": "queued_command", "prompt": "more"}), fields);
        json!({"type": "attachment", "attachment": attachment})
    };
    let prompts = |fields: Value| count(&[queued(&fields)]).prompts;
    assert_eq!(prompts(json!({})), 1);
    assert_eq!(prompts(json!({"commandMode": "prompt", "origin": {"kind": "human"}})), 1);
    assert_eq!(prompts(json!({"commandMode": "task-notification"})), 0);
    assert_eq!(prompts(json!({"origin": {"kind": "channel"}})), 0);
    assert_eq!(prompts(json!({"prompt": "<tick>x</tick>"})), 0);
    assert_eq!(prompts(json!({"type": "queued"})), 0);
    assert_eq!(count(&[with(queued(&json!({})), &json!({"agentId": "a"}))]).prompts, 0);
    let blocks = json!({"prompt": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]});
    assert_eq!(count(&[queued(&blocks)]).goal.as_deref(), Some("a\nb"));
}

#[test]
fn an_orphan_has_a_parent_that_is_nowhere() {
    let inner = with(assistant("x"), &json!({"uuid": "inner", "parentUuid": "nowhere"}));
    let outer = with(progress("a", "t", &inner), &json!({"uuid": "outer", "parentUuid": "later"}));
    let child = |parent: &str| with(user("x"), &json!({"parentUuid": parent}));
    let last = with(user("x"), &json!({"uuid": "later", "parentUuid": null}));
    let counted = count(&[outer, child("inner"), child("outer"), child("lost"), last.clone()]);
    assert_eq!(counted.orphans, 1);
    assert_eq!(count(&[child("lost"), child("lost"), last]).orphans, 2);
    let inner = with(assistant("x"), &json!({"parentUuid": "nowhere"}));
    let wrapped = with(progress("a", "t", &inner), &json!({"parentUuid": "lost"}));
    assert_eq!(count(&[wrapped]).orphans, 1, "the outer record is looked at");
}

/// Pieces of lines, whole and broken, that meet in any order.
const PIECES: [&str; 24] = [
    r#"{"type":"user","uuid":"u","message":{"content":"hi"}}"#,
    r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"f","offset":9e999,"limit":-1}}]}}"#,
    r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"1\ta=-1\n=é"}]}}"#,
    r#"{"type":"progress","data":{"type":"agent_progress","message":{"message":{}}}}"#,
    r#"{"a":1e999é"#,
    "1e999",
    "é",
    "\u{2028}",
    "\n",
    "\r\n",
    "\0",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    " ",
    "\\",
    "\\ud800",
    "\\u12",
    "null",
    "\u{feff}",
];

proptest! {
    /// No bytes make the oracle panic, and no record is lost by what follows on later lines.
    #[test]
    fn any_pieces_are_a_run(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40),
        noise in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut bytes = pieces.concat().into_bytes();
        bytes.push(b'\n');
        let before = count_bytes(bytes.clone());
        bytes.extend(noise);
        let after = count_bytes(bytes);
        prop_assert!(after.records >= before.records && after.bad_lines >= before.bad_lines);
        prop_assert!(before.pending_partial_lines == 0);
        prop_assert!(before.records + before.bad_lines >= before.lines);
    }
}
