//! Fields whose JSON type is not the expected one: each degrades alone, and is counted.

use serde_json::{Value, json};
use trace_model::totals::Totals;

use crate::common::{Folded, Script, four, usage};

/// An answer with one field set to something, and what became of it.
fn answer(patch: Value) -> (Folded, Totals) {
    let folded = Script::new()
        .answer("m1", "r1", json!([{"type": "text", "text": "x"}]), usage(3, 4, 5, 6))
        .with(patch)
        .fold();
    let totals = folded.totals();
    (folded, totals)
}

/// The fields that were degraded.
fn degraded(folded: &Folded) -> Vec<(&str, u64)> {
    folded.reading.degraded_fields.iter().map(|(field, count)| (field.as_str(), *count)).collect()
}

/// Odd values of every field of a record: the record, its call and its tokens stay.
#[test]
fn an_odd_field_degrades_alone() {
    let odd =
        [json!([1, {"a": 2}]), json!({"b": []}), json!(false), json!(1.5), json!("odd"), json!(-7)];
    for field in [
        "uuid",
        "parentUuid",
        "timestamp",
        "sessionId",
        "isSidechain",
        "isMeta",
        "isCompactSummary",
        "isVisibleInTranscriptOnly",
        "isApiErrorMessage",
        "requestId",
        "data",
        "parentToolUseID",
        "attachment",
        "toolDenialKind",
        "origin",
        "compactMetadata",
        "cwd",
        "version",
        "gitBranch",
        "summary",
        "aiTitle",
        "customTitle",
        "costUSD",
        "subtype",
        "noSuchField",
        "toolUseResult",
    ] {
        for value in &odd {
            let (_, totals) = answer(json!({field: value}));
            assert_eq!((totals.calls, totals.bad_lines), (1, 0), "{field} = {value}");
            assert_eq!(four(totals.tokens), [3, 4, 5, 6], "{field} = {value}");
            assert_eq!(totals.events_by_kind["message"], 1, "{field} = {value}");
        }
    }
}

#[test]
fn strings_take_numbers_and_booleans_by_their_text() {
    // A numeric session id.
    let (folded, _) = answer(json!({"sessionId": 12}));
    assert_eq!(folded.state.identity().session.as_deref(), Some("12"));
    assert_eq!(degraded(&folded), [("sessionId", 1)]);
    // Null is absent, and nothing odd.
    let line = r#"{"type":"user","uuid":"u","sessionId":null,"cwd":null,"isMeta":null,"message":{"content":"go"}}"#;
    let folded = Script::new().raw(line).fold();
    assert_eq!((folded.totals().prompts, degraded(&folded).len()), (1, 0));
    assert_eq!(folded.state.identity().session, None);
    // A numeric message id is one id, whichever record has it.
    let numeric = json!({"requestId": 77, "message": {"id": 5}});
    let text = || json!([{"type": "text", "text": "x"}]);
    let script = Script::new().answer("m", "r", text(), usage(1, 1, 0, 0)).with(numeric);
    let folded = script.answer("5", "77", text(), usage(1, 2, 0, 0)).fold();
    assert_eq!((folded.totals().calls, folded.totals().tokens.output), (1, 2));
    assert_eq!(degraded(&folded), [("id", 1), ("requestId", 1)]);
    // A numeric id of a call and of its result.
    let folded = Script::new()
        .blocks(json!([{"type": "tool_use", "id": 9, "name": 3, "input": "text"}]))
        .user(json!([{"type": "tool_result", "tool_use_id": 9, "content": "x", "is_error": "yes"}]))
        .fold();
    let totals = folded.totals();
    assert_eq!((totals.tool_calls, totals.results, totals.succeeded_calls), (1, 1, 1));
    assert!(folded.state.tools().contains_key("3"));
    assert_eq!(degraded(&folded), [("id", 1), ("is_error", 1), ("name", 1), ("tool_use_id", 1)]);
}

