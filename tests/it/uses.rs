//! Uses point one way: what makes the instruments honest is that generator, oracle and fold know
//! nothing of one another.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// What each package of the workspace may use of the others.
const ALLOWED: [(&str, &[&str]); 10] = [
    // How commands end, speak and use threads; it knows nothing of what they do.
    ("cli-support", &[]),
    // Which tests are ignored; used by tests only.
    ("test-needs", &[]),
    ("trace-model", &["test-needs"]),
    ("corpus-gen", &["cli-support", "test-needs"]),
    ("ground-truth", &["test-needs"]),
    ("scoreboards", &["cli-support", "ground-truth"]),
    (
        "harnesses",
        &["cli-support", "trace-model", "corpus-gen", "ground-truth", "scoreboards", "test-needs"],
    ),
    // Its benchmarks show generated sessions.
    ("observer", &["cli-support", "trace-model", "corpus-gen", "test-needs"]),
    ("reports", &["cli-support", "ground-truth", "scoreboards", "test-needs"]),
    (
        "tracefold",
        &[
            "cli-support",
            "trace-model",
            "corpus-gen",
            "scoreboards",
            "harnesses",
            "observer",
            "test-needs",
        ],
    ),
];

#[test]
fn packages_use_one_another_only_as_designed() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let allowed = allowed
            .get(name)
            .unwrap_or_else(|| panic!("{name} is new: say in this test which packages it may use"));
        // Tests of a package count too: a fold that is tested against the oracle's code knows it.
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            if names.contains(used) {
                assert!(allowed.contains(&used), "{name} must not use {used}");
            }
        }
    }
    assert_eq!(names.len(), ALLOWED.len(), "a package of the design is gone: {names:?}");
}
