//! Real transcripts, read in place: masking leaves them what they are.

use std::collections::BTreeMap;
use std::fs;

use trace_model::adapter::{Heads, sessions_below};
use trace_model::redact::Redactor;

/// Bytes looked at of each session; the rules are slow in a debug build.
const LOOKED_AT: usize = 60_000;

#[test_needs::transcripts]
#[test]
fn real_transcripts_stay_json_and_lose_next_to_nothing() {
    let folder = test_needs::transcripts_dir!().join("claude-code");
    let redactor = Redactor::new();
    let mut replaced = BTreeMap::new();
    let mut bytes = 0;
    for path in sessions_below(&folder, &Heads::default()).unwrap().files {
        let session = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let mut seen = 0;
        for line in session.lines() {
            if seen + line.len() > LOOKED_AT {
                continue;
            }
            seen += line.len();
            let redacted = redactor.redact(line);
            let was_json = serde_json::from_str::<serde_json::Value>(line).is_ok();
            let is_json = serde_json::from_str::<serde_json::Value>(&redacted.text).is_ok();
            assert_eq!(is_json, was_json, "{}: {}", path.display(), redacted.text);
            for (rule, count) in redacted.replaced {
                *replaced.entry(rule).or_insert(0) += count;
            }
        }
        bytes += seen;
    }
    // A rule that took ids or digests for secrets would replace thousands.
    let total: u64 = replaced.values().sum();
    assert!(bytes > 100_000, "{bytes} bytes");
    assert!(total <= 10, "{total} passages replaced in {bytes} bytes: {replaced:?}");
}
