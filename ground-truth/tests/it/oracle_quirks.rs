//! The oracle against the collection of real-world faults: every shape of a Claude Code transcript (numbers up
//! to 53) gives its expected totals. `oracle_examples` has examples of each kind that stand without them.

use std::path::Path;

use ground_truth::oracle::{PriceTable, Rates, Recount, RunFiles, dollars, recount};
use rust_decimal::Decimal;
use serde_json::Value;

use crate::{expectations, prices};

/// Expectations that are no field of a recount, or are about a command.
const NOT_FIELDS: [&str; 2] = ["note", "detected"];

#[test_needs::shared]
#[test]
fn every_shape_gives_its_expected_totals() {
    let folder = test_needs::shared_dir!().join("quirks");
    let expectations = expectations::read(&folder.join("expect.json"));
    let mut faults = Vec::new();
    let mut checked = 0;
    for (name, expected) in expectations {
        if name.get(..2).and_then(|number| number.parse().ok()).is_none_or(|number: u8| number > 53)
        {
            continue;
        }
        let counted = recount(&shape(&folder, &name));
        for (field, value) in &expected {
            if NOT_FIELDS.contains(&field.as_str()) {
                continue;
            }
            checked += 1;
            if let Err(found) = check(&counted, field, value) {
                faults.push(format!("{name}: {field} is {found}, expected {value}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 30, "only {checked} expectations were found");
}

/// A shape's file; the long line is made.
fn shape(folder: &Path, name: &str) -> RunFiles {
    let path = folder.join(format!("{name}.jsonl"));
    if name.starts_with("48") && !path.exists() {
        let line = |id: &str, length| {
            let text = "x".repeat(length);
            format!(
                r#"{{"type":"assistant","uuid":"{id}","message":{{"id":"{id}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        let text = format!("{}\n{}\n", line("a", 3_000_000), line("b", 1));
        return RunFiles::from_bytes(vec![("48.jsonl".into(), text.into_bytes())]);
    }
    RunFiles::of_session(path).unwrap()
}

/// Compares one expectation; the error is what was found instead.
fn check(counted: &Recount, field: &str, expected: &Value) -> Result<(), String> {
    match field {
        "cost_in_input_price_units" => {
            let found = dollars(counted, &unit_prices()).dollars * Decimal::from(1_000_000);
            let expected = expected.to_string().parse::<Decimal>().unwrap();
            if found == expected { Ok(()) } else { Err(found.to_string()) }
        }
        "unpriced_tokens_reported" => {
            let found = dollars(counted, &PriceTable::new());
            let all = counted.tokens.total();
            if all > 0 && found.unpriced_tokens == all { Ok(()) } else { Err(format!("{found:?}")) }
        }
        name => expectations::check(counted, name, expected),
    }
}

/// Prices in units of the input price.
fn unit_prices() -> PriceTable {
    let rates = Rates {
        input: Decimal::ONE,
        output: Decimal::from(5),
        cache_read: Some(Decimal::new(1, 1)),
        cache_write_5m: Some(Decimal::new(125, 2)),
        cache_write_1h: Some(Decimal::TWO),
    };
    prices::table("claude-demo-1", rates)
}
