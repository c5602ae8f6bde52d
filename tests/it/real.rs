//! Real transcripts, read in place. Where they are absent, these tests are ignored.

use std::path::{Path, PathBuf};

use crate::support::{Folder, json_lines, stderr, stdout, tracefold};

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

/// Another agent's sessions go through the commands that Claude Code's do, with the oracle's own reading of them.
#[test_needs::transcripts]
#[test]
fn codex_rollouts_go_through_every_command() {
    let folder = test_needs::transcripts_dir!().join("codex");
    let name = folder.to_str().unwrap();
    let runs = json_lines(&tracefold(&["fold", "--json", name]).assert().code(0));
    assert!(runs.len() >= 10, "only {} rollouts in {name}", runs.len());
    for run in &runs {
        assert_eq!(run["totals"]["detected"], "codex");
        assert_eq!(run["totals"]["bad_lines"], 0);
    }
    let rollouts = folder.read_dir().unwrap().flatten().map(|entry| entry.path());
    let is_rollout = |path: &PathBuf| path.to_string_lossy().contains("rollout-");
    let rollout = rollouts.filter(is_rollout).max().unwrap();
    let rollout = rollout.to_str().unwrap();
    let out = Folder::new();
    let page = out.name("page.html");
    tracefold(&["observe", rollout, "-o", &page]).assert().code(0);
    assert!(std::fs::read_to_string(&page).unwrap().contains("exec_command"));
    for command in ["view", "flatlog"] {
        assert!(stdout(&tracefold(&[command, rollout]).assert().code(0)).starts_with(['#', '0']));
    }
    let listed = stdout(&tracefold(&["sessions", name, "--limit", "99"]).assert().code(0));
    assert_eq!(listed.matches(".jsonl").count(), runs.len());
    let only = ["--profile", "none", "--transcripts", name, "--out", &out.name("out"), "--json"];
    let fidelity = [&["fidelity", "--pathology", "none"][..], &only].concat();
    let fidelity = stdout(&tracefold(&fidelity).assert().code(0));
    let fidelity: serde_json::Value = serde_json::from_str(&fidelity).unwrap();
    let equal = fidelity["aggregates"].as_array().unwrap().iter().find(|aggregate| {
        let spec = &aggregate["spec"];
        spec["name"] == "equal" && spec["over"] == serde_json::json!({"what": "field"})
    });
    let equal = &equal.unwrap()["outcome"]["value"];
    assert_eq!(equal["num"], equal["den"], "fold and oracle agree on every field");
    let comprehend = [&["comprehend"][..], &only].concat();
    tracefold(&comprehend).assert().code(0);
}

fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}
