//! Which files make up one run: the session's and its subagents', in the older layout (beside the
//! session) and the newer one (below `<session>/subagents/`). Used by whoever opens a run.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::FileRole;

/// How much of a file is read to learn whose session it belongs to.
const HEAD_BYTES: u64 = 64 * 1024;

/// How deep below `subagents/` transcripts are looked for.
const MAX_DEPTH: usize = 8;

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whose it is.
    pub role: FileRole,
}

/// A file or folder that could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {path}: {source}")]
pub struct RunFileError {
    /// What could not be read.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// The files of the run whose session file is `session`, in the order in which they are folded.
pub fn files(session: &Path) -> Result<Vec<RunFile>, RunFileError> {
    Finder::default().files(session)
}

/// Finds the files of runs, and remembers which session each file beside them names, so that looking
/// again and again reads no file twice.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    session_ids: BTreeMap<PathBuf, String>,
}

impl Finder {
    /// The files of a run, as [`files`] gives them.
    pub fn files(&mut self, session: &Path) -> Result<Vec<RunFile>, RunFileError> {
        let own_role = role(session, None);
        let mut paths = BTreeSet::new();
        if own_role.agent.is_none() {
            collect_agents(&session.with_extension("").join("subagents"), MAX_DEPTH, &mut paths)?;
            self.collect_claimed(session, &mut paths)?;
        }
        let mut files = vec![RunFile { path: session.to_owned(), role: own_role }];
        files.extend(paths.into_iter().map(|path| {
            let meta = head(&path.with_extension("meta.json")).ok();
            RunFile { role: role(&path, meta.as_deref()), path }
        }));
        Ok(files)
    }

    /// Adds the agent files beside a session that name it as theirs.
    fn collect_claimed(
        &mut self,
        session: &Path,
        paths: &mut BTreeSet<PathBuf>,
    ) -> Result<(), RunFileError> {
        let folder = match session.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut candidates = BTreeSet::new();
        collect_agents(folder, 1, &mut candidates)?;
        collect_agents(&folder.join("subagents"), MAX_DEPTH, &mut candidates)?;
        if candidates.is_empty() {
            return Ok(());
        }
        let stem = session.file_stem().and_then(OsStr::to_str).map(str::to_owned);
        let names: Vec<String> = stem.into_iter().chain(self.session_id(session)?).collect();
        for candidate in candidates {
            if self.session_id(&candidate)?.is_some_and(|id| names.contains(&id)) {
                // The same file may have been reached through a path with or without "./".
                paths
                    .insert(candidate.strip_prefix("./").map_or(candidate.clone(), Path::to_owned));
            }
        }
        Ok(())
    }

    /// The first session id in the head of a file.
    fn session_id(&mut self, path: &Path) -> Result<Option<String>, RunFileError> {
        if let Some(known) = self.session_ids.get(path) {
            return Ok(Some(known.clone()));
        }
        let found = head(path)?.split(|byte| *byte == b'\n').find_map(|line| {
            let record: Value = serde_json::from_slice(line).ok()?;
            record.get("sessionId")?.as_str().map(str::to_owned)
        });
        if let Some(id) = &found {
            self.session_ids.insert(path.to_owned(), id.clone());
        }
        Ok(found)
    }
}

/// The session files below a folder, in byte order of their paths: every `*.jsonl` that is neither a
/// subagent's nor a journal.
pub fn sessions_below(folder: &Path) -> Result<Vec<PathBuf>, RunFileError> {
    let mut found = BTreeSet::new();
    walk(folder, MAX_DEPTH, &mut |path| {
        let is_session = path.extension() == Some(OsStr::new("jsonl"))
            && path.file_stem() != Some(OsStr::new("journal"))
            && agent_of(path).is_none();
        if is_session {
            found.insert(path.to_owned());
        }
    })?;
    Ok(found.into_iter().collect())
}

/// The agent whose transcript a path names: X of `agent-X.jsonl`.
pub fn agent_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    (!id.is_empty()).then(|| id.to_owned())
}

fn collect_agents(
    folder: &Path,
    depth: usize,
    paths: &mut BTreeSet<PathBuf>,
) -> Result<(), RunFileError> {
    if !folder.is_dir() {
        return Ok(());
    }
    walk(folder, depth, &mut |path| {
        if agent_of(path).is_some() {
            paths.insert(path.to_owned());
        }
    })
}

fn walk(folder: &Path, depth: usize, visit: &mut dyn FnMut(&Path)) -> Result<(), RunFileError> {
    let at_folder = |source| RunFileError { path: folder.to_owned(), source };
    for entry in folder.read_dir().map_err(at_folder)? {
        let entry = entry.map_err(at_folder)?;
        let kind = entry.file_type().map_err(at_folder)?;
        if kind.is_dir() && depth > 1 {
            walk(&entry.path(), depth - 1, visit)?;
        } else if !kind.is_dir() {
            visit(&entry.path());
        }
    }
    Ok(())
}

fn head(path: &Path) -> Result<Vec<u8>, RunFileError> {
    let mut head = Vec::new();
    File::open(path)
        .and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head))
        .map_err(|source| RunFileError { path: path.to_owned(), source })?;
    Ok(head)
}

/// Whose file a path is, given the bytes of the `agent-X.meta.json` beside it, if there are any.
pub fn role(path: &Path, meta: Option<&[u8]>) -> FileRole {
    let launched_by = meta.and_then(|meta| {
        let meta: Value = serde_json::from_slice(meta).ok()?;
        let call = meta.get("toolUseId")?.as_str()?;
        (!call.is_empty()).then(|| call.to_owned())
    });
    FileRole { agent: agent_of(path), launched_by }
}