#[test]
fn a_message_that_is_a_string_is_its_content() {
    let folded = Script::new().record(json!({"type": "user", "message": "do it"})).fold();
    assert_eq!(folded.state.conversation().goal().unwrap().text.text, "do it");
    assert_eq!(degraded(&folded), [("message", 1)]);
    let folded = Script::new().record(json!({"type": "assistant", "message": "done"})).fold();
    assert_eq!((folded.totals().calls, folded.totals().events_by_kind["message"]), (1, 1));
    for odd in [json!(12), json!([]), json!(true)] {
        let folded = Script::new().record(json!({"type": "user", "message": odd})).fold();
        assert_eq!((folded.totals().prompts, folded.totals().events_by_kind["message"]), (0, 1));
        assert_eq!(degraded(&folded), [("message", 1)]);
    }
}

#[test]
fn token_counts_are_whole_and_not_negative() {
    for (value, expected, odd) in [
        (json!(12.9), 12, true),
        (json!(12.0), 12, true),
        (json!("12"), 12, true),
        (json!("12 "), 0, true),
        (json!(-3), 0, true),
        (json!(-0.5), 0, true),
        (json!(true), 0, true),
        (json!([12]), 0, true),
        (json!({"n": 12}), 0, true),
        (json!(12), 12, false),
    ] {
        let (folded, totals) = answer(json!({"message": {"usage": {"output_tokens": value}}}));
        assert_eq!(four(totals.tokens), [3, expected, 5, 6], "{value}");
        let fields = if odd { vec![("output_tokens", 1)] } else { Vec::new() };
        assert_eq!(degraded(&folded), fields, "{value}");
    }
}

#[test]
fn odd_usage_leaves_the_call() {
    for (odd, field) in [
        (json!({"usage": "lots"}), "usage"),
        (json!({"usage": [1, 2]}), "usage"),
        (json!({"usage": 12}), "usage"),
    ] {
        let (folded, totals) = answer(json!({"message": odd}));
        assert_eq!((totals.calls, four(totals.tokens)), (1, [0; 4]));
        assert_eq!(degraded(&folded), [(field, 1)]);
    }
    for (odd, field) in [
        (json!({"cache_creation": 7}), "cache_creation"),
        (
            json!({"cache_creation": {"ephemeral_1h_input_tokens": "x"}}),
            "ephemeral_1h_input_tokens",
        ),
        (json!({"server_tool_use": "none"}), "server_tool_use"),
        (json!({"server_tool_use": {"web_search_requests": -1}}), "web_search_requests"),
        (json!({"iterations": {"type": "advisor_message"}}), "iterations"),
        (json!({"speed": 3}), "speed"),
        (json!({"service_tier": []}), "service_tier"),
    ] {
        let (folded, totals) = answer(json!({"message": {"usage": odd}}));
        assert_eq!((totals.calls, four(totals.tokens)), (1, [3, 4, 5, 6]));
        assert_eq!(degraded(&folded), [(field, 1)]);
    }
    // An odd entry of iterations is passed over, the next keeps counting.
    let entries =
        json!([3, "x", {"type": "advisor_message", "input_tokens": 2, "output_tokens": "q"}]);
    let (_, totals) = answer(json!({"message": {"usage": {"iterations": entries}}}));
    assert_eq!((totals.calls, four(totals.tokens)), (2, [5, 4, 5, 6]));
}

#[test]
fn a_flag_is_true_only_as_json_true() {
    let totals = |flag: Value| answer(json!({"isSidechain": flag})).1;
    for flag in [json!("true"), json!(1), json!([true])] {
        let (folded, _) = answer(json!({"isSidechain": flag}));
        assert_eq!(degraded(&folded), [("isSidechain", 1)]);
        let prompt = Script::new().prompt("go").with(json!({"isSidechain": flag, "isMeta": flag}));
        assert_eq!(prompt.fold().totals().prompts, 1, "{flag}");
    }
    assert_eq!(totals(json!(true)).calls, 1);
    let prompt = Script::new().prompt("go").with(json!({"isSidechain": true}));
    assert_eq!(prompt.fold().totals().prompts, 0);
}

