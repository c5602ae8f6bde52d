//! Folding the selected runs, several at a time: sessions first, so that a subagent's file that was named
//! beside its session is not counted twice.

use std::path::{Path, PathBuf};

use anyhow::bail;
use cli_support::parallel;
use trace_model::adapter::{Heads, agents_below};
use trace_model::run::{Run, RunChange, RunError};
use trace_model::walk::Visited;

use super::select::Selection;
use crate::commands::one_run;
use crate::output::count;

/// What is left of a run once it is folded: runs wait for their turn to be printed, and states are large.
pub(super) struct Folded {
    text: String,
    /// The files of its subagents.
    agents: Vec<PathBuf>,
}

impl Folded {
    /// A run that is printed as `text`.
    pub(super) fn of(run: &Run, text: anyhow::Result<String>) -> anyhow::Result<Self> {
        let agents = run.readings().skip(1).map(|(file, _)| file.path.clone()).collect();
        Ok(Self { text: text?, agents })
    }
}

/// The selected runs.
pub(super) struct Runs<'a> {
    selection: &'a Selection,
    /// Files that were read as a part of a session.
    read: Visited,
}

impl<'a> Runs<'a> {
    pub(super) fn new(selection: &'a Selection) -> Self {
        Self { selection, read: Visited::default() }
    }

    /// Folds each run on one of `jobs` threads and hands on, in the selection's order, its file, and what is
    /// printed of it with a note, if there is one; or why there is no run.
    pub(super) fn each(
        &mut self,
        jobs: usize,
        fold: impl Fn(&Path) -> anyhow::Result<Folded> + Sync,
        mut take: impl FnMut(&Path, anyhow::Result<(String, Option<String>)>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Self { selection, read } = self;
        parallel::in_order(
            &selection.sessions,
            jobs,
            |path| fold(path),
            |path, folded| take(path, folded.map(|folded| (note_read(folded, read), None))),
        )?;
        // What a session read was counted with it.
        let alone: Vec<&PathBuf> =
            selection.agents.iter().filter(|path| !read.contains(path)).collect();
        parallel::in_order(
            &alone,
            jobs,
            |path| fold(path),
            |path, folded| {
                if read.contains(path) {
                    // One of those before it spawned it.
                    return Ok(());
                }
                let note = format!(
                    "{} is a subagent's transcript, folded without its session",
                    path.display()
                );
                take(path, folded.map(|folded| (note_read(folded, read), Some(note))))
            },
        )
    }

    /// Notes on the files that made no run of their own.
    pub(super) fn left_out(&self, heads: &Heads) -> Vec<String> {
        let mut notes = Vec::new();
        let part = |path: &&PathBuf| self.read.contains(path);
        for path in self.selection.agents.iter().filter(part) {
            notes.push(format!("{} is counted in its session's run only", path.display()));
        }
        for folder in &self.selection.folders {
            // Unreadable folders were reported when sessions were looked for.
            let agents = agents_below(folder, heads).map(|walked| walked.files).unwrap_or_default();
            let mut lost = agents.iter().filter(|path| !self.read.contains(path));
            if let Some(first) = lost.next() {
                notes.push(format!(
                    "{} below {} left out: no session there is theirs (the first is {}); name them \
                     to fold them alone",
                    count(lost.count() as u64 + 1, "subagent's file"),
                    folder.display(),
                    first.display()
                ));
            }
        }
        notes
    }
}

/// Remembers which files a run read, and gives what is printed of it.
fn note_read(folded: Folded, read: &mut Visited) -> String {
    for path in &folded.agents {
        read.insert(path);
    }
    folded.text
}

/// Resumes a saved run; notes if it had to start over.
pub(super) fn resume(
    snapshot: &Path,
    ledger: Option<&Path>,
    save: Option<&Path>,
) -> anyhow::Result<(Run, Option<String>)> {
    let (mut run, change) = Run::resume(snapshot, ledger)?;
    let mut change = match change {
        None => run.poll()?,
        Some(change) => change,
    };
    let mut note = None;
    while let RunChange::StartedOver { path, .. } = &change {
        note = Some(format!(
            "{} is no longer the file of the saved state: read from the start",
            path.display()
        ));
        change = run.poll()?;
    }
    if change == RunChange::Gone {
        bail!(RunError::NotFound(run.session().to_owned()));
    }
    Ok((one_run::end(run, save)?, note))
}
