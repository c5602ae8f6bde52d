//! A run's snapshot, from which a followed run resumes after a restart: a line that says what it is, then the
//! state in a binary form, compressed.

use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use serde::{Deserialize, Serialize};

use super::{Run, RunChange, RunError};
use crate::adapter::Format;
use crate::fold::RunState;
use crate::ledger::LedgerFile;
use crate::reader::{Followed, ReadStats, ResumeToken};
use crate::whole::write_whole;

/// The version of the snapshot's schema.
const SNAPSHOT_VERSION: u32 = 5;
/// What a snapshot starts with; its version and a line feed follow.
const MARK: &str = "tracefold snapshot ";
/// How hard it is compressed: more costs several times as much and saves a tenth.
const LEVEL: u8 = 3;
/// How much is unpacked at most: more than the state of any run, and a bound on memory.
const LARGEST: usize = 2 * 1024 * 1024 * 1024;

#[derive(Deserialize)]
struct Snapshot {
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
        let state = postcard::to_stdvec(&snapshot).map_err(|error| RunError::Snapshot {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let mut bytes = format!("{MARK}{SNAPSHOT_VERSION}\n").into_bytes();
        bytes.extend(compress_to_vec(&state, LEVEL));
        write_whole(path, &bytes).map_err(io)
    }

    /// Resumes a saved run. A replaced file makes it start over, which is reported.
    pub fn resume(
        snapshot: &Path,
        ledger: Option<&Path>,
    ) -> Result<(Self, Option<RunChange>), RunError> {
        let unusable = |reason: String| RunError::Snapshot { path: snapshot.to_owned(), reason };
        let bytes = fs::read(snapshot)
            .map_err(|source| RunError::Io { path: snapshot.to_owned(), source })?;
        let saved = read(&bytes).map_err(unusable)?;
        let adapter = (saved.format.adapter())
            .ok_or_else(|| unusable(format!("nothing reads {} any more", saved.format.name())))?;
        let mut run = Self::new(adapter, &saved.session, saved.state.config().clone());
        run.ledger = match (ledger, saved.ledger_events) {
            (Some(path), Some(events)) => Some(LedgerFile::resume(path, events)?),
            (Some(_), None) => return Err(unusable("no ledger was kept with it".to_owned())),
            (None, _) => None,
        };
        let known = adapter.files(&saved.session, &run.heads)?;
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
    format: Format,
    session: &'a Path,
    ledger_events: Option<u64>,
    files: Vec<SnapshotFile>,
    state: &'a RunState,
}

/// Reads a snapshot; the error says what is wrong with it.
fn read(bytes: &[u8]) -> Result<Snapshot, String> {
    let (version, packed) = version(bytes).ok_or("it is not a snapshot")?;
    if version != SNAPSHOT_VERSION {
        return Err(format!(
            "its schema is version {version}, this program's is {SNAPSHOT_VERSION}"
        ));
    }
    let state = decompress_to_vec_with_limit(packed, LARGEST).map_err(|error| error.to_string())?;
    postcard::from_bytes(&state).map_err(|error| error.to_string())
}

/// The version of a snapshot's schema, and what follows it. Before version 5 a snapshot was JSON.
fn version(bytes: &[u8]) -> Option<(u32, &[u8])> {
    #[derive(Deserialize)]
    struct Old {
        version: u32,
    }
    let Some(rest) = bytes.strip_prefix(MARK.as_bytes()) else {
        return serde_json::from_slice(bytes).ok().map(|old: Old| (old.version, &[][..]));
    };
    let end = memchr::memchr(b'\n', rest)?;
    let version = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    Some((version, &rest[end + 1..]))
}
