//! Which runs the named files and folders stand for.

use std::path::{Path, PathBuf};

use trace_model::adapter::{Heads, agent_of, sessions_below};
use trace_model::walk::Visited;

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
pub(super) fn select(named: &[PathBuf], heads: &Heads) -> Selection {
    let mut selection = Selection::default();
    let mut met = Visited::default();
    for path in named {
        if !path.is_dir() {
            take(path, heads, &mut met, &mut selection);
            continue;
        }
        match sessions_below(path, heads) {
            Ok(walked) if walked.files.is_empty() && walked.unreadable.is_empty() => {
                selection.failures.push(anyhow::anyhow!(
                    "no session (*.jsonl) in {} or below it; name a folder that holds transcripts",
                    path.display()
                ));
            }
            Ok(walked) => {
                selection.folders.push(path.clone());
                selection.failures.extend(walked.unreadable.into_iter().map(Into::into));
                let sessions = walked.files.into_iter().filter(|session| met.insert(session));
                selection.sessions.extend(sessions);
            }
            Err(error) => selection.failures.push(error.into()),
        }
    }
    selection
}

fn take(path: &Path, heads: &Heads, met: &mut Visited, selection: &mut Selection) {
    if met.insert(path) {
        let agent = agent_of(path, heads).is_some();
        let list = if agent { &mut selection.agents } else { &mut selection.sessions };
        list.push(path.to_owned());
    }
}
