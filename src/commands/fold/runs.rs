//! Folding the selected runs one after the other: sessions first, so that a subagent's file that was
//! named beside its session is not counted twice.

use std::path::{Path, PathBuf};

use anyhow::bail;
use cli_support::Bar;
use trace_model::adapter::agents_below;
use trace_model::fold::FoldConfig;
use trace_model::run::{Run, RunChange, RunError};
use trace_model::walk::Visited;

use super::select::Selection;
use crate::commands::one_run;
use crate::output::count;
use crate::progress;

/// A run, and a note on how it was made, if there is one.
type Folded = (Run, Option<String>);

/// The selected runs, folded as they are asked for.
pub(super) struct Runs<'a> {
    selection: &'a Selection,
    config: FoldConfig,
    ledger: Option<&'a Path>,
    save: Option<&'a Path>,
    next: usize,
    /// Files that were read as a part of a session.
    read: Visited,
}

impl<'a> Runs<'a> {
    pub(super) fn new(
        selection: &'a Selection,
        config: FoldConfig,
        ledger: Option<&'a Path>,
        save: Option<&'a Path>,
    ) -> Self {
        Self { selection, config, ledger, save, next: 0, read: Visited::default() }
    }

    /// The next run: its file, and the run or why there is none.
    pub(super) fn next(&mut self, bar: &Bar) -> Option<(&'a Path, anyhow::Result<Folded>)> {
        let selection = self.selection;
        let session = selection.sessions.get(self.next);
        let agent = selection.agents.get(self.next.wrapping_sub(selection.sessions.len()));
        let path: &Path = session.or(agent)?;
        self.next += 1;
        if session.is_none() && self.read.contains(path) {
            // Its session was named too.
            return self.next(bar);
        }
        progress::at(bar, path);
        let folded = one_run::fold(path, self.config.clone(), self.ledger, self.save);
        if let Ok(run) = &folded {
            for (file, _) in run.readings().skip(1) {
                self.read.insert(&file.path);
            }
        }
        let note = session.is_none().then(|| {
            format!("{} is a subagent's transcript, folded without its session", path.display())
        });
        Some((path, folded.map(|run| (run, note))))
    }

    /// Notes on the files that made no run of their own.
    pub(super) fn left_out(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let part = |path: &&PathBuf| self.read.contains(path);
        for path in self.selection.agents.iter().filter(part) {
            notes.push(format!("{} is counted in its session's run only", path.display()));
        }
        for folder in &self.selection.folders {
            // Unreadable folders were reported when sessions were looked for.
            let agents = agents_below(folder).map(|walked| walked.files).unwrap_or_default();
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

/// Resumes a saved run; notes if it had to start over.
pub(super) fn resume(
    snapshot: &Path,
    ledger: Option<&Path>,
    save: Option<&Path>,
) -> anyhow::Result<Folded> {
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
