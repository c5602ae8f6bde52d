//! Arguments without a command line, and where real transcripts are.

use std::path::{Path, PathBuf};

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

/// The folder of real Claude Code transcripts; says so and gives nothing where it is absent.
pub(crate) fn transcripts() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/transcripts");
    let folder = std::env::var_os("TRACEFOLD_TRANSCRIPTS").map_or(beside, PathBuf::from);
    let folder = folder.join("claude-code");
    if !folder.is_dir() {
        eprintln!("skipped: no transcripts in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Writes a generated trace to a file as if a person had it on disk.
pub(crate) fn write_trace(folder: &Path) -> PathBuf {
    let run = corpus_gen::trace(corpus_gen::Set::Default, 300);
    let path = folder.join("a-name-of-ones-own.jsonl");
    std::fs::write(&path, run.session_file()).expect("the folder can be written to");
    path
}
