//! Real transcripts, read in place. Where they are absent, these tests are ignored.

use std::path::Path;

use crate::support::{json_lines, stderr, stdout, tracefold};

#[test_needs::transcripts]
#[test]
fn every_real_session_folds() {
    let folder = test_needs::transcripts_dir!().join("claude-code");
    let folder = folder.to_str().unwrap();
    let assert = tracefold(&["fold", "--json", folder]).assert().code(0);
    let runs = json_lines(&assert);
    assert!(runs.len() >= 20, "only {} sessions in {folder}", runs.len());
    for run in &runs {
        let totals = &run["totals"];
        let counted: u64 = [
            "succeeded_calls",
            "failed_calls",
            "denied_calls",
            "interrupted_calls",
            "cancelled_calls",
            "abandoned_calls",
            "open_tool_calls",
        ]
        .iter()
        .map(|state| totals[state].as_u64().unwrap())
        .sum();
        let without_id = totals["tool_calls"].as_u64().unwrap() - counted;
        assert_eq!(without_id, 0, "{}: calls are each in one state", run["session"]);
        assert!(run["reading"]["all"]["records"].as_u64().unwrap() > 0);
    }
    assert_eq!(stderr(&assert), "");
    let text = stdout(&tracefold(&["fold", folder]).assert().code(0));
    assert_eq!(text.split("\n\n").count(), runs.len());
}

#[test_needs::transcripts]
#[test]
fn a_real_session_is_folded_with_its_subagents() {
    let folder = test_needs::transcripts_dir!().join("claude-code/with-subagents");
    let run =
        json_lines(&tracefold(&["fold", "--json", folder.to_str().unwrap()]).assert().code(0))
            .remove(0);
    assert_eq!(run["totals"]["subagents"], 3);
    assert_eq!(run["reading"]["files"].as_array().unwrap().len(), 4);
    assert_eq!(run["totals"]["unpriced_tokens_reported"], true);
}

#[test_needs::transcripts]
#[test]
fn real_transcripts_of_other_agents_are_refused_in_a_line_each() {
    let folder = test_needs::transcripts_dir!().join("misc-agents/droid");
    let assert = tracefold(&["fold", folder.to_str().unwrap()]).assert().code(2);
    let files = folder.read_dir().unwrap().flatten();
    let sessions = files.filter(|file| is_jsonl(&file.path())).count();
    assert_eq!(stderr(&assert).lines().count(), sessions);
    assert!(stderr(&assert).contains("looks like a droid transcript"));
}

fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}
