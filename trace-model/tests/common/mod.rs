//! Helpers of the integration tests.

#![allow(dead_code, clippy::unwrap_used)]

use std::path::PathBuf;

use serde_json::Value;

/// A folder of the shared material that tests read in place; where it is absent, says so.
pub fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TRACEFOLD_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")),
        PathBuf::from,
    );
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there; set TRACEFOLD_SHARED to its parent", folder.display());
    None
}

/// Asserts that two JSON values are the same, numbers by value.
pub fn assert_same(place: &str, field: &str, expected: &Value, actual: &Value) {
    let same = match (expected.as_f64(), actual.as_f64()) {
        (Some(expected), Some(actual)) => (expected - actual).abs() < 1e-9,
        _ => expected == actual,
    };
    assert!(same, "{place}: {field} is {actual}, not {expected}");
}
