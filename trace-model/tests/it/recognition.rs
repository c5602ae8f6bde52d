//! Real files of many agents, read in place: each is recognised for what it is.

use std::fs;
use std::path::{Path, PathBuf};

use trace_model::run::{RunError, check};
use trace_model::walk::below;

fn files(folder: &Path) -> Vec<PathBuf> {
    below(folder, |_| true).unwrap().files
}

/// What a file is called; empty for one that nobody is known to write.
fn name(path: &Path) -> String {
    match check(path) {
        Ok(adapter) => adapter.format().name().to_owned(),
        Err(RunError::OtherFormat { format, .. }) => format.to_owned(),
        Err(RunError::Doubtful { formats, .. }) => formats,
        Err(RunError::NotATranscript(_)) => String::new(),
        Err(error) => panic!("{error}"),
    }
}

#[test_needs::transcripts]
#[test]
fn each_agents_files_are_recognised() {
    // The names that a folder's files may have, and how many at most are nobody's: notes, configuration.
    let folders: [(&str, &[&str], usize); 20] = [
        ("atif", &["atif"], 5),
        ("codex", &["codex"], 0),
        ("copilot", &["copilot"], 0),
        ("cursor", &["cursor"], 0),
        ("gemini-cli", &["gemini-cli"], 0),
        ("inspect", &["inspect"], 0),
        ("kimi", &["kimi"], 0),
        ("mini-swe-agent", &["mini-swe-agent"], 2),
        ("misc-agents/antigravity", &["antigravity"], 1),
        ("misc-agents/droid", &["droid"], 0),
        ("misc-agents/grok", &["grok"], 0),
        ("misc-agents/hermes", &["hermes"], 0),
        ("misc-agents/openclaw", &["openclaw"], 0),
        ("misc-agents/qwen", &["qwen-code"], 0),
        ("opencode", &["opencode"], 5),
        ("openhands", &["openhands", "atif"], 2),
        ("otel", &["otel"], 1),
        ("swe-agent", &["swe-agent"], 0),
        ("tau2", &["tau2"], 1),
        ("claude-code", &["claude-code"], 0),
    ];
    for (folder, names, strangers) in folders {
        let folder = test_needs::transcripts_dir!().join(folder);
        assert!(folder.is_dir(), "{} is absent", folder.display());
        let jsonl_only = folder.ends_with("claude-code");
        let wanted =
            |path: &PathBuf| !jsonl_only || path.extension().is_some_and(|it| it == "jsonl");
        let mut nobodys = Vec::new();
        for path in files(&folder).into_iter().filter(wanted) {
            let name = name(&path);
            if name.is_empty() {
                nobodys.push(path);
            } else {
                assert!(names.contains(&name.as_str()), "{}: {name}", path.display());
            }
        }
        assert!(nobodys.len() <= strangers, "nobody's: {nobodys:?}");
    }
}

#[test_needs::transcripts]
#[test]
fn nothing_but_claude_codes_files_is_accepted() {
    let root = test_needs::transcripts_dir!();
    let others = fs::read_dir(root).unwrap().flatten().map(|entry| entry.path());
    for path in others.filter(|path| path.is_dir() && !path.ends_with("claude-code")) {
        for file in files(&path) {
            assert_ne!(name(&file), "claude-code", "{}", file.display());
        }
    }
}

#[test_needs::shared]
#[test]
fn the_cases_are_recognised() {
    let cases = test_needs::shared_dir!().join("cases");
    for (case, format) in [
        ("16-sdk-stream-json.jsonl", "claude-code"),
        ("18-codex-output-without-call-id.jsonl", "codex"),
        ("22-cline-cli.messages.json", "cline"),
        ("24-openhands-accumulated.json", "openhands"),
        ("26-atif-subagent/trajectory.json", "atif"),
        ("27-qwen-look-alike.jsonl", "qwen-code"),
        ("q49-lone-surrogate.jsonl", "claude-code"),
    ] {
        assert_eq!(name(&cases.join(case)), format, "{case}");
    }
}
