//! Usage and cost. Expected dollars are computed by hand from `data/prices.json`, in dollars per
//! million tokens.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use trace_model::adapter::FileRole;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::TranscriptReader;
use trace_model::totals::Totals;

use crate::common::{Script, four, usage};

fn text() -> Value {
    json!([{"type": "text", "text": "x"}])
}

/// A transcript of one call of a model with this usage, made on a day.
fn one_call(model: &str, day: &str, usage: Value) -> Totals {
    Script::new()
        .answer("m1", "r1", text(), usage)
        .with(json!({"timestamp": day, "message": {"model": model}}))
        .fold()
        .totals()
}

/// The same, with further fields of the usage.
fn one_call_with(model: &str, usage: Value, more: Value) -> Totals {
    Script::new()
        .answer("m1", "r1", text(), usage)
        .with(json!({"message": {"model": model, "usage": more}}))
        .fold()
        .totals()
}

fn dollars(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[track_caller]
fn costs(totals: &Totals, expected: &str) {
    assert_eq!((totals.cost_usd, totals.unpriced_tokens), (dollars(expected), 0), "{totals:?}");
}

#[test]
fn usage_repeated_over_four_blocks_counts_once() {
    let blocks = [
        json!([{"type": "thinking", "thinking": ""}]),
        text(),
        json!([{"type": "tool_use", "id": "t1", "name": "Read", "input": {}}]),
        json!([{"type": "tool_use", "id": "t2", "name": "Read", "input": {}}]),
    ];
    // Also where one of the records, whichever, names no request.
    for unnamed in [None, Some(0), Some(2), Some(3)] {
        let mut script = Script::new().prompt("go");
        for (at, block) in blocks.iter().enumerate() {
            script = script.answer("m1", "r1", block.clone(), usage(7, 210, 30, 400));
            if unnamed == Some(at) {
                script = script.with(json!({"requestId": null}));
            }
        }
        let totals = script.fold().totals();
        assert_eq!(totals.calls, 1, "{unnamed:?}");
        assert_eq!(four(totals.tokens), [7, 210, 30, 400]);
        assert_eq!(four(totals.naive_tokens), [28, 840, 120, 1600]);
        assert_eq!(totals.naive_inflation.as_deref(), Some("4.000"));
        assert_eq!(totals.tool_calls, 2);
    }
}

#[test]
fn each_number_stands_at_its_peak_whichever_record_states_it() {
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(10, 1, 5, 0))
        .answer("m1", "r1", text(), usage(3, 90, 0, 50))
        .answer("m1", "r1", text(), usage(2, 40, 8, 70))
        .answer("m1", "r1", text(), json!({}))
        .fold()
        .totals();
    assert_eq!((totals.calls, four(totals.tokens)), (1, [10, 90, 8, 70]));
}

