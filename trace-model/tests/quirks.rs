//! The shapes of real-world faults that are kept outside the repository, with their right totals.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use serde_json::Value;
use trace_model::fold::FoldConfig;
use trace_model::run::Run;
use trace_model::totals::Totals;

/// The last shape that is Claude Code's; the ones after are other agents'.
const LAST_CLAUDE_CODE_SHAPE: u32 = 53;

#[test_needs::shared]
#[test]
fn every_claude_code_shape_gives_its_expected_totals() {
    let folder = test_needs::shared_dir!().join("quirks");
    let expected: serde_json::Map<String, Value> =
        serde_json::from_slice(&fs::read(folder.join("expect.json")).unwrap()).unwrap();
    let mut checked = 0;
    for (name, expected) in &expected {
        let number: u32 = name.split('-').next().unwrap().parse().unwrap();
        let path = folder.join(format!("{name}.jsonl"));
        if number > LAST_CLAUDE_CODE_SHAPE || !path.exists() {
            continue;
        }
        let totals = totals(&path);
        for (field, expected) in expected.as_object().unwrap() {
            if field != "note" {
                common::assert_same(name, field, expected, &totals[field]);
            }
        }
        checked += 1;
    }
    assert!(checked >= 25, "only {checked} shapes were found in {}", folder.display());
}

fn totals(path: &Path) -> Value {
    let run = Run::fold(path, FoldConfig::default()).unwrap();
    serde_json::to_value(Totals::of(run.state(), &run.reading())).unwrap()
}
