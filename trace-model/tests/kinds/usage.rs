//! Usage and cost. Expected dollars are computed by hand from `data/prices.json`, in dollars per
//! million tokens.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use trace_model::adapter::claude_code::FileRole;
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

#[test]
fn advisors_and_fallbacks_are_calls_of_their_own() {
    let advisor = |input: u64, output: u64| {
        json!({"type": "advisor_message", "model": "claude-demo-big",
            "input_tokens": input, "output_tokens": output})
    };
    let fallback = json!({"type": "fallback_message", "model": "claude-demo-small",
        "input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 30});
    let inner = json!({"type": "message", "input_tokens": 2, "output_tokens": 50});
    let record = |script: Script, iterations: Value| {
        script
            .answer("m1", "r1", text(), usage(2, 50, 0, 0))
            .with(json!({"message": {"usage": {"iterations": iterations}}}))
    };
    // The advisor's call grows from one record to the next, and entries of type `message`, which the
    // totals already hold, do not move its place.
    let script = record(Script::new(), json!([advisor(100, 5)]));
    let script = record(script, json!([inner, advisor(900, 70), inner, fallback]));
    let script = record(script, json!([inner, advisor(900, 60)]));
    let totals = script.fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (3, [912, 121, 0, 30]));
    let by_model: Vec<(&str, [u64; 4])> =
        totals.by_model.iter().map(|(model, tokens)| (model.as_str(), four(*tokens))).collect();
    assert_eq!(
        by_model,
        [
            ("claude-demo-1", [2, 50, 0, 0]),
            ("claude-demo-big", [900, 70, 0, 0]),
            ("claude-demo-small", [10, 1, 0, 30]),
        ]
    );
    // Naive counting knows nothing of them: 3 x 52 over 52.
    assert_eq!(totals.naive_inflation.as_deref(), Some("3.000"));
    // Two advisors in a record are two calls.
    let totals = record(Script::new(), json!([advisor(1, 1), advisor(2, 2)])).fold().totals();
    assert_eq!((totals.calls, four(totals.tokens)), (3, [5, 53, 0, 0]));
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
        "us.anthropic.claude-opus-4-5-20251101-v1:0",
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
