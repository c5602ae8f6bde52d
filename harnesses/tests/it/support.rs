//! Arguments without a command line, real transcripts, shared cases.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;
use harnesses::common::defaults;
use harnesses::comprehend::ComprehendArgs;
use harnesses::continuation::GridArgs;
use harnesses::detect::DetectArgs;
use harnesses::fidelity::FidelityArgs;

/// Arguments as they are parsed from a command line.
fn parsed<A: Args>(flags: &[&str]) -> A {
    let command = A::augment_args(clap::Command::new("test"));
    let words = ["test", "--date", "2026-01-31"].iter().chain(flags);
    A::from_arg_matches(&command.get_matches_from(words)).expect("the flags are right")
}

pub(crate) fn detect(flags: &[&str]) -> DetectArgs {
    let _: DetectArgs = defaults();
    parsed(flags)
}

pub(crate) fn fidelity(flags: &[&str]) -> FidelityArgs {
    let _: FidelityArgs = defaults();
    parsed(flags)
}

pub(crate) fn comprehend(flags: &[&str]) -> ComprehendArgs {
    let _: ComprehendArgs = defaults();
    parsed(flags)
}

pub(crate) fn continuation_grid(flags: &[&str]) -> GridArgs {
    let _: GridArgs = defaults();
    parsed(flags)
}

/// The folder of real Claude Code transcripts.
pub(crate) fn claude_code_transcripts() -> &'static str {
    const FOLDER: &str = "claude-code";
    static PATH: LazyLock<PathBuf> = LazyLock::new(|| test_needs::transcripts_dir!().join(FOLDER));
    PATH.to_str().expect("its path is UTF-8")
}

/// The folder of real Codex transcripts.
pub(crate) fn codex_transcripts() -> &'static str {
    const FOLDER: &str = "codex";
    static PATH: LazyLock<PathBuf> = LazyLock::new(|| test_needs::transcripts_dir!().join(FOLDER));
    PATH.to_str().expect("its path is UTF-8")
}

/// The cases in a shared file.
pub(crate) fn shared_cases(name: &str) -> Vec<serde_json::Value> {
    let path = test_needs::shared_dir!().join("cases").join(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<_> = serde_json::from_slice(&text).expect("it is a list");
    assert!(!cases.is_empty());
    cases
}

/// Writes a generated trace to a file as if a person had it on disk.
pub(crate) fn write_trace(folder: &Path) -> PathBuf {
    let run = corpus_gen::trace(corpus_gen::Set::Default, 300);
    let path = folder.join("a-name-of-ones-own.jsonl");
    std::fs::write(&path, run.session_file()).expect("the folder can be written to");
    path
}

/// The sessions below a folder.
pub(crate) fn sessions(folder: &str) -> Vec<PathBuf> {
    let found = walk(Path::new(folder));
    assert!(!found.is_empty());
    found
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let is_lines = path.extension().is_some_and(|extension| extension == "jsonl");
        let is_agent = entry.file_name().to_string_lossy().starts_with("agent-");
        if path.is_dir() {
            found.extend(walk(&path));
        } else if is_lines && !is_agent {
            found.push(path);
        }
    }
    found.sort();
    found
}
