//! The oracle over real transcripts: it never panics, and what must hold of any run holds of each.

use std::path::Path;

use ground_truth::oracle::{FIELD_NAMES, FieldValue, Recount, RunFiles, recount};

use crate::transcripts;

#[test_needs::transcripts]
#[test]
fn what_must_hold_of_any_run_holds_of_real_ones() {
    for path in transcripts::claude_code() {
        let run = RunFiles::of_session(&path).unwrap();
        let counted = recount(&run);
        let name = path.display().to_string();
        if std::env::var_os("TRACEFOLD_ORACLE_PRINT").is_some() {
            println!("{}", serde_json::json!({ "file": name, "fields": counted.fields() }));
        }
        invariants(&counted, &name);
        cut_in_the_middle(&path, &name);
    }
}

pub(crate) fn invariants(run: &Recount, name: &str) {
    let in_a_state = run.succeeded_calls
        + run.failed_calls
        + run.denied_calls
        + run.interrupted_calls
        + run.cancelled_calls
        + run.abandoned_calls
        + run.open_tool_calls;
    assert_eq!(run.tool_calls - run.calls_without_id, in_a_state, "{name}: one state a call");
    let closed_without_result = in_a_state - run.open_tool_calls - run.results;
    let closed = run.interrupted_calls + run.abandoned_calls;
    assert!(
        closed_without_result <= closed,
        "{name}: only an interruption or the agent's end closes"
    );
    assert_eq!(run.events, run.events_by_kind.values().sum::<u64>(), "{name}: one kind an event");
    assert_eq!(run.tool_calls, run.per_tool.values().sum::<u64>(), "{name}: one tool a call");
    assert_eq!(run.failed_calls, run.per_tool_failed.values().sum::<u64>(), "{name}");
    let results = run.results + run.duplicate_results + run.orphan_results;
    assert!(run.late_results <= run.results, "{name}: a late result is a result");
    assert_eq!(run.events_by_kind["tool_result"], results, "{name}: what results there are");
    assert_eq!(run.events_by_kind["tool_call"], run.tool_calls + run.duplicate_calls, "{name}");
    assert_eq!(run.calls, run.by_model.values().map(|model| model.calls).sum::<u64>(), "{name}");
    let by_model: u64 = run.by_model.values().map(|model| model.tokens.total()).sum();
    assert_eq!(run.tokens.total(), by_model, "{name}: one model a call");
    let writes = run.tokens.cache_creation_5m + run.tokens.cache_creation_1h;
    assert_eq!(run.tokens.cache_creation, writes, "{name}: one duration a cache write");
    let facts: u64 = run.aggregates.values().map(|key| key.count).sum();
    assert_eq!(run.facts.len() as u64, facts, "{name}: one key a fact");
    assert_eq!(run.turns.len() as u64, run.prompts, "{name}: one turn a prompt");
    let taken_back = run.turns.iter().filter(|turn| turn.ends_with(" taken back")).count() as u64;
    assert_eq!(run.turns_taken_back, taken_back, "{name}");
    assert!(run.prompts == 0 || taken_back < run.prompts, "{name}: the newest turn is in force");
    assert_eq!(run.prompts == 0, run.goal.is_none(), "{name}: a goal where there is a prompt");
    let fields = run.fields();
    assert_eq!(fields.keys().map(String::as_str).collect::<Vec<_>>(), FIELD_NAMES, "{name}");
    assert_eq!(fields["facts"], FieldValue::List(fields_of_facts(run)), "{name}");
}

fn fields_of_facts(run: &Recount) -> Vec<String> {
    let text = |fact: &ground_truth::oracle::Fact| {
        ground_truth::oracle::fact_text(&fact.source, &fact.key, fact.line, &fact.value)
    };
    run.facts.iter().map(text).collect()
}

/// A file cut anywhere is a run too; every record before the cut is still there.
fn cut_in_the_middle(path: &Path, name: &str) {
    let Ok(bytes) = std::fs::read(path) else { return };
    if bytes.len() > 600_000 {
        return;
    }
    let cut = &bytes[..bytes.len() / 2];
    let counted = recount(&RunFiles::from_bytes(vec![("cut.jsonl".into(), cut.to_vec())]));
    let ends = cut.split(|byte| *byte == b'\n').count() as u64 - 1;
    assert!(counted.lines >= ends.saturating_sub(1), "{name}: whole lines before the cut");
    invariants(&counted, name);
}