#[test]
fn a_live_fold_revises_what_it_has_counted() {
    let script = Script::new()
        .answer("m1", "r1", text(), usage(2, 3, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-5"}}))
        .answer("m1", "r1", text(), usage(2, 140, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-5"}}));
    let mut state = RunState::new(FoldConfig::default());
    let mut reader = TranscriptReader::new(FileRole::default());
    let mut seen = Vec::new();
    for line in script.bytes().split_inclusive(|byte| *byte == b'\n') {
        reader.feed(line, |record| state.apply(record));
        let spent = state.spending();
        seen.push((spent.calls, spent.tokens.output, spent.dollars.normalize()));
    }
    // (2 x 5 + 3 x 25) / 10^6, then (2 x 5 + 140 x 25) / 10^6.
    assert_eq!(seen, [(1, 3, dollars("0.000085")), (1, 140, dollars("0.00351"))]);
}

#[test]
fn a_side_question_that_replays_a_message_does_not_count_in_either_order() {
    let main = |s: Script, request: &str| s.answer("m1", request, text(), usage(1, 10, 0, 50));
    let side = |s: Script, message: &str, request: &str, output: u64| {
        s.answer(message, request, text(), usage(1, output, 0, 0))
            .with(json!({"isSidechain": true}))
    };
    let after = main(side(main(Script::new(), "r1"), "m1", "r9", 99), "r2");
    let before = main(main(side(Script::new(), "m1", "r9", 99), "r1"), "r2");
    for script in [after, before] {
        // Two requests outside the side chain are two calls, and the replay is none.
        let totals = script.fold().totals();
        assert_eq!((totals.calls, four(totals.tokens)), (2, [2, 20, 0, 100]));
    }
    // What is only in the side chain counts, every request of it.
    let totals =
        side(side(main(Script::new(), "r1"), "m2", "r3", 4), "m2", "r4", 5).fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (3, [3, 19, 0, 50]));
    // The replay under the same request id is a repeated record of the call.
    let totals = side(main(Script::new(), "r1"), "m1", "r1", 12).fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (1, [1, 12, 0, 50]));
}

#[test]
fn calls_without_a_message_id() {
    let answer = |s: Script, request: Value| {
        s.answer("m", "r", text(), usage(1, 1, 0, 0))
            .with(json!({"requestId": null, "message": {"id": null}}))
            .with(json!({"requestId": request}))
    };
    let script = answer(answer(Script::new(), json!("r1")), json!("r1"));
    assert_eq!(script.fold().totals().calls, 1, "the request id is the key");
    let script = answer(answer(Script::new(), Value::Null), Value::Null);
    assert_eq!(script.fold().totals().calls, 2, "then the record's uuid");
    assert_eq!(script.again().fold().totals().calls, 2);
    let script = answer(Script::new(), json!("")).with(json!({"uuid": "", "message": {"id": ""}}));
    assert_eq!(script.again().fold().totals().calls, 2, "nothing names it");
}

#[test]
fn cache_writes_of_five_minutes_and_an_hour() {
    let split = |total: u64, five: u64, hour: u64| {
        one_call_with(
            "claude-sonnet-4-5",
            usage(0, 0, total, 0),
            json!({"cache_creation": {
                "ephemeral_5m_input_tokens": five, "ephemeral_1h_input_tokens": hour,
            }}),
        )
    };
    // 200 x 3.75 + 800 x 6 = 750 + 4,800.
    costs(&split(1000, 200, 800), "0.00555");
    assert_eq!(split(1000, 200, 800).cost_in_input_price_units, dollars("1850"));
    // What the total has above the split is written for five minutes: 700 x 3.75 + 300 x 6.
    costs(&split(1000, 200, 300), "0.004425");
    assert_eq!(four(split(1000, 200, 300).tokens), [0, 0, 1000, 0]);
    // A split above the total stands: 200 x 3.75 + 300 x 6.
    costs(&split(100, 200, 300), "0.00255");
    assert_eq!(four(split(100, 200, 300).tokens), [0, 0, 500, 0]);
    // Zeros in the split say nothing: 1,000 x 3.75.
    costs(&split(1000, 0, 0), "0.00375");
    costs(&one_call("claude-sonnet-4-5", "2030-01-01", usage(0, 0, 1000, 0)), "0.00375");
    // The two peak in different records of the call: 100 x 3.75 + 300 x 6, the total being 400.
    let record = |five: u64, hour: u64| {
        json!({"message": {"model": "claude-sonnet-4-5", "usage": {"cache_creation": {
            "ephemeral_5m_input_tokens": five, "ephemeral_1h_input_tokens": hour,
        }}}})
    };
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(0, 0, 100, 0))
        .with(record(100, 0))
        .answer("m1", "r1", text(), usage(0, 0, 300, 0))
        .with(record(0, 300))
        .fold()
        .totals();
    costs(&totals, "0.002175");
}

/// A record of the call `m1` with these numbers (input, output) and list of requests.
fn listing(script: Script, [input, output]: [u64; 2], iterations: Value) -> Script {
    script
        .answer("m1", "r1", text(), usage(input, output, 0, 0))
        .with(json!({"message": {"usage": {"iterations": iterations}}}))
}

fn by_model(totals: &Totals) -> Vec<(&str, [u64; 4])> {
    totals.by_model.iter().map(|(model, tokens)| (model.as_str(), four(*tokens))).collect()
}

#[test]
fn advisors_and_attempts_of_other_models_are_calls_of_their_own() {
    let advisor = |input: u64, output: u64| {
        json!({"type": "advisor_message", "model": "claude-demo-big",
            "input_tokens": input, "output_tokens": output})
    };
    let refused = json!({"type": "message", "model": "claude-demo-small",
        "input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 30});
    let inner = json!({"type": "message", "input_tokens": 2, "output_tokens": 50});
    // The advisor's call grows from one record to the next: it is told by its place in the list.
    let script = listing(Script::new(), [2, 50], json!([inner, advisor(100, 5)]));
    let script = listing(script, [2, 50], json!([inner, advisor(900, 70), refused]));
    let script = listing(script, [2, 50], json!([inner, advisor(900, 60)]));
    let totals = script.fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (3, [912, 121, 0, 30]));
    assert_eq!(
        by_model(&totals),
        [
            ("claude-demo-1", [2, 50, 0, 0]),
            ("claude-demo-big", [900, 70, 0, 0]),
            ("claude-demo-small", [10, 1, 0, 30]),
        ]
    );
    // Naive counting knows nothing of them: 3 x 52 over 52.
    assert_eq!(totals.naive_inflation.as_deref(), Some("3.000"));
    // Two advisors in a record are two calls, and one that used nothing is none.
    let list = json!([advisor(1, 1), advisor(2, 2), advisor(0, 0)]);
    let totals = listing(Script::new(), [2, 50], list).fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (3, [5, 53, 0, 0]));
    assert_eq!((totals.unreconciled_iterations, totals.unknown_iterations.len()), (0, 0));
    // Each is priced as its own model, on the day of its call:
    // Opus 4.5 1,000 x 5 + 100 x 25 = 7,500, Haiku 4.5 100 x 1 + 10 x 5 = 150.
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(100, 10, 0, 0))
        .with(json!({"message": {"model": "claude-haiku-4-5", "usage": {"iterations": [
            {"type": "advisor_message", "model": "claude-opus-4-5-20251101",
             "input_tokens": 1000, "output_tokens": 100},
        ]}}}))
        .fold()
        .totals();
    costs(&totals, "0.00765");
}

