//! A run's snapshot, from which a followed run resumes after a restart.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Run, RunChange, RunError};
use crate::adapter::Format;
use crate::fold::RunState;
use crate::ledger::LedgerFile;
use crate::reader::{Followed, ReadStats, ResumeToken};
use crate::whole::write_whole;

/// The version of the snapshot's schema.
const SNAPSHOT_VERSION: u32 = 4;

#[derive(Serialize, Deserialize)]
struct Snapshot {
    version: u32,
    format: Format,
    session: PathBuf,
    /// Events in the ledger beside it, if one is kept.
    ledger_events: Option<u64>,
    files: Vec<SnapshotFile>,
    state: RunState,
}

#[derive(Serialize, Deserialize)]
struct SnapshotFile {
    path: PathBuf,
    token: ResumeToken,
    stats: ReadStats,
}

impl Run {
    /// Saves the run for [`Run::resume`]; the file is replaced atomically.
    pub fn save(&mut self, path: &Path) -> Result<(), RunError> {
        let ledger_events = self.ledger.as_mut().map(LedgerFile::sync).transpose()?;
        let snapshot = SnapshotRef {
            version: SNAPSHOT_VERSION,
            format: self.adapter.format(),
            session: &self.session,
            ledger_events,
            files: (self.files.iter())
                .map(|file| SnapshotFile {
                    path: file.path().to_owned(),
                    token: file.reader().token(),
                    stats: file.reader().stats().clone(),
                })
                .collect(),
            state: &self.state,
        };
        let io = |source| RunError::Io { path: path.to_owned(), source };
        let json = serde_json::to_vec(&snapshot).map_err(|error| RunError::Snapshot {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        write_whole(path, &json).map_err(io)
    }

    /// Resumes a saved run. A replaced file makes it start over, which is reported.
    pub fn resume(
        snapshot: &Path,
        ledger: Option<&Path>,
    ) -> Result<(Self, Option<RunChange>), RunError> {
        let unusable = |reason: String| RunError::Snapshot { path: snapshot.to_owned(), reason };
        let bytes = fs::read(snapshot)
            .map_err(|source| RunError::Io { path: snapshot.to_owned(), source })?;
        let version: VersionOnly =
            serde_json::from_slice(&bytes).map_err(|error| unusable(error.to_string()))?;
        if version.version != SNAPSHOT_VERSION {
            return Err(unusable(format!(
                "its schema is version {}, this program's is {SNAPSHOT_VERSION}",
                version.version
            )));
        }
        let saved: Snapshot =
            serde_json::from_slice(&bytes).map_err(|error| unusable(error.to_string()))?;
        let adapter = (saved.format.adapter())
            .ok_or_else(|| unusable(format!("nothing reads {} any more", saved.format.name())))?;
        let mut run = Self::new(adapter, &saved.session, saved.state.config().clone());
        run.ledger = match (ledger, saved.ledger_events) {
            (Some(path), Some(events)) => Some(LedgerFile::resume(path, events)?),
            (Some(_), None) => return Err(unusable("no ledger was kept with it".to_owned())),
            (None, _) => None,
        };
        let known = adapter.files(&saved.session, &mut run.heads)?;
        for file in saved.files {
            let Some(role) = known.iter().find(|known| known.path == file.path) else {
                // A subagent's file that is gone takes nothing back.
                continue;
            };
            match Followed::resume(&file.path, role.role.clone(), &file.token, file.stats)? {
                Ok(followed) => {
                    run.files.push(followed);
                    run.roles.push(role.clone());
                }
                Err(change) => {
                    run.start_over()?;
                    return Ok((run, Some(RunChange::StartedOver { path: file.path, change })));
                }
            }
        }
        run.state = saved.state;
        Ok((run, None))
    }
}

/// [`Snapshot`] as it is written.
#[derive(Serialize)]
struct SnapshotRef<'a> {
    version: u32,
    format: Format,
    session: &'a Path,
    ledger_events: Option<u64>,
    files: Vec<SnapshotFile>,
    state: &'a RunState,
}

#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}
