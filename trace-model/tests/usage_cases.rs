//! Small inputs from public reports, kept outside the repository, with the right tokens and dollars.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use trace_model::fold::FoldConfig;
use trace_model::run::Run;
use trace_model::totals::Totals;

fn run(path: &Path) -> Run {
    Run::fold(path, FoldConfig::default()).unwrap()
}

#[test_needs::shared]
#[test]
fn listed_requests_come_out_as_expected() {
    let folder = test_needs::shared_dir!().join("cases");
    let expected: Value =
        serde_json::from_slice(&fs::read(folder.join("expect.json")).unwrap()).unwrap();
    for name in ["01-compaction-iteration", "q10-fallback"] {
        let run = run(&folder.join(format!("{name}.jsonl")));
        let totals = json!({"totals": Totals::of(run.state(), &run.reading())});
        for (field, expected) in expected[name].as_object().unwrap() {
            if field == "why" {
                continue;
            }
            let pointer = format!("/{}", field.replace('.', "/"));
            let actual = totals.pointer(&pointer).unwrap();
            let as_text = |value: &Value| value.as_str().map(str::to_owned);
            match (as_text(actual), as_text(expected)) {
                (Some(actual), Some(expected)) => assert_eq!(actual, expected, "{name}: {field}"),
                _ => common::assert_same(name, field, expected, actual),
            }
        }
    }
}

#[test_needs::shared]
#[test]
fn a_geographic_endpoint_costs_a_tenth_more_than_the_global_one() {
    let folder = test_needs::shared_dir!().join("cases");
    let run = run(&folder.join("12-bedrock-geo.jsonl"));
    let models = run.state().spending_by_model();
    let dollars = |model: &str| models[model].dollars.normalize().to_string();
    assert_eq!(dollars("us.anthropic.claude-sonnet-4-6"), "4.95");
    assert_eq!(dollars("global.anthropic.claude-sonnet-4-6"), "4.5");
}

#[test_needs::shared]
#[test]
fn a_clients_sums_stand_where_its_records_hold_placeholders() {
    let folder = test_needs::shared_dir!().join("cases");
    let run = run(&folder.join("16-sdk-stream-json.jsonl"));
    let totals = Totals::of(run.state(), &run.reading());
    let tokens = totals.tokens;
    assert_eq!((tokens.input, tokens.output, tokens.cache_read), (15, 520, 310));
    assert_eq!(totals.by_model["claude-sonnet-4-5-20250929"], tokens);
    assert_eq!((totals.calls, totals.unattributed_tokens.output), (3, 516));
    assert_eq!(totals.stated_cost_usd.unwrap().to_string(), "0.012");
    // 15 x 3 + 520 x 15 + 310 x 0.3 = 7,938 millionths.
    assert_eq!(totals.cost_usd.to_string(), "0.007938");
    assert_eq!(totals.unfinished_usage, 0);
}