#[test]
fn the_figures_tell_which_requests_the_top_level_holds() {
    let entry = |input: u64, output: u64| json!({"type": "message", "input_tokens": input, "output_tokens": output});
    let fold = |top, list| listing(Script::new(), top, list).fold().totals();
    // The sum of all: nothing is further. Compactions are never held.
    let totals = fold([5, 7], json!([entry(2, 3), entry(3, 4)]));
    assert_eq!((totals.calls, four(totals.tokens)), (1, [5, 7, 0, 0]));
    let mut compaction = entry(90, 9);
    compaction["type"] = json!("compaction");
    let totals = fold([5, 7], json!([compaction, entry(5, 7)]));
    assert_eq!((totals.calls, four(totals.tokens)), (2, [95, 16, 0, 0]));
    // The last alone: the ones before it were billed too.
    let totals = fold([3, 4], json!([entry(2, 3), entry(3, 4), compaction]));
    assert_eq!((totals.calls, four(totals.tokens)), (3, [95, 16, 0, 0]));
    // Neither: what is recorded stands, and the call is named.
    let folded = listing(Script::new().prompt("go"), [9, 9], json!([entry(2, 3), entry(3, 4)]));
    let folded = folded.fold();
    let totals = folded.totals();
    assert_eq!((totals.calls, four(totals.tokens)), (1, [9, 9, 0, 0]));
    assert_eq!(totals.unreconciled_iterations, 1);
    assert_eq!(folded.state.unreconciled_at().map(|at| at.0).collect::<Vec<_>>(), [1]);
    // A later record makes it fit.
    let script = listing(Script::new(), [1, 4], json!([entry(2, 3), entry(3, 4)]));
    assert_eq!(script.fold().totals().unreconciled_iterations, 1);
    let totals = listing(script, [3, 2], json!([])).fold().totals();
    assert_eq!((totals.unreconciled_iterations, totals.calls), (0, 2));
    // A type that is not known follows the rule, and is counted.
    let mut novelty = entry(2, 3);
    novelty["type"] = json!("novelty");
    let totals = fold([3, 4], json!([novelty, entry(3, 4), {"input_tokens": 0}]));
    assert_eq!(
        (totals.calls, four(totals.tokens), totals.unreconciled_iterations),
        (1, [3, 4, 0, 0], 1)
    );
    let unknown = totals.unknown_iterations.into_iter().collect::<Vec<_>>();
    assert_eq!(unknown, [("novelty".to_owned(), 1), ("unknown".to_owned(), 1)]);
}

/// A result record that states what its process used.
fn result(script: Script, models: Value, cost: Value) -> Script {
    script.record(json!({"type": "result", "modelUsage": models, "total_cost_usd": cost,
        "timestamp": "2026-01-15T12:00:00Z"}))
}

