//! Which sessions there are, newest first, and the stamps by which a changed one is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use trace_model::adapter::claude_code::run::{RunFileError, agent_of, sessions_below};
use trace_model::ids::Millis;

/// A session's file and what is known of it without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The file.
    pub path: PathBuf,
    /// Its state on disk.
    pub stamp: Stamp,
}

/// What changes when a session's files do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Bytes of the session's file and of its subagents'.
    pub bytes: u64,
    /// The latest time at which one of them was written.
    pub modified: Millis,
    /// How many they are; files of subagents that stand beside the session count for every session
    /// there, as only their content says whose they are.
    pub files: u64,
}

/// The sessions below a folder, those first that were written last. A folder that cannot be read is
/// given to `broken` and left out.
pub fn candidates(
    folder: &Path,
    mut broken: impl FnMut(PathBuf, String),
) -> Result<Vec<Candidate>, RunFileError> {
    let at_folder = |source| RunFileError { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(at_folder)? {
        let path = entry.map_err(at_folder)?.path();
        if path.is_dir() {
            match sessions_below(&path) {
                Ok(sessions) => paths.extend(sessions),
                Err(error) => broken(path, error.to_string()),
            }
        } else if is_session(&path) {
            paths.push(path);
        }
    }
    let mut beside = BTreeMap::new();
    let mut found: Vec<Candidate> = Vec::with_capacity(paths.len());
    for path in paths {
        match stamp(&path, &mut beside) {
            Ok(stamp) => found.push(Candidate { path, stamp }),
            // It was removed since it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => broken(path, error.to_string()),
        }
    }
    found.sort_by(|a, b| b.stamp.modified.cmp(&a.stamp.modified).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

fn is_session(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
        && path.file_stem().is_some_and(|stem| stem != "journal")
        && agent_of(path).is_none()
}

/// The stamp of a session; `beside` remembers the agents' files of folders that were looked at.
fn stamp(path: &Path, beside: &mut BTreeMap<PathBuf, Option<Stamp>>) -> io::Result<Stamp> {
    let mut stamp = of_file(path)?;
    if let Some(folder) = path.parent() {
        if !beside.contains_key(folder) {
            beside.insert(folder.to_owned(), agents_in(folder, 1));
        }
        if let Some(Some(agents)) = beside.get(folder) {
            // Whose they are is not known: they change the stamp, but are not part of the size.
            stamp.files += agents.files;
            stamp.modified = stamp.modified.max(agents.modified);
        }
    }
    if let Some(agents) = agents_in(&path.with_extension("").join("subagents"), 8) {
        stamp.bytes += agents.bytes;
        stamp.files += agents.files;
        stamp.modified = stamp.modified.max(agents.modified);
    }
    Ok(stamp)
}

/// The stamp of one file.
pub(super) fn of_file(path: &Path) -> io::Result<Stamp> {
    let file = fs::metadata(path)?;
    let modified = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let modified = Millis(i64::try_from(modified.as_millis()).unwrap_or(i64::MAX));
    Ok(Stamp { bytes: file.len(), modified, files: 1 })
}

/// The stamp of all agents' files in a folder, none if there are none.
fn agents_in(folder: &Path, depth: usize) -> Option<Stamp> {
    let mut sum: Option<Stamp> = None;
    for path in folder.read_dir().ok()?.filter_map(Result::ok).map(|entry| entry.path()) {
        let one = if agent_of(&path).is_some() {
            of_file(&path).ok()
        } else if depth > 1 && path.is_dir() {
            agents_in(&path, depth - 1)
        } else {
            None
        };
        let Some(one) = one else { continue };
        sum = Some(match sum {
            None => one,
            Some(sum) => Stamp {
                bytes: sum.bytes + one.bytes,
                modified: sum.modified.max(one.modified),
                files: sum.files + one.files,
            },
        });
    }
    sum
}
