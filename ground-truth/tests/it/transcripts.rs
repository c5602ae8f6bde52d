//! Real transcripts.

use std::path::{Path, PathBuf};

/// Every session file of Claude Code, without the files of subagents, in order.
pub(crate) fn claude_code() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sessions(&test_needs::transcripts_dir!().join("claude-code"), &mut found);
    assert!(!found.is_empty(), "there are transcripts");
    found.sort();
    found
}

fn sessions(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            sessions(&path, found);
        } else if path.extension() == Some("jsonl".as_ref()) && !name.starts_with("agent-") {
            found.push(path);
        }
    }
}