#[test]
fn what_only_the_client_states_in_the_end_is_in_the_totals_and_in_no_call() {
    let call = |script: Script, message: &str, model: &str| {
        script
            .answer(message, message, text(), usage(100, 1, 0, 0))
            .with(json!({"message": {"model": model}}))
    };
    let stated = |output: u64| json!({"claude-opus-4-5": {"inputTokens": 100, "outputTokens": output, "costUSD": 9}});
    let script = call(Script::new(), "m1", "claude-opus-4-5[1m]");
    let one = result(script.clone(), stated(1001), json!(0.5));
    let totals = one.fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (1, [100, 1001, 0, 0]));
    assert_eq!(four(totals.unattributed_tokens), [0, 1000, 0, 0]);
    assert_eq!(by_model(&totals), [("claude-opus-4-5[1m]", [100, 1001, 0, 0])]);
    // 100 x 5 + 1,001 x 25 = 25,525 millionths.
    costs(&totals, "0.025525");
    assert_eq!(totals.stated_cost_usd, Some(dollars("0.5")));
    assert_eq!(totals.cost_above_stated_usd, Some(dollars("-0.474475")));
    // 101 over 101: what is in no call inflates nothing.
    assert_eq!(totals.naive_inflation.as_deref(), Some("1.000"));
    // A smaller sum says nothing, the last cost stands; a larger one counts for what it adds.
    let two = result(one.clone(), stated(40), json!(0.25)).fold().totals();
    assert_eq!((four(two.tokens), two.stated_cost_usd), ([100, 1001, 0, 0], Some(dollars("0.25"))));
    let two = result(one.clone(), stated(2001), Value::Null).fold().totals();
    assert_eq!((four(two.tokens), two.stated_cost_usd), ([100, 2001, 0, 0], Some(dollars("0.5"))));
    // A call that comes later takes its part of it.
    let later = call(one, "m2", "claude-opus-4-5");
    let totals = later.fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (2, [200, 1001, 0, 0]));
    assert_eq!(four(totals.unattributed_tokens), [0, 999, 0, 0]);
    // A model of no call stands under its own name; one without a price is reported so.
    let other = json!({"glm-5": {"inputTokens": 7}, "claude-haiku-4-5[1m]": {"webSearchRequests": 2,
        "outputTokens": 10}});
    let totals = result(script, other, json!(1e-7)).fold().totals();
    assert_eq!(
        by_model(&totals),
        [
            ("claude-haiku-4-5[1m]", [0, 10, 0, 0]),
            ("claude-opus-4-5[1m]", [100, 1, 0, 0]),
            ("glm-5", [7, 0, 0, 0]),
        ]
    );
    assert_eq!((totals.unpriced_tokens, totals.calls, totals.web_search_requests), (7, 1, 0));
    // 100 x 5 + 1 x 25 and 10 x 5 millionths, and two searches.
    assert_eq!(totals.cost_usd, dollars("0.020575"));
    assert_eq!(totals.stated_cost_usd, Some(dollars("0.0000001")));
}

