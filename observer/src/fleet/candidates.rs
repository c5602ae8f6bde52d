//! Lists sessions, most recent event first, with a stamp that changes whenever their files do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use trace_model::adapter::claude_code::last_time;
use trace_model::adapter::claude_code::run::{
    Finder, agents_beside, agents_of, folder_of, sessions_below,
};
use trace_model::ids::Millis;
use trace_model::walk::{Listing, WalkError};

/// A session's file and what is known of it without folding it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The file.
    pub path: PathBuf,
    /// Its state on disk.
    pub stamp: Stamp,
    /// When its last event was: what sessions are chosen and ordered by. That of its last writing where
    /// no record has a time.
    pub last: Millis,
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

/// The time of each session's last event, by the stamp at which it was looked up.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LastEvents {
    known: BTreeMap<PathBuf, (Stamp, Millis)>,
    #[serde(skip)]
    finder: Finder,
    /// Whether any was looked up since they were last saved.
    #[serde(skip)]
    pub(super) is_new: bool,
}

impl LastEvents {
    fn of(&mut self, path: &Path, stamp: &Stamp) -> Millis {
        if let Some((_, last)) = self.known.get(path).filter(|(known, _)| known == stamp) {
            return *last;
        }
        // Of a file that cannot be read the row says so.
        let files = self.finder.files(path).unwrap_or_default();
        let times = files.iter().filter_map(|file| last_time(&file.path).ok().flatten());
        let last = times.max().unwrap_or(stamp.modified);
        self.known.insert(path.to_owned(), (stamp.clone(), last));
        self.is_new = true;
        last
    }

    /// Forgets sessions that are gone.
    pub(super) fn tidy(&mut self) {
        self.known.retain(|path, _| path.exists());
    }
}

/// The sessions below a folder, most recent event first. Calls `broken` for each that cannot be read, and
/// leaves it out.
pub fn candidates(
    folder: &Path,
    lasts: &mut LastEvents,
    mut broken: impl FnMut(PathBuf, String),
) -> Result<Vec<Candidate>, WalkError> {
    let Listing { files, unreadable } = sessions_below(folder)?;
    for error in unreadable {
        let reason = error.to_string();
        broken(error.path, reason);
    }
    let mut beside = BTreeMap::new();
    let mut found: Vec<Candidate> = Vec::with_capacity(files.len());
    for path in files {
        match stamp(&path, &mut beside) {
            Ok(stamp) => {
                let last = lasts.of(&path, &stamp);
                found.push(Candidate { path, stamp, last });
            }
            // It was removed since it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => broken(path, error.to_string()),
        }
    }
    found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

/// The stamp of a session; `beside` remembers the agents' files of folders that were looked at.
fn stamp(path: &Path, beside: &mut BTreeMap<PathBuf, Option<Stamp>>) -> io::Result<Stamp> {
    let mut stamp = of_file(path)?;
    let folder = folder_of(path);
    if !beside.contains_key(folder) {
        beside.insert(folder.to_owned(), of_agents(agents_beside(folder)));
    }
    if let Some(Some(agents)) = beside.get(folder) {
        // Whose they are is not known: they change the stamp, but are not part of the size.
        stamp.files += agents.files;
        stamp.modified = stamp.modified.max(agents.modified);
    }
    if let Some(agents) = of_agents(agents_of(path)) {
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

/// The stamp of all these files, none if there are none.
fn of_agents(walked: Result<Listing, WalkError>) -> Option<Stamp> {
    let files = walked.ok()?.files;
    files.iter().filter_map(|path| of_file(path).ok()).reduce(|sum, one| Stamp {
        bytes: sum.bytes + one.bytes,
        modified: sum.modified.max(one.modified),
        files: sum.files + one.files,
    })
}
