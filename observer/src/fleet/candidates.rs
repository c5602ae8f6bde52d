//! Lists sessions, most recent event first, with a stamp that changes whenever their files do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

use cli_support::parallel;
use serde::{Deserialize, Serialize};
use trace_model::adapter::{AdapterRef, Format, Heads, sessions_below};
use trace_model::ids::Millis;
use trace_model::run::check;
use trace_model::walk::{Listing, WalkError};

/// A session's file and what is known about it without folding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The file.
    pub path: PathBuf,
    /// Its state on disk.
    pub stamp: Stamp,
    /// When its last event was: what sessions are chosen and ordered by. That of its last writing where
    /// no record has a time.
    pub last: Millis,
    /// What its content says that it is.
    pub told: Told,
}

/// What a session's content says that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// It was looked at now, and this reads it.
    Now(AdapterRef),
    /// This read it when it was looked at before.
    Before(Option<AdapterRef>),
    /// It was looked at now, and nothing reads it, for this reason.
    Unreadable(String),
}

impl Told {
    /// What reads it.
    pub fn adapter(&self) -> Option<AdapterRef> {
        match self {
            Self::Now(adapter) | Self::Before(Some(adapter)) => Some(*adapter),
            Self::Before(None) | Self::Unreadable(_) => None,
        }
    }
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
    /// What sessions were recognised as. A file that becomes another's is noticed when it is folded.
    formats: BTreeMap<PathBuf, Format>,
    #[serde(skip)]
    heads: Heads,
    /// Whether one was looked up since the last were kept.
    #[serde(skip)]
    pub(super) is_new: bool,
}

impl LastEvents {
    /// What the heads of files say, for one look at all sessions.
    pub(super) fn heads(&self) -> Heads {
        self.heads.for_one_look()
    }

    /// What reads a session.
    fn tell(&self, path: &Path) -> Told {
        if let Some(format) = self.formats.get(path) {
            return Told::Before(format.adapter());
        }
        match check(path) {
            Ok(adapter) => Told::Now(adapter),
            // Its row says so.
            Err(error) => Told::Unreadable(error.to_string()),
        }
    }

    /// When a session's last event was.
    fn last(
        &self,
        path: &Path,
        adapter: Option<AdapterRef>,
        stamp: &Stamp,
        heads: &Heads,
    ) -> Millis {
        if let Some((_, last)) = self.known.get(path).filter(|(known, _)| known == stamp) {
            return *last;
        }
        // Of a file that cannot be read the row says so.
        let last = adapter.and_then(|adapter| {
            let files = adapter.files(path, heads).unwrap_or_default();
            files.iter().filter_map(|file| adapter.last_time(&file.path).ok().flatten()).max()
        });
        last.unwrap_or(stamp.modified)
    }

    /// Remembers what was found out about a session.
    fn note(&mut self, found: &Candidate) {
        if let Told::Now(adapter) = found.told {
            self.formats.insert(found.path.clone(), adapter.format());
        }
        let of_stamp = (found.stamp.clone(), found.last);
        if self.known.get(&found.path) != Some(&of_stamp) {
            self.known.insert(found.path.clone(), of_stamp);
            self.is_new = true;
        }
    }

    /// Forgets sessions that are gone.
    pub(super) fn tidy(&mut self) {
        self.known.retain(|path, _| path.exists());
        self.formats.retain(|path, _| self.known.contains_key(path));
    }
}

/// The sessions below some folders, the one with the latest event first, looked at on `jobs` threads. What
/// cannot be read is given to `broken` and left out.
pub fn candidates(
    folders: &[PathBuf],
    lasts: &mut LastEvents,
    jobs: usize,
    mut broken: impl FnMut(PathBuf, String),
) -> Result<Vec<Candidate>, WalkError> {
    let heads = lasts.heads();
    let mut files = Vec::new();
    for folder in folders {
        let Listing { files: sessions, unreadable } = sessions_below(folder, &heads)?;
        files.extend(sessions);
        for error in unreadable {
            let reason = error.to_string();
            broken(error.path, reason);
        }
    }
    let told = parallel::map(&files, jobs, |path| lasts.tell(path));
    let mut beside = BTreeMap::new();
    let mut stamped = Vec::with_capacity(files.len());
    for (path, told) in files.into_iter().zip(told) {
        match stamp(&path, told.adapter(), &heads, &mut beside) {
            Ok(stamp) => stamped.push((path, told, stamp)),
            // It was removed since it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => broken(path, error.to_string()),
        }
    }
    let times = parallel::map(&stamped, jobs, |(path, told, stamp)| {
        lasts.last(path, told.adapter(), stamp, &heads)
    });
    let found = stamped.into_iter().zip(times);
    let mut found: Vec<Candidate> =
        found.map(|((path, told, stamp), last)| Candidate { path, stamp, last, told }).collect();
    for candidate in &found {
        lasts.note(candidate);
    }
    found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

/// The stamp of a session; `beside` remembers the agents' files of folders that were looked at.
fn stamp(
    path: &Path,
    adapter: Option<AdapterRef>,
    heads: &Heads,
    beside: &mut BTreeMap<(PathBuf, Format), Option<Stamp>>,
) -> io::Result<Stamp> {
    let mut stamp = of_file(path)?;
    let Some(adapter) = adapter else { return Ok(stamp) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let agents = beside
        .entry((folder.to_owned(), adapter.format()))
        .or_insert_with(|| of_agents(adapter.agents_beside(folder, heads)));
    if let Some(agents) = agents {
        // Whose they are is not known: they change the stamp, but are not part of the size.
        stamp.files += agents.files;
        stamp.modified = stamp.modified.max(agents.modified);
    }
    if let Some(agents) = of_agents(adapter.agents_of_session(path)) {
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

/// The stamp of all these files; `None` without files.
fn of_agents(walked: Result<Listing, WalkError>) -> Option<Stamp> {
    let files = walked.ok()?.files;
    files.iter().filter_map(|path| of_file(path).ok()).reduce(|sum, one| Stamp {
        bytes: sum.bytes + one.bytes,
        modified: sum.modified.max(one.modified),
        files: sum.files + one.files,
    })
}
