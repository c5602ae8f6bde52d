//! "API calls and tokens", and the dollars.

use std::collections::BTreeMap;

use ground_truth::oracle::{
    Dollars, LongContext, PriceLine, PriceTable, Rates, Recount, Tokens, dollars,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::support::{api, assistant, count, progress, with};

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

#[test]
fn advisors_and_fallbacks_are_calls_of_their_own() {
    let entry = |kind: &str, model: &str, output: u64| json!({"type": kind, "model": model, "input_tokens": 100, "output_tokens": output});
    let report = |advisor| {
        let mut usage = usage(2, 50);
        usage["iterations"] = json!([
            entry("message", "m", 50),
            entry("advisor_message", "big", advisor),
            entry("fallback_message", "small", 1),
            entry("advisor_message", "big", 3),
            "odd",
        ]);
        api("m1", "r1", &usage)
    };
    let run = count(&[report(70), report(40)]);
    assert_eq!(totals(&run), (4, 302, 124));
    assert_eq!((run.by_model["big"].calls, run.by_model["big"].tokens.output), (2, 73));
    assert_eq!((run.naive_tokens.output, run.deduplicated_tokens.output), (100, 50));
    let aside = with(report(70), &json!({"isSidechain": true, "requestId": "r9"}));
    assert_eq!(count(&[report(70), aside]).calls, 4, "a replay takes its iterations with it");
    let mut without_others = report(0);
    let entries = without_others["message"]["usage"]["iterations"].as_array_mut().unwrap();
    entries.retain(|entry| entry["type"] == "advisor_message" || entry["model"] == "small");
    let run = count(&[report(70), without_others]);
    assert_eq!(totals(&run), (4, 302, 124), "other entries do not shift the positions");
    let mut fast = report(1);
    fast["message"]["usage"]["speed"] = json!("fast");
    fast["message"]["usage"]["iterations"][3]["service_tier"] = json!("batch");
    let run = count(&[fast]);
    let own: Vec<_> = run.api_calls.iter().map(|call| call.service_tier.as_deref()).collect();
    assert_eq!((run.fast_calls, own), (1, vec![None, None, None, Some("batch")]));
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
    advised["message"]["usage"]["iterations"] = json!([{"type": "advisor_message"}]);
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