#[test]
fn odd_types_and_kinds_are_unknown_not_lost() {
    for kind in [json!(5), json!(true), json!(["user"]), json!({"t": 1})] {
        let folded =
            Script::new().record(json!({"type": kind, "message": {"content": "x"}})).fold();
        assert_eq!((folded.totals().unknown, folded.totals().bad_lines), (1, 0), "{kind}");
        assert_eq!(degraded(&folded), [("type", 1)]);
    }
    // An odd block costs no other block.
    let folded = Script::new()
        .blocks(json!([{"type": ["text"], "text": "x"}, {"type": "text", "text": {"a": 1}}, 3,
            {"type": "tool_use", "id": "t", "name": "Read", "input": [[]]}]))
        .fold();
    let totals = folded.totals();
    assert_eq!((totals.tool_calls, totals.unknown), (1, 2));
    assert_eq!(totals.events_by_kind["message"], 1);
}

#[test]
fn content_of_results_in_all_shapes() {
    let said = |content: Value| {
        let block = json!({"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": true});
        let folded = Script::new().call("t", "Bash", json!({})).user(json!([block])).fold();
        assert_eq!(folded.totals().failed_calls, 1);
        folded.state.last_error().unwrap().text.clone()
    };
    assert_eq!(said(json!("plain")), "plain");
    let blocks =
        json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]);
    assert_eq!(said(blocks), "a\nb");
    assert_eq!(said(json!([{"type": "text", "text": 5}, "bare", 7])), "5");
    assert_eq!(said(json!(12)), "");
    assert_eq!(said(json!({"text": "x"})), "");
    assert_eq!(said(json!([])), "");
}

#[test]
fn times_are_text_or_numbers_and_odd_ones_are_absent() {
    let time = |value: Value| {
        let folded = Script::new().prompt("go").with(json!({"timestamp": value})).fold();
        assert_eq!(folded.totals().prompts, 1);
        folded.state.observed().time.map(|time| time.to_string())
    };
    let expected = Some("2030-01-02T03:00:09Z".to_owned());
    assert_eq!(time(json!("2030-01-02T03:00:09.250Z")), expected);
    assert_eq!(time(json!("2030-01-02T05:00:09+02:00")), expected);
    assert_eq!(time(json!("2030-01-01T22:30:09-04:30")), expected);
    assert_eq!(time(json!(1_893_553_209_250_i64)), expected);
    assert_eq!(time(json!(1_893_553_209)), expected);
    assert_eq!(time(json!(1_893_553_209_250.75)), expected);
    for odd in
        [json!("yesterday"), json!(""), json!("2030-13-01T00:00:00Z"), json!([2030]), json!(true)]
    {
        assert_eq!(time(odd), None);
    }
    // Numbers that no calendar reaches are kept as they are.
    assert_eq!(
        time(json!(9_000_000_000_000_000_000_i64)).as_deref(),
        Some("9000000000000000000 ms")
    );
}

/// Whole lines of nothing but odd values.
#[test]
fn a_record_of_nothing_but_oddities_is_still_a_record() {
    let line = json!({
        "type": "assistant", "uuid": [], "parentUuid": {}, "timestamp": [], "sessionId": {},
        "isSidechain": "no", "requestId": [], "cwd": [], "version": {}, "gitBranch": [],
        "message": {"id": {}, "model": [], "content": {}, "usage": []},
    });
    let folded = Script::new().raw(format!("{line}\n")).raw(format!("{line}\n")).fold();
    let totals = folded.totals();
    assert_eq!((totals.calls, totals.bad_lines, totals.duplicates), (2, 0, 0));
    assert_eq!((four(totals.by_model["unknown"]), totals.degraded_fields), ([0; 4], 2 * 13));
}
