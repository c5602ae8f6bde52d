//! "Output that was never stated".

use std::collections::BTreeMap;

use ground_truth::oracle::{
    ESTIMATE_FIELD_NAMES, Estimate, PriceTable, Rates, Scale, Scales, estimate,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::support::{api, count, with};
use crate::prices;

const WHOLE: Scale = Scale { hundredths: 100, is_claude: true };

/// A dollar a token of output, of the model `m`.
fn prices() -> PriceTable {
    let rates = Rates {
        input: Decimal::ZERO,
        output: Decimal::from(1_000_000),
        cache_read: None,
        cache_write_5m: None,
        cache_write_1h: None,
    };
    prices::table("m", rates)
}

fn scaled(records: &[Value], scale: Scale) -> Estimate {
    let scales = Scales { by_model: BTreeMap::from([("m".to_owned(), scale)]), other: WHOLE };
    estimate(&count(records), &scales, &prices())
}

/// Calls with unfinished usage, and the estimated output tokens.
fn of(records: &[Value]) -> (u64, u64) {
    let found = scaled(records, WHOLE);
    (found.unfinished_usage, found.estimated_output_tokens)
}

/// A record of the one call, with this output and these blocks.
fn record(output: impl Into<Value>, blocks: Value) -> Value {
    let output: Value = output.into();
    let mut record = api("m1", "r1", &json!({ "output_tokens": output }));
    record["message"]["content"] = blocks;
    record
}

/// A block of 8,000 thousandths of a token: with the call's own, 11 tokens.
fn eight() -> Value {
    json!({"type": "text", "text": "0123456789"})
}

#[test]
fn a_call_that_states_much_less_than_it_holds_has_unfinished_usage() {
    let one = |output: u64| of(&[record(output, json!([eight()]))]);
    assert_eq!(one(1), (1, 11));
    assert_eq!(one(8), (1, 11), "32 < 33");
    assert_eq!(one(9), (0, 9), "36");
    assert_eq!(of(&[record(Value::Null, json!([eight()]))]), (1, 11), "none states 0");
    let text = json!("0123456789");
    assert_eq!(of(&[record(1, text)]), (1, 11), "as a string");
    assert_eq!(of(&[record(1, json!([]))]), (1, 3), "a call by itself");
}

#[test]
fn a_finished_call_is_as_recorded() {
    let stop = |reason: Value| {
        let mut stopped = record(1, json!([]));
        stopped["message"]["stop_reason"] = reason;
        of(&[record(1, json!([eight()])), stopped])
    };
    assert_eq!(stop(json!("end_turn")), (0, 1), "by any of its records");
    assert_eq!(stop(json!("")), (1, 11));
    assert_eq!(stop(Value::Null), (1, 11));
    assert_eq!(stop(json!(7)), (1, 11), "no string");
    let stated = |model: &str| {
        let usage = json!({model: {"outputTokens": 20}});
        of(&[record(1, json!([eight()])), json!({"type": "result", "modelUsage": usage})])
    };
    assert_eq!(stated("m"), (0, 20));
    assert_eq!(stated("m[1m]"), (0, 20));
    assert_eq!(stated("other"), (1, 31), "unattributed output is in the sum");
    let grew = [record(1, json!([eight()])), record(2, json!([eight()]))];
    assert_eq!(of(&grew), (0, 2), "the numbers differ: it was followed");
    let silent = [record(1, json!([eight()])), record(Value::Null, json!([eight()]))];
    assert_eq!(of(&silent), (1, 19), "one of them states none");
}

#[test]
fn the_texts_of_all_its_records_count_once() {
    let named = |uuid: &str| with(record(1, json!([eight()])), &json!({ "uuid": uuid }));
    assert_eq!(of(&[named("u"), named("v"), named("u")]), (1, 19), "a duplicate is left out");
    let thought = json!([{"type": "thinking", "thinking": "0123456789"}, {"type": "image"}]);
    assert_eq!(of(&[record(1, thought)]), (1, 11));
    let call = |input: Value| {
        of(&[record(1, json!([{"type": "tool_use", "id": "t", "name": "Read", "input": input}]))])
    };
    assert_eq!(call(Value::Null), (1, 43), "40 and the call's 3");
    assert_eq!(call(json!({"a": 1})), (1, 47), "43,000 + 140 + 198 + 1,270 + 5 x 430");
    let mut advised = record(1, json!([eight()]));
    advised["message"]["usage"]["iterations"] =
        json!([{"type": "advisor_message", "model": "m", "output_tokens": 1}]);
    assert_eq!(of(&[advised]), (1, 12), "an iteration's call is as it is stated");
}

#[test]
fn the_scale_is_that_of_the_model() {
    let records = [record(1, json!([eight()]))];
    let tokens = |hundredths| {
        scaled(&records, Scale { hundredths, is_claude: true }).estimated_output_tokens
    };
    assert_eq!((tokens(150), tokens(101), tokens(50)), (17, 12, 6), "rounded up");
    let mut other = record(1, json!([eight()]));
    other["message"]["model"] = json!("another");
    let scale = Scale { hundredths: 300, is_claude: true };
    assert_eq!(scaled(&[other], scale).estimated_output_tokens, 11);
}

#[test]
fn withheld_thinking_is_in_the_estimate_only() {
    let signed = |length: usize| json!({"type": "thinking", "thinking": "", "signature": "s".repeat(length)});
    let blocks = |length| [record(1, json!([eight(), signed(length)]))];
    assert_eq!(of(&blocks(232 + 400)), (1, 80), "11 + 300 / 4.4");
    assert_eq!(of(&blocks(232)), (1, 11));
    let other = Scale { hundredths: 100, is_claude: false };
    assert_eq!(scaled(&blocks(632), other).estimated_output_tokens, 11, "of other models");
    let enough = [record(9, json!([eight(), signed(632)]))];
    assert_eq!(of(&enough), (0, 9), "whether it is unfinished, the text alone tells");
}

#[test]
fn an_estimate_can_be_a_lower_bound() {
    let bound =
        |block: Value| scaled(&[record(1, json!([eight(), block]))], WHOLE).estimate_is_lower_bound;
    assert!(bound(json!({"type": "redacted_thinking", "data": "x"})));
    assert!(bound(json!({"type": "thinking", "thinking": ""})));
    assert!(bound(json!({"type": "thinking", "signature": ""})));
    assert!(!bound(json!({"type": "thinking", "thinking": "", "signature": "s"})));
    assert!(!bound(json!({"type": "thinking", "thinking": "x"})));
    let finished = record(900, json!([{"type": "thinking", "thinking": ""}]));
    assert!(!scaled(&[finished], WHOLE).estimate_is_lower_bound, "of a call that states enough");
}

#[test]
fn dollars_are_those_of_the_estimated_output() {
    let found = scaled(
        &[record(1, json!([eight()])), api("m2", "r2", &json!({"output_tokens": 4}))],
        WHOLE,
    );
    assert_eq!(found.estimated_usd.to_string(), "15", "11 and 4");
    let fields = found.fields();
    assert_eq!(fields.keys().map(String::as_str).collect::<Vec<_>>(), ESTIMATE_FIELD_NAMES);
}