/// An answer of so many output tokens with a text whose estimate is 1.26 x (3 + 1,000 x 0.643).
fn long_answer(script: Script, message: &str, output: u64) -> Script {
    let content = json!([{"type": "text", "text": "a ".repeat(1000)}]);
    script
        .answer(message, message, content, usage(10, output, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-5"}}))
}

/// Its estimate.
const LONG: u64 = 814;

#[test]
fn output_that_was_never_finished_is_kept_apart_and_estimated() {
    let folded = long_answer(Script::new(), "m1", 3).fold();
    let spent = "at least $0.0001 (about $0.0204 with the output that 1 of the calls never stated)";
    assert!(folded.view().contains(spent), "{}", folded.view());
    let totals = folded.totals();
    assert_eq!((totals.unfinished_usage, totals.tokens.output), (1, 3));
    assert_eq!(totals.estimated_output_tokens, LONG);
    // 10 x 5 + 3 x 25, and 10 x 5 + 814 x 25 millionths.
    assert_eq!((totals.cost_usd, totals.estimated_usd), (dollars("0.000125"), dollars("0.0204")));
    assert!(totals.cost_is_lower_bound && !totals.estimate_is_lower_bound);
    // It is finished by a stop reason in any record, by growth, by a sum for its model, or by the
    // figures: three quarters of the estimate.
    let stop = |reason: Value| json!({"message": {"stop_reason": reason}});
    let start = || long_answer(Script::new(), "m1", 3);
    let finished = [
        start().with(stop(json!("end_turn"))),
        long_answer(start().with(stop(json!("tool_use"))), "m1", 3),
        long_answer(start(), "m1", 3).with(json!({"message": {"stop_reason": "end_turn"}})),
        long_answer(start(), "m1", 4),
        long_answer(Script::new(), "m1", 611),
        result(start(), json!({"claude-opus-4-5[1m]": {}}), Value::Null),
        long_answer(result(Script::new(), json!({"claude-opus-4-5": {}}), Value::Null), "m1", 3),
    ];
    for (at, script) in finished.iter().enumerate() {
        let totals = script.fold().totals();
        assert_eq!((totals.unfinished_usage, totals.cost_is_lower_bound), (0, false), "{at}");
        assert_eq!(totals.estimated_output_tokens, totals.tokens.output, "{at}");
        assert_eq!(totals.estimated_usd, totals.cost_usd, "{at}");
    }
    let unfinished = [
        start().with(stop(json!(""))),
        start().with(stop(Value::Null)),
        // The same record again says and writes nothing more.
        start().again(),
        long_answer(Script::new(), "m1", 610),
        result(start(), json!({"claude-opus-4-6": {}}), Value::Null),
    ];
    for (at, script) in unfinished.iter().enumerate() {
        let totals = script.fold().totals();
        assert_eq!((totals.unfinished_usage, totals.estimated_output_tokens), (1, LONG), "{at}");
    }
    // Two calls are estimated each by itself, and short answers are what they are.
    let two = long_answer(start(), "m2", 3).answer("m3", "m3", text(), usage(1, 6, 0, 0));
    let two = two.fold().totals();
    assert_eq!((two.unfinished_usage, two.estimated_output_tokens), (2, 2 * LONG + 6));
    // A replay of a message takes its estimate with it.
    let replay = json!({"isSidechain": true, "requestId": "r9"});
    let totals = long_answer(long_answer(Script::new(), "m1", 3).with(replay), "m1", 3).fold();
    assert_eq!(totals.totals().unfinished_usage, 1);
}

#[test]
fn reasoning_that_is_withheld_is_estimated_by_its_signature_or_makes_a_lower_bound() {
    let thinking = |block: Value| {
        let text = json!({"type": "text", "text": "a ".repeat(1000)});
        Script::new()
            .answer("m1", "r1", json!([block, text]), usage(10, 3, 0, 0))
            .with(json!({"message": {"model": "claude-opus-4-5"}}))
            .fold()
            .totals()
    };
    // (632 - 232) x 3 / 4 = 300 bytes of reasoning are 300 / 0.44 = 681.818 thousandths x 100:
    // 1.26 x (646 + 68.181) = 899.87.
    let signature = "s".repeat(632);
    let signed = thinking(json!({"type": "thinking", "thinking": "", "signature": signature}));
    assert_eq!((signed.estimated_output_tokens, signed.estimate_is_lower_bound), (900, false));
    // Shown reasoning counts as text; its signature stands for nothing more.
    let shown = "b ".repeat(142);
    let shown = thinking(json!({"type": "thinking", "thinking": shown, "signature": signature}));
    assert_eq!((shown.estimated_output_tokens, shown.estimate_is_lower_bound), (930, false));
    for untold in [
        json!({"type": "redacted_thinking", "data": "abc"}),
        json!({"type": "thinking", "thinking": ""}),
        json!({"type": "thinking", "thinking": "", "signature": ""}),
    ] {
        let totals = thinking(untold);
        assert_eq!((totals.estimated_output_tokens, totals.estimate_is_lower_bound), (LONG, true));
    }
    // A tool call: 40 tokens and its input, `{"n":1}`: 140 + 198 + 1,270 + 5 x 430 thousandths.
    let call = json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {"n": 1}}]);
    let totals = Script::new().answer("m1", "r1", call, usage(1, 0, 0, 0)).fold().totals();
    // 3 + 40 + 3.758 = 46.758 x 1.65 of another Claude.
    assert_eq!((totals.unfinished_usage, totals.estimated_output_tokens), (1, 78));
}

/// The day is the call's, though a record without a time brought the advisor.
#[test]
fn an_advisor_is_priced_on_its_calls_day() {
    let listing = json!({"timestamp": null, "message": {"model": "claude-haiku-4-5", "usage": {
        "iterations": [{"type": "advisor_message", "model": "claude-sonnet-5-5",
            "cache_read_input_tokens": 1_000_000}],
    }}});
    let dated = json!({"timestamp": "2026-10-06T12:00:00Z"});
    let record = |s: Script, with: &Value| {
        s.answer("m1", "r1", text(), usage(0, 0, 0, 0)).with(with.clone())
    };
    // Cache reads of Sonnet 5.5 cost 0.20 until 2026-10-06, 0.10 since.
    let first = record(record(Script::new(), &dated), &listing).with(json!({"timestamp": null}));
    costs(&first.fold().totals(), "0.2");
    let last = record(record(Script::new(), &listing), &dated);
    costs(&last.fold().totals(), "0.2");
}

