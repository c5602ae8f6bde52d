//! "API calls and tokens", and the dollars.

use std::collections::BTreeMap;

use ground_truth::oracle::{
    Dollars, LongContext, PriceLine, PriceTable, Rates, Recount, Tokens, dollars,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::support::{api, assistant, count, count_bytes, progress, user, with};

fn usage(input: u64, output: u64) -> Value {
    json!({"input_tokens": input, "output_tokens": output})
}

/// Calls, input, output.
fn totals(run: &Recount) -> (u64, u64, u64) {
    (run.calls, run.tokens.input, run.tokens.output)
}

#[test]
fn a_call_counts_once_at_its_largest_values() {
    let run = count(&[
        api("m1", "r1", &usage(2, 3)),
        api("m1", "r1", &usage(1, 140)),
        api("m1", "r1", &usage(2, 90)),
        api("m1", "r2", &usage(5, 5)),
        api("m2", "r1", &usage(7, 7)),
    ]);
    assert_eq!(totals(&run), (3, 14, 152));
    assert_eq!((run.naive_tokens.input, run.naive_tokens.output), (17, 245));
    assert_eq!(run.deduplicated_tokens.total(), 166);
}

#[test]
fn what_stands_for_an_absent_id() {
    let without = |key: &str, mut record: Value| {
        if key == "id" {
            record["message"]["id"] = Value::Null;
        } else {
            record["requestId"] = Value::Null;
        }
        record
    };
    let no_request = |output| without("request", api("m", "", &usage(0, output)));
    let no_message = |output| without("id", api("", "r", &usage(0, output)));
    let named = |request, output| api("m", request, &usage(0, output));
    assert_eq!(totals(&count(&[no_request(9), named("r1", 5), named("r2", 1)])), (2, 0, 10));
    assert_eq!(totals(&count(&[named("r1", 5), named("r2", 1), no_request(9)])), (2, 0, 10));
    assert_eq!(totals(&count(&[no_request(9), no_request(4)])), (1, 0, 9));
    assert_eq!(totals(&count(&[no_message(1), no_message(2), named("r", 4)])), (2, 0, 6));
    let by_uuid =
        |uuid: &str, output| with(without("request", no_message(output)), &json!({ "uuid": uuid }));
    assert_eq!(totals(&count(&[by_uuid("a", 1), by_uuid("a", 2), by_uuid("b", 4)])), (2, 0, 6));
    let empty = |output| with(no_message(output), &json!({"requestId": "", "uuid": ""}));
    assert_eq!(totals(&count(&[empty(1), empty(2)])), (2, 0, 3), "empty ids are absent");
    let empty = |output| api("", "r", &usage(0, output));
    assert_eq!(totals(&count(&[empty(1), named("r", 2), empty(4)])), (2, 0, 6));
    let alone = || without("request", no_message(3));
    assert_eq!(totals(&count(&[alone(), alone()])), (2, 0, 6));
}

#[test]
fn synthetic_records_and_api_errors_report_no_call() {
    let mut synthetic = api("m", "r", &usage(9, 9));
    synthetic["message"]["model"] = json!("<synthetic>");
    let error = with(api("m", "r", &usage(9, 9)), &json!({"isApiErrorMessage": true}));
    let not_an_error = with(api("m", "r", &usage(1, 1)), &json!({"isApiErrorMessage": "true"}));
    let run = count(&[synthetic, error, not_an_error, assistant("no usage at all")]);
    assert_eq!(totals(&run), (2, 1, 1));
    assert_eq!(run.naive_tokens.total(), 2);
    assert_eq!(run.by_model["unknown"].calls, 1);
}

#[test]
fn a_replay_in_a_side_chain_does_not_count() {
    let aside = |record: Value| with(record, &json!({"isSidechain": true}));
    let run = count(&[
        aside(api("m1", "r9", &usage(0, 10))),
        api("m1", "r1", &usage(0, 11)),
        aside(api("m2", "r2", &usage(0, 100))),
        progress("a", "t", &api("m1", "r8", &usage(0, 12))),
        progress("a", "t", &api("m3", "r3", &usage(0, 1000))),
        progress("a", "t", &api("m3", "r3", &usage(0, 1500))),
    ]);
    assert_eq!(totals(&run), (3, 0, 1611));
    assert_eq!(run.subagents, 1);
    let both = [api("m1", "r1", &usage(0, 1)), aside(api("m1", "r1", &usage(0, 5)))];
    assert_eq!(totals(&count(&both)), (1, 0, 5), "one call, seen on both sides");
}

#[test]
fn cache_writes_are_split() {
    let write = |total: u64, five: u64, hour: u64| {
        let split = json!({"ephemeral_5m_input_tokens": five, "ephemeral_1h_input_tokens": hour});
        json!({"cache_creation_input_tokens": total, "cache_creation": split})
    };
    let split = |usage: Value| {
        let Tokens { cache_creation, cache_creation_5m, cache_creation_1h, .. } =
            count(&[api("m", "r", &usage)]).tokens;
        (cache_creation, cache_creation_5m, cache_creation_1h)
    };
    assert_eq!(split(write(1000, 200, 800)), (1000, 200, 800));
    assert_eq!(split(write(1500, 200, 800)), (1500, 700, 800));
    assert_eq!(split(write(10, 200, 800)), (1000, 200, 800));
    assert_eq!(split(write(300, 0, 0)), (300, 300, 0));
    assert_eq!(
        split(json!({"cache_creation_input_tokens": "40", "cache_creation": null})),
        (40, 40, 0)
    );
}

/// An entry of iterations with these numbers of input and output tokens.
fn entry(kind: &str, model: Option<&str>, input: u64, output: u64) -> Value {
    json!({"type": kind, "model": model, "input_tokens": input, "output_tokens": output})
}

/// A record of the one call, with these numbers at the top level and these entries.
fn iterated(top: (u64, u64), entries: &[Value]) -> Value {
    let mut usage = usage(top.0, top.1);
    usage["iterations"] = json!(entries);
    api("m1", "r1", &usage)
}

/// Calls, input, output, and calls that cannot be reconciled.
fn shares(records: &[Value]) -> (u64, u64, u64, u64) {
    let run = count(records);
    let (calls, input, output) = totals(&run);
    (calls, input, output, run.unreconciled_iterations)
}

#[test]
fn an_entry_that_the_top_level_does_not_hold_is_a_call() {
    let message = |input, output| entry("message", None, input, output);
    let compaction = entry("compaction", None, 900, 70);
    let advisor = entry("advisor_message", Some("big"), 100, 7);
    let sum = iterated((5, 50), &[message(2, 20), message(3, 30)]);
    assert_eq!(shares(&[sum]), (1, 5, 50, 0), "they add up to it");
    let last = iterated((3, 30), &[message(2, 20), message(3, 30)]);
    assert_eq!(shares(&[last]), (2, 5, 50, 0), "it is the last one");
    let neither = iterated((4, 40), &[message(2, 20), message(3, 30)]);
    assert_eq!(shares(&[neither]), (1, 4, 40, 1), "it cannot be told");
    let first = iterated((2, 20), &[message(2, 20), message(3, 30)]);
    assert_eq!(shares(&[first]), (1, 2, 20, 1), "it is never the first one alone");
    let compacted = iterated((2, 20), &[compaction.clone(), message(2, 20)]);
    assert_eq!(shares(&[compacted]), (2, 902, 90, 0));
    let advised = iterated((5, 50), &[message(2, 20), advisor.clone(), message(3, 30)]);
    assert_eq!(shares(std::slice::from_ref(&advised)), (2, 105, 57, 0));
    assert_eq!(count(&[advised]).by_model["big"].calls, 1);
    let torn = iterated((4, 40), &[message(2, 20), advisor.clone(), message(3, 30), compaction]);
    assert_eq!(
        shares(&[torn]),
        (3, 1004, 117, 1),
        "what is not of the answer is apart all the same"
    );
    let alone = iterated((4, 40), &[advisor]);
    assert_eq!(shares(&[alone]), (2, 104, 47, 0), "no entry is of the answer");
    let nothing = iterated((3, 30), &[message(0, 0), message(3, 30)]);
    assert_eq!(shares(&[nothing]), (1, 3, 30, 0), "without a number above zero it is no call");
    let searched =
        json!({"type": "advisor_message", "server_tool_use": {"web_search_requests": 1}});
    assert_eq!(shares(&[iterated((3, 30), &[message(3, 30), searched])]), (2, 3, 30, 0));
}

#[test]
fn an_entry_of_the_answer_is_of_the_calls_model() {
    let own = entry("fallback_message", Some("m"), 2, 80);
    let refused = entry("message", Some("small"), 2, 9);
    let run = count(&[iterated((2, 80), &[refused.clone(), own.clone()])]);
    assert_eq!(totals(&run), (2, 4, 89));
    assert_eq!((run.by_model["small"].calls, run.by_model["small"].tokens.output), (1, 9));
    assert_eq!((run.naive_tokens.output, run.deduplicated_tokens.output), (80, 80));
    let run = count(&[iterated((2, 80), &[entry("compaction", None, 1, 1), own.clone()])]);
    assert_eq!(run.by_model["m"].calls, 2, "an absent model is the call's");
    let mut unnamed = iterated((2, 80), &[own]);
    unnamed["message"]["model"] = Value::Null;
    assert_eq!(shares(&[unnamed]), (2, 4, 160, 0), "a model that the call does not have");
}

#[test]
fn only_stated_numbers_are_compared() {
    let cached = |read: Value| json!({"type": "message", "input_tokens": 2, "cache_read_input_tokens": read});
    let top = |entries: Value| {
        let usage = json!({"input_tokens": 2, "output_tokens": 9, "cache_read_input_tokens": 40, "iterations": entries});
        shares(&[api("m1", "r1", &usage)])
    };
    assert_eq!(top(json!([cached(Value::Null)])), (1, 2, 9, 0), "output and cache are not stated");
    assert_eq!(top(json!([cached(json!(40))])), (1, 2, 9, 0));
    assert_eq!(top(json!([cached(json!(0))])), (1, 2, 9, 1), "zero is stated");
    assert_eq!(top(json!([cached(json!("40"))])), (1, 2, 9, 0), "digits state a number");
    assert_eq!(top(json!([cached(json!(-1))])), (1, 2, 9, 0), "this does not");
    let other = json!({"type": "advisor_message", "output_tokens": 5});
    assert_eq!(
        top(json!([cached(json!(40)), other])),
        (2, 2, 14, 0),
        "nor does an advisor's entry"
    );
    assert_eq!(top(json!([{"type": "message"}])), (1, 2, 9, 0), "nothing is compared");
    assert_eq!(top(json!([])), (1, 2, 9, 0));
    assert_eq!(top(json!({"0": {}})), (1, 2, 9, 0), "no list");
}

#[test]
fn entries_are_the_same_by_their_position() {
    let report = |top: u64, advisor: u64| {
        let message = entry("message", None, 2, top);
        iterated((2, top), &[message, entry("advisor_message", Some("big"), 100, advisor)])
    };
    assert_eq!(shares(&[report(50, 70), report(20, 90), report(50, 40)]), (2, 102, 140, 0));
    let swapped = iterated((2, 50), &[entry("advisor_message", Some("big"), 100, 7), json!("odd")]);
    assert_eq!(shares(&[swapped]), (2, 102, 57, 0), "what is no object is no entry");
    let late = iterated((2, 50), &[json!(null), entry("advisor_message", Some("big"), 100, 7)]);
    assert_eq!(shares(&[late.clone(), report(50, 6)]), (2, 102, 57, 0), "but has its position");
    let calls = count(&[late]).api_calls;
    assert_eq!(calls.iter().map(|call| call.iteration).collect::<Vec<_>>(), [None, Some(1)]);
    let aside = with(report(50, 70), &json!({"isSidechain": true, "requestId": "r9"}));
    assert_eq!(count(&[report(50, 70), aside]).calls, 2, "a replay takes its iterations with it");
    let mut fast = report(50, 1);
    fast["message"]["usage"]["speed"] = json!("fast");
    fast["message"]["usage"]["iterations"][1]["service_tier"] = json!("batch");
    let run = count(&[fast]);
    let own: Vec<_> = run.api_calls.iter().map(|call| call.service_tier.as_deref()).collect();
    assert_eq!((run.fast_calls, own), (1, vec![None, Some("batch")]), "names are its own");
}

#[test]
fn entries_of_unknown_types_are_counted_and_follow_the_rule() {
    let odd = |kind: Value| json!({"type": kind, "input_tokens": 3, "output_tokens": 30});
    let one = iterated((3, 30), &[odd(json!("draft")), odd(json!("draft")), odd(Value::Null)]);
    let run = count(&[one.clone(), one]);
    let unknown: Vec<_> = run.unknown_iterations.iter().collect();
    assert_eq!(unknown, [(&String::new(), &1), (&"draft".to_owned(), &2)], "once a call");
    assert_eq!(
        shares(&[iterated((3, 30), &[odd(json!("draft")), odd(json!("draft"))])]),
        (2, 6, 60, 0)
    );
    let known = ["message", "compaction", "advisor_message", "fallback_message"];
    let entries = known.map(|kind| odd(json!(kind)));
    assert!(count(&[iterated((6, 60), &entries)]).unknown_iterations.is_empty());
}

/// A `result` record of a stream that states this of models.
fn stated(usage: &Value) -> Value {
    json!({"type": "result", "modelUsage": usage})
}

fn used(input: u64, output: u64) -> Value {
    json!({"inputTokens": input, "outputTokens": output})
}

#[test]
fn what_is_stated_above_the_calls_is_unattributed() {
    let run = count(&[
        api("m1", "r1", &usage(4, 1)),
        api("m2", "r2", &usage(5, 2)),
        stated(&json!({"m": used(15, 520), "n": used(1, 0)})),
    ]);
    assert_eq!((run.unattributed_tokens.input, run.unattributed_tokens.output), (7, 517));
    assert_eq!(totals(&run), (2, 16, 520));
    assert_eq!((run.by_model["m"].calls, run.by_model["m"].tokens.output), (2, 520));
    assert_eq!((run.by_model["n"].calls, run.by_model["n"].tokens.input), (0, 1));
    assert_eq!((run.naive_tokens.total(), run.deduplicated_tokens.total()), (12, 12));
    let less = count(&[api("m1", "r1", &usage(4, 10)), stated(&json!({"m": used(9, 5)}))]);
    assert_eq!(totals(&less), (1, 9, 10), "number by number");
    let covered =
        count(&[api("m1", "r1", &usage(4, 10)), stated(&json!({"m": used(4, 10), "n": {}}))]);
    assert!(covered.unattributed.is_empty() && covered.by_model.len() == 1);
    let writes = json!({"m": {"cacheReadInputTokens": 3, "cacheCreationInputTokens": 8}});
    let tokens = count(&[stated(&writes)]).unattributed_tokens;
    assert_eq!((tokens.cache_read, tokens.cache_creation, tokens.cache_creation_5m), (3, 8, 8));
}

#[test]
fn the_largest_statement_of_a_model_stands() {
    let unattributed = |records: &[Value]| -> Vec<(String, u64, u64)> {
        let found = count(records).unattributed;
        found.into_iter().map(|it| (it.model, it.tokens.input, it.tokens.output)).collect()
    };
    let of = |model: &str, input, output| stated(&json!({model: used(input, output)}));
    let named = |name: &str, input, output| vec![(name.to_owned(), input, output)];
    assert_eq!(unattributed(&[of("m", 5, 9), of("m", 8, 2), of("m", 1, 1)]), named("m", 8, 9));
    let call = |model: &str| {
        let mut record = api("m1", "r1", &usage(1, 1));
        record["message"]["model"] = json!(model);
        record
    };
    assert_eq!(unattributed(&[call("m"), of("m[1m]", 5, 9)]), named("m", 4, 8));
    assert_eq!(unattributed(&[call("m[1m]"), of("m", 5, 9)]), named("m[1m]", 4, 8));
    assert_eq!(unattributed(&[of("m[1m]", 5, 9), of("m", 7, 0)]), named("m[1m]", 7, 9));
    assert_eq!(unattributed(&[call("m-1"), of("m", 5, 9)]), named("m", 5, 9), "another model");
    let both = stated(&json!({"m": used(5, 9), "m[1m]": used(2, 1)}));
    assert_eq!(unattributed(&[both]), named("m", 7, 10), "two parts of one sum");
    assert_eq!(unattributed(&[with(of("m", 5, 9), &json!({"type": "mode"}))]), []);
    let odd = stated(&json!({"m": 5, "n": null, "o": {"inputTokens": -5, "outputTokens": "7"}}));
    assert_eq!(unattributed(&[odd]), named("o", 0, 7));
    let in_iterations = iterated((1, 1), &[entry("advisor_message", Some("big"), 100, 7)]);
    assert_eq!(unattributed(&[in_iterations, of("big", 101, 7)]), named("big", 1, 0));
}

#[test]
fn the_last_stated_cost_stands_as_written() {
    let cost = |cost: Value| json!({"type": "result", "total_cost_usd": cost});
    let of = |records: &[Value]| count(records).stated_cost_usd;
    assert_eq!(
        of(&[cost(json!(0.5)), cost(json!(0.25)), cost(Value::Null)]).as_deref(),
        Some("0.25")
    );
    assert_eq!(of(&[cost(json!("0.5"))]), None, "no number");
    assert_eq!(of(&[user("hi")]), None);
    let written = |cost: &str| {
        count_bytes(format!("{{\"type\":\"result\",\"total_cost_usd\":{cost}}}\n")).stated_cost_usd
    };
    for (cost, expected) in [
        ("0.0120", "0.012"),
        ("3", "3"),
        ("100.00", "100"),
        ("0.30540000000000006", "0.30540000000000006"),
        ("1.5e-05", "0.000015"),
        ("2E2", "200"),
        ("0.0", "0"),
    ] {
        assert_eq!(written(cost).as_deref(), Some(expected), "{cost}");
    }
}

#[test]
fn names_are_the_last_ones_and_buckets_are_decided_once() {
    let call = |request: &str, usage: Value| api("m", request, &usage);
    let run = count(&[
        call("r1", json!({"speed": "standard", "cache_read_input_tokens": 199_999})),
        call("r1", json!({"speed": "fast", "input_tokens": 1})),
        call("r1", json!({"speed": null, "cache_creation_input_tokens": 1})),
        call("r2", json!({"speed": "fast", "cache_read_input_tokens": 200_000})),
        call("r2", json!({"speed": "standard"})),
        call("r3", json!({"server_tool_use": {"web_search_requests": 2, "web_fetch_requests": 0}})),
        call("r3", json!({"server_tool_use": {"web_search_requests": 1, "web_fetch_requests": 4}})),
    ]);
    assert_eq!((run.calls, run.fast_calls, run.over_200k_calls), (3, 1, 1));
    assert_eq!((run.web_search_requests, run.web_fetch_requests), (2, 4));
}

fn rates(input: i64) -> Rates {
    Rates {
        input: Decimal::from(input),
        output: Decimal::from(5 * input),
        cache_read: Some(Decimal::new(input, 1)),
        cache_write_5m: Some(Decimal::new(125 * input, 2)),
        cache_write_1h: Some(Decimal::from(2 * input)),
    }
}

/// A model `m` at one dollar a million input tokens, twice that above 1000 tokens of context.
fn prices() -> PriceTable {
    let uncached =
        Rates { cache_read: None, cache_write_5m: None, cache_write_1h: None, ..rates(1) };
    let uncached = PriceLine { rates: uncached, ..line() };
    PriceTable::from([
        ("m".to_owned(), vec![line()]),
        ("known".to_owned(), vec![]),
        ("uncached".to_owned(), vec![uncached]),
    ])
}

fn line() -> PriceLine {
    PriceLine {
        from: None,
        rates: rates(1),
        fast_multiplier: Some(Decimal::from(6)),
        batch_multiplier: Some(Decimal::new(5, 1)),
        geo_multipliers: BTreeMap::from([("us".to_owned(), Decimal::new(11, 1))]),
        regional_multiplier: Some(Decimal::new(11, 1)),
        web_search_per_thousand: Decimal::from(10),
        long_context: Some(LongContext { threshold: 1000, rates: rates(2) }),
    }
}

/// Millionths of a dollar of one call.
fn price(usage: &Value) -> String {
    let Dollars { dollars, .. } = dollars(&count(&[api("m", "r", usage)]), &prices());
    (dollars * Decimal::from(1_000_000)).normalize().to_string()
}

#[test]
fn every_part_of_a_call_has_its_price() {
    let mut all = json!({
        "input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 30,
        "cache_creation": {"ephemeral_5m_input_tokens": 4, "ephemeral_1h_input_tokens": 7},
    });
    assert_eq!(price(&all), "172", "100 + 50 + 3 + 5 + 14");
    all["server_tool_use"] = json!({"web_search_requests": 3});
    assert_eq!(price(&all), "30172");
    all["speed"] = json!("fast");
    assert_eq!(price(&all), "31032", "172 * 6 + 30000");
    let of = |key: &str, value: &str| price(&json!({"input_tokens": 100, key: value}));
    assert_eq!(of("service_tier", "batch"), "50");
    for standard in ["", "standard", "default"] {
        assert_eq!(of("service_tier", standard), "100", "{standard}");
    }
    assert_eq!(of("service_tier", "priority"), "0", "no known price");
    assert_eq!(of("inference_geo", "us"), "110");
    assert_eq!(of("inference_geo", "not_available"), "100");
    assert_eq!(of("inference_geo", "moon"), "0", "no known price");
    assert_eq!(of("service_tier", "gold"), "0", "no known price");
}

#[test]
fn the_long_context_tier_is_decided_once_for_the_whole_call() {
    let at = |read: u64| {
        price(&json!({"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": read}))
    };
    assert_eq!(at(990), "114", "10 + 5 + 99");
    assert_eq!(at(991), "228.2", "20 + 10 + 198.2");
    let fast = json!({"speed": "fast", "input_tokens": 2000, "service_tier": "batch"});
    assert_eq!(price(&fast), "6000", "2000 * 6 / 2: no premium for a long context");
}

/// A call of one input token with these fields.
fn dated(request: &str, fields: &Value) -> Value {
    with(api(request, request, &usage(1, 0)), fields)
}

#[test]
fn the_price_is_the_one_of_the_calls_day() {
    let from = |day: Option<&str>, input| PriceLine {
        from: day.map(str::to_owned),
        rates: rates(input),
        ..line()
    };
    let lines = vec![
        from(Some("2026-03-01"), 7),
        from(Some("2027-01-01"), 20),
        from(Some("2026-01-01"), 3),
    ];
    let total = |lines: &[PriceLine], records: &[Value]| {
        let table = PriceTable::from([("m".to_owned(), lines.to_vec())]);
        let found = dollars(&count(records), &table);
        ((found.dollars * Decimal::from(1_000_000)).normalize().to_string(), found.unpriced_calls)
    };
    let on = |time: &str| {
        let (price, unpriced) = total(&lines, &[dated("r", &json!({ "timestamp": time }))]);
        if unpriced == 0 { price } else { "none".to_owned() }
    };
    assert_eq!(on("2026-02-28T23:59:59.999Z"), "3");
    assert_eq!(on("2026-03-01T00:00:00Z"), "7");
    assert_eq!(on("2026-03-01T00:30:00+01:00"), "3", "February in UTC");
    assert_eq!(on("2025-12-31T12:00:00Z"), "none");
    assert_eq!(on("yesterday"), "20", "undated: the newest");
    let old = [from(None, 1), lines[0].clone()];
    let early = dated("r", &json!({"timestamp": "2020-01-01T00:00:00Z"}));
    assert_eq!(total(&old, &[early]).0, "1", "from the beginning");
}

#[test]
fn the_calls_day_is_its_first_stated_one() {
    let time = |day: &str| json!({"timestamp": format!("{day}T12:00:00Z")});
    let mut advised = dated("r", &json!({}));
    advised["message"]["usage"]["iterations"] =
        json!([{"type": "advisor_message", "output_tokens": 1}]);
    let unwrapped = with(progress("a", "t", &dated("u", &json!({}))), &time("2026-05-05"));
    let run = count(&[
        advised,
        dated("r", &time("2026-03-02")),
        dated("r", &time("2026-03-01")),
        unwrapped,
        dated("v", &json!({"timestamp": 1_777_982_400_000_u64})),
        dated("w", &json!({"timestamp": 1_777_982_400})),
        dated("x", &json!({"timestamp": "soon"})),
    ]);
    let days: Vec<_> = run.api_calls.iter().map(|call| call.date.as_deref()).collect();
    let expected = ["2026-03-02", "2026-03-02", "2026-05-05", "2026-05-05", "2026-05-05"];
    let expected = expected.into_iter().map(Some).chain([None]);
    assert_eq!(days, expected.collect::<Vec<_>>());
}

#[test]
fn what_has_no_price_is_reported_in_tokens() {
    let mut unknown = api("m2", "r2", &usage(10, 5));
    unknown["message"]["model"] = json!("m-1");
    let mut known =
        api("m3", "r3", &json!({"cache_read_input_tokens": 3, "cache_creation_input_tokens": 4}));
    known["message"]["model"] = json!("known");
    let mut uncached = api("m4", "r4", &usage(2, 0));
    uncached["message"]["model"] = json!("uncached");
    let mut cached = api("m5", "r5", &json!({"cache_read_input_tokens": 100}));
    cached["message"]["model"] = json!("uncached");
    let records = [api("m1", "r1", &usage(1, 0)), unknown, known, uncached, cached];
    let found = dollars(&count(&records), &prices());
    assert_eq!((found.priced_calls, found.unpriced_calls, found.unpriced_tokens), (2, 3, 122));
    assert_eq!(found.dollars.to_string(), "0.000003");
}

#[test]
fn what_is_unattributed_has_a_price_and_is_no_call() {
    let usage_of = |model: &str| {
        stated(
            &json!({model: {"inputTokens": 100, "outputTokens": 10, "cacheCreationInputTokens": 4, "webSearchRequests": 3}}),
        )
    };
    let price = |records: &[Value]| {
        let found = dollars(&count(records), &prices());
        let millionths = (found.dollars * Decimal::from(1_000_000)).normalize().to_string();
        (millionths, found.priced_calls, found.unpriced_calls, found.unpriced_tokens)
    };
    assert_eq!(price(&[usage_of("m")]), ("30155".to_owned(), 0, 0, 0), "100 + 50 + 5 + 30000");
    let part = [api("m1", "r1", &usage(40, 0)), usage_of("m")];
    assert_eq!(price(&part), ("30155".to_owned(), 1, 0, 0));
    assert_eq!(price(&[usage_of("nobody")]), ("0".to_owned(), 0, 0, 114));
    assert_eq!(
        price(&[usage_of("uncached")]),
        ("0".to_owned(), 0, 0, 114),
        "as a whole or not at all"
    );
    let mut fast = api("m1", "r1", &json!({"speed": "fast", "input_tokens": 1}));
    fast["message"]["usage"]["service_tier"] = json!("batch");
    assert_eq!(
        price(&[fast, stated(&json!({"m": used(2, 0)}))]).0,
        "4",
        "3 and 1: no speed, no tier"
    );
}

#[test]
fn what_is_unattributed_has_the_day_of_the_first_record_that_names_its_model() {
    let on = |day: &str, model: &str, output| {
        let time = json!({"timestamp": format!("{day}T12:00:00Z")});
        with(stated(&json!({model: used(0, output)})), &time)
    };
    let run =
        count(&[on("2026-01-01", "n", 1), on("2026-02-02", "m", 1), on("2026-03-03", "m[1m]", 5)]);
    let days: Vec<_> =
        run.unattributed.iter().map(|it| (it.model.as_str(), it.date.as_deref())).collect();
    assert_eq!(days, [("m", Some("2026-02-02")), ("n", Some("2026-01-01"))]);
    assert_eq!(count(&[stated(&json!({"m": used(1, 1)}))]).unattributed[0].date, None);
}
