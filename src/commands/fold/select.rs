//! Which runs the named files and folders stand for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trace_model::adapter::claude_code::run::{agent_of, sessions_below};

/// What was named.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// Session files, each once, in the order in which they were named or lie in a folder.
    pub(super) sessions: Vec<PathBuf>,
    /// Subagents' files that were named themselves.
    pub(super) agents: Vec<PathBuf>,
    /// Folders that were named.
    pub(super) folders: Vec<PathBuf>,
    /// What cannot be used.
    pub(super) failures: Vec<anyhow::Error>,
}

impl Selection {
    /// How many runs there may be.
    pub(super) fn runs(&self) -> usize {
        self.sessions.len() + self.agents.len()
    }

    /// Bytes of the files that were named.
    pub(super) fn bytes(&self) -> u64 {
        let files = self.sessions.iter().chain(&self.agents);
        files.filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum()
    }
}

/// Sorts out what was named. A file is folded once, however often it was named.
pub(super) fn select(named: &[PathBuf]) -> Selection {
    let mut selection = Selection::default();
    let mut seen = BTreeSet::new();
    for path in named {
        if !path.is_dir() {
            take(path, &mut seen, &mut selection);
            continue;
        }
        match sessions_below(path) {
            Ok(sessions) if sessions.is_empty() => selection.failures.push(anyhow::anyhow!(
                "no session (*.jsonl) in {} or below it; name a folder that holds transcripts",
                path.display()
            )),
            Ok(sessions) => {
                selection.folders.push(path.clone());
                for session in &sessions {
                    take(session, &mut seen, &mut selection);
                }
            }
            Err(error) => selection.failures.push(error.into()),
        }
    }
    selection
}

fn take(path: &Path, seen: &mut BTreeSet<PathBuf>, selection: &mut Selection) {
    if seen.insert(identity(path)) {
        let agent = agent_of(path).is_some();
        let list = if agent { &mut selection.agents } else { &mut selection.sessions };
        list.push(path.to_owned());
    }
}

/// The path by which a file is known, whichever way it was reached.
pub(super) fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Subagents' files below a folder, in byte order of their paths.
pub(super) fn agents_below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let entries = folder.read_dir().into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(agents_below(&path));
        } else if agent_of(&path).is_some() {
            found.insert(path);
        }
    }
    found
}