#[test]
fn fast_mode_has_its_models_own_multiplier() {
    let fast = json!({"speed": "fast"});
    let call = |model: &str, input: u64, output: u64| {
        one_call_with(model, usage(input, output, 0, 0), fast.clone())
    };
    // Opus 4.6: (1,000 x 5 + 100 x 25) x 6 = 45,000. Opus 4.8: x 2 = 15,000.
    costs(&call("claude-opus-4-6", 1000, 100), "0.045");
    costs(&call("claude-opus-4-8", 1000, 100), "0.015");
    assert_eq!(call("claude-opus-4-8", 1, 1).fast_calls, 1);
    // A model whose fast mode has no price: the tokens are reported, none of them priced.
    let totals = call("claude-sonnet-4-5", 1000, 100);
    assert_eq!(
        (totals.cost_usd, totals.unpriced_tokens, totals.fast_calls),
        (Decimal::ZERO, 1100, 1)
    );
    assert_eq!(totals.unpriced["speed `fast` of the model has no known price"], 1100);
    // Standard and fast calls side by side: 7,500 + 45,000.
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(1000, 100, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-6", "usage": {"speed": "standard"}}}))
        .answer("m2", "r2", text(), usage(1000, 100, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-6", "usage": fast}}))
        .fold()
        .totals();
    costs(&totals, "0.0525");
    assert_eq!((totals.calls, totals.fast_calls), (2, 1));
}

#[test]
fn the_long_context_tier_is_decided_once_a_call_and_by_its_day() {
    let opus = |day: &str, reads: u64| one_call("claude-opus-4-6", day, usage(5, 10, 0, reads));
    // 5 x 5 + 199,995 x 0.5 + 10 x 25: exactly 200,000 tokens are not above it.
    let at = opus("2026-03-12T23:59:59Z", 199_995);
    costs(&at, "0.1002725");
    assert_eq!(at.over_200k_calls, 0);
    // One more: (5 x 5 + 199,996 x 0.5) x 2 + 10 x 25 x 1.5.
    let above = opus("2026-03-12T23:59:59Z", 199_996);
    costs(&above, "0.200421");
    assert_eq!(above.over_200k_calls, 1);
    // No premium from 2026-03-13 on: 5 x 5 + 199,996 x 0.5 + 10 x 25. It is a long call all the same.
    let later = opus("2026-03-13T00:00:00Z", 199_996);
    costs(&later, "0.100273");
    assert_eq!(later.over_200k_calls, 1);
    // The day is that of UTC: 01:00 at +02:00 is the day before.
    costs(&opus("2026-03-13T01:00:00+02:00", 199_996), "0.200421");
    // Without a day, the newest prices.
    let undated = Script::new()
        .answer("m1", "r1", text(), usage(5, 10, 0, 199_996))
        .with(json!({"message": {"model": "claude-opus-4-6"}, "timestamp": null}));
    costs(&undated.fold().totals(), "0.100273");
    // All input counts together, none of which is above it alone:
    // (100,000 x 3 + 40,001 x 3.75 + 60,000 x 0.3) x 2 = 936,007.5.
    let totals =
        one_call("claude-sonnet-4-5", "2025-11-01T00:00:00Z", usage(100_000, 0, 40_001, 60_000));
    costs(&totals, "0.9360075");
    // Two calls of half as much are no long call.
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(150_000, 0, 0, 0))
        .answer("m2", "r2", text(), usage(150_000, 0, 0, 0))
        .fold()
        .totals();
    assert_eq!(totals.over_200k_calls, 0);
    // The threshold is the model's: Haiku 5.5 has 100,000, and five times the price above it.
    costs(&one_call("claude-haiku-5-5", "2030-01-01T00:00:00Z", usage(100_000, 0, 0, 0)), "0.01");
    costs(
        &one_call("claude-haiku-5-5", "2030-01-01T00:00:00Z", usage(100_001, 0, 0, 0)),
        "0.0500005",
    );
    // Fast mode has no long-context charge: (5 x 5 + 199,996 x 0.5 + 10 x 25) x 6.
    let fast = Script::new().answer("m1", "r1", text(), usage(5, 10, 0, 199_996)).with(json!({
        "timestamp": "2026-03-12T00:00:00Z",
        "message": {"model": "claude-opus-4-6", "usage": {"speed": "fast"}},
    }));
    costs(&fast.fold().totals(), "0.601638");
}

#[test]
fn a_call_that_grows_past_the_tier_is_priced_as_long_as_a_whole() {
    let sonnet = json!({"message": {"model": "claude-sonnet-4-5"}});
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(100, 1000, 0, 0))
        .with(sonnet.clone())
        .answer("m1", "r1", text(), usage(100, 2000, 0, 200_000))
        .with(sonnet)
        .fold()
        .totals();
    // (100 x 3 + 200,000 x 0.3) x 2 + 2,000 x 15 x 1.5 = 120,600 + 45,000.
    costs(&totals, "0.1656");
}

#[test]
fn web_searches_have_a_fee_and_fetches_none() {
    let tools = |searches: u64, fetches: u64| json!({"server_tool_use": {"web_search_requests": searches, "web_fetch_requests": fetches}});
    // Opus 4.5: 1,000 x 5 / 10^6, and 3 x 10 / 1,000.
    let totals = one_call_with("claude-opus-4-5", usage(1000, 0, 0, 0), tools(3, 2));
    costs(&totals, "0.035");
    assert_eq!((totals.web_search_requests, totals.web_fetch_requests), (3, 2));
    // The object is on most records, with zeros.
    costs(&one_call_with("claude-opus-4-5", usage(1000, 0, 0, 0), tools(0, 0)), "0.005");
    // Nothing multiplies the fee: 1,000 x 5 / 10^6 x 0.5 + 0.03.
    let mut batch = tools(3, 0);
    batch["service_tier"] = json!("batch");
    costs(&one_call_with("claude-opus-4-5", usage(1000, 0, 0, 0), batch), "0.0325");
    // Repeated per block, it is charged once.
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(0, 0, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-5", "usage": tools(1, 0)}}))
        .answer("m1", "r1", text(), usage(0, 0, 0, 0))
        .with(json!({"message": {"model": "claude-opus-4-5", "usage": tools(2, 0)}}))
        .fold()
        .totals();
    costs(&totals, "0.02");
}

#[test]
fn service_tiers_and_geography() {
    let call = |more: Value| one_call_with("claude-opus-4-6", usage(1000, 0, 0, 0), more);
    // 1,000 x 5 / 10^6; half in a batch; a tenth more in the US.
    for standard in [
        json!({}),
        json!({"service_tier": "standard"}),
        json!({"service_tier": "default"}),
        json!({"service_tier": ""}),
        json!({"inference_geo": "not_available"}),
        json!({"inference_geo": "global"}),
    ] {
        costs(&call(standard), "0.005");
    }
    costs(&call(json!({"service_tier": "batch"})), "0.0025");
    costs(&call(json!({"inference_geo": "us"})), "0.0055");
    costs(&call(json!({"service_tier": "batch", "inference_geo": "us"})), "0.00275");
    // JSON null is absent, as the client writes it.
    let null = br#"{"type":"assistant","requestId":"r","message":{"id":"m","model":"claude-opus-4-6","usage":{"input_tokens":1000,"service_tier":null,"inference_geo":null,"speed":null}}}"#;
    costs(&Script::new().raw(null).fold().totals(), "0.005");
    // What has no price is reported, with its reason.
    for (more, reason) in [
        (json!({"service_tier": "priority"}), "service tier `priority` has no known price"),
        (json!({"inference_geo": "mars"}), "geography `mars` of the model has no known price"),
        (json!({"speed": "warp"}), "speed `warp` of the model has no known price"),
        (
            json!({"speed": "fast", "service_tier": "batch"}),
            "fast mode in a batch has no known price",
        ),
    ] {
        let totals = call(more);
        assert_eq!(totals.cost_usd, Decimal::ZERO);
        assert_eq!(totals.unpriced.into_iter().collect::<Vec<_>>(), [(reason.to_owned(), 1000)]);
        assert!(totals.unpriced_tokens_reported);
    }
}

#[test]
fn decorated_model_names_are_priced_and_others_are_not_guessed() {
    let day = "2030-01-01T00:00:00Z";
    for name in [
        "claude-opus-4-5",
        "claude-opus-4-5-20251101",
        "claude-opus-4-5[1m]",
        "global.anthropic.claude-opus-4-5-20251101-v1:0[1m]",
        "claude-opus-4-5@20251101",
        "anthropic/claude-opus-4.5",
        "openrouter/anthropic/claude-opus-4.5",
    ] {
        let totals = one_call(name, day, usage(1000, 0, 0, 0));
        costs(&totals, "0.005");
        assert_eq!(totals.by_model.keys().collect::<Vec<_>>(), [name], "grouped as written");
    }
    for name in ["claude-opus-4-9", "claude-opus-4-55", "mimo-v2", "glm-4.6", "claude-opus", ""] {
        let totals = one_call(name, day, usage(1000, 0, 0, 0));
        assert_eq!((totals.cost_usd, totals.unpriced_tokens), (Decimal::ZERO, 1000), "{name}");
    }
    let totals = Script::new()
        .answer("m1", "r1", text(), usage(3, 4, 0, 0))
        .with(json!({"message": {"model": null}}))
        .fold()
        .totals();
    assert_eq!(four(totals.by_model["unknown"]), [3, 4, 0, 0]);
    // A class of tokens without a price leaves the whole call unpriced, rather than a part of it.
    let totals = one_call("claude-3-sonnet", day, usage(1000, 10, 0, 5));
    assert_eq!((totals.cost_usd, totals.unpriced_tokens), (Decimal::ZERO, 1015));
}

#[test]
fn answers_that_the_client_made_up_are_no_calls() {
    let synthetic = json!({"message": {"model": "<synthetic>"}});
    let base = Script::new().answer("x", "r", text(), usage(5, 5, 0, 0));
    // `<synthetic>` alone: a message, but no call and no model.
    let totals = base.clone().with(synthetic.clone()).fold().totals();
    assert_eq!((totals.calls, totals.errors, totals.by_model.len()), (0, 0, 0));
    assert_eq!(totals.events_by_kind["message"], 1);
    // An API error: one error event, whatever the model and the blocks.
    for model in ["<synthetic>", "claude-opus-4-5"] {
        let totals = Script::new()
            .answer("x", "r", json!([
                {"type": "text", "text": "API Error: 529"}, {"type": "text", "text": "Overloaded"},
            ]), usage(5, 5, 0, 0))
            .with(json!({"isApiErrorMessage": true, "error": "overloaded", "message": {"model": model}}))
            .fold()
            .totals();
        assert_eq!((totals.calls, totals.errors, totals.by_model.len()), (0, 1, 0), "{model}");
        assert_eq!((totals.events_by_kind["message"], four(totals.naive_tokens)), (0, [0; 4]));
    }
    // A flag that is false, or only looks true, is no error.
    for flag in [json!(false), json!("true"), json!(1)] {
        let totals = base.clone().with(json!({"isApiErrorMessage": flag})).fold().totals();
        assert_eq!((totals.calls, totals.errors), (1, 0), "{flag}");
    }
    // Requests tried again are counted apart, a repeated record of it once.
    let retry = json!({"type": "system", "subtype": "api_error", "retryAttempt": 1});
    let totals = Script::new().record(retry.clone()).again().record(retry).fold().totals();
    assert_eq!((totals.retries, totals.errors), (2, 0));
}

#[test]
fn a_cost_that_an_old_client_recorded_is_kept_apart_and_counted_once() {
    let block = |s: Script, cost: Value| {
        s.answer("m1", "r1", text(), usage(1000, 0, 0, 0))
            .with(json!({"costUSD": cost, "message": {"model": "claude-opus-4-5"}}))
    };
    let script = block(block(block(Script::new(), json!(0.25)), json!(0.5)), json!(0.5));
    let totals = script.fold().totals();
    costs(&totals, "0.005");
    assert_eq!((totals.recorded_cost_usd, totals.recorded_cost_calls), (Some(dollars("0.5")), 1));
    // A model without a price is not priced by it either.
    let totals =
        script.answer("m2", "r2", text(), usage(7, 0, 0, 0)).with(json!({"costUSD": 1e-7}));
    let totals = totals.fold().totals();
    assert_eq!((totals.cost_usd, totals.unpriced_tokens), (dollars("0.005"), 7));
    assert_eq!(totals.recorded_cost_usd, Some(dollars("0.5000001")));
    assert_eq!(totals.recorded_cost_calls, 2);
    let without = Script::new().says("x").fold().totals();
    assert_eq!((without.recorded_cost_usd, without.recorded_cost_calls), (None, 0));
}

/// A tool that prints a usage record changes nothing, and neither do order and spacing of fields.
#[test]
fn usage_is_read_where_it_stands_however_it_is_written() {
    let printed = r#"{"type":"assistant","message":{"id":"m9","usage":{"output_tokens":999}}}"#;
    let totals = Script::new().prompt(printed).bash("cat log", printed).fold().totals();
    assert_eq!((totals.calls, totals.tokens.output), (1, 1));
    let odd = "{ \"message\" : { \"usage\" : { \"output_tokens\" : 7 , \"input_tokens\":\t3 } ,\
               \"content\" : [ ] , \"id\" : \"m1\" } , \"requestId\" : \"r1\" , \"type\":\"assistant\" }\n";
    let totals = Script::new().raw(odd).fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (1, [3, 7, 0, 0]));
    // Keys written with escapes are the same keys; of a repeated key the last value counts.
    let escaped = br#"{"t\u0079pe":"assistant","message":{"id":"m1","usage":{"output_tokens":5,"output\u005ftokens":8}}}"#;
    let totals = Script::new().raw(escaped).fold().totals();
    assert_eq!((totals.calls, totals.tokens.output), (1, 8));
}
