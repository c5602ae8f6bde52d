//! The files that make a run: its session file, and those of its subagents.
//!
//! `docs/DEFINITIONS.md`, "Threads", "A run".

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::codex;
use super::json::Node;
use super::lines::read_lines;
use super::parse::first_value;
use super::record_types::is_record;
use super::run_files::{Format, RunFiles, TranscriptFile};

/// Why a run could not be read.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// A file or folder of the run cannot be read.
    #[error("cannot read {path}: {source}; check that it exists and is readable", path = path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The format of a session file, told by the first line that starts with a record of either.
fn format_of(session: &[u8]) -> Format {
    let told = session.split(|byte| *byte == b'\n').find_map(|line| {
        let line = String::from_utf8_lossy(line);
        let (value, _) = first_value(line.trim_start_matches('\u{feff}').trim_start())?;
        if codex::is_record(&value) {
            return Some(Format::Codex);
        }
        is_record(&value).then_some(Format::ClaudeCode)
    });
    told.unwrap_or(Format::ClaudeCode)
}

impl RunFiles {
    /// Reads a session file and the subagent files that belong to it.
    ///
    /// # Errors
    /// When the session file, a subagent file or a folder that holds them cannot be read.
    pub fn of_session(path: impl AsRef<Path>) -> Result<Self, OracleError> {
        let session = path.as_ref();
        let bytes = read(session)?;
        if format_of(&bytes) == Format::Codex {
            return Self::of_rollout(session, bytes);
        }
        let mut paths = beside(session, &bytes)?;
        paths.extend(below(&session.with_extension("").join("subagents"), &mut Vec::new())?);
        let mut files = Vec::new();
        for path in one_path_a_file(session, paths)? {
            let meta = path.with_extension("meta.json");
            if meta.is_file() {
                files.push((name_of(&meta), read(&meta)?));
            }
            files.push((name_of(&path), read(&path)?));
        }
        files.sort_by(|(left, _), (right, _)| left.as_bytes().cmp(right.as_bytes()));
        files.insert(0, (name_of(session), bytes));
        Ok(Self::assemble(files))
    }

    /// A run from files in memory, each with its path. The first one is the session file, which tells the
    /// format. Of the others of Claude Code's, the `agent-*.jsonl` are its subagent files, taken in byte order of their paths, and the
    /// `agent-*.meta.json` belong to those; any other (`journal.jsonl`) is ignored.
    #[must_use]
    pub fn from_bytes(files: Vec<(String, Vec<u8>)>) -> Self {
        if files.first().is_some_and(|(_, bytes)| format_of(bytes) == Format::Codex) {
            return Self::rollouts(files);
        }
        let mut files = files.into_iter();
        let session = files.next();
        let mut others: Vec<_> = files.collect();
        others.sort_by(|(left, _), (right, _)| left.as_bytes().cmp(right.as_bytes()));
        Self::assemble(session.into_iter().chain(others).collect())
    }

    /// Reads a rollout file and those of its folder that belong to it.
    fn of_rollout(session: &Path, bytes: Vec<u8>) -> Result<Self, OracleError> {
        let folder =
            session.parent().filter(|path| path != &Path::new("")).unwrap_or(Path::new("."));
        let mut paths = entries(folder)?;
        paths.retain(|path| codex::is_rollout(&name_of(path)) && path.is_file());
        let mut files = vec![(name_of(session), bytes)];
        for path in one_path_a_file(session, paths)? {
            files.push((name_of(&path), read(&path)?));
        }
        Ok(Self::rollouts(files))
    }

    /// A run of Codex CLI's: the first file, and those of the others that belong to it.
    fn rollouts(files: Vec<(String, Vec<u8>)>) -> Self {
        let files = codex::of_run(files).into_iter();
        let transcripts = files.map(|(agent, bytes)| TranscriptFile { agent, bytes }).collect();
        Self { format: Format::Codex, transcripts, launching_calls: BTreeMap::new() }
    }

    fn assemble(files: Vec<(String, Vec<u8>)>) -> Self {
        let mut run = Self::default();
        for (name, bytes) in files {
            let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
            if run.transcripts.is_empty() {
                run.transcripts.push(TranscriptFile { agent: None, bytes });
            } else if let Some(agent) = agent_of(base, ".jsonl") {
                run.transcripts.push(TranscriptFile { agent: Some(agent), bytes });
            } else if let Some((agent, call)) = agent_of(base, ".meta.json").zip(launcher(&bytes)) {
                run.launching_calls.entry(agent).or_insert(call);
            }
        }
        run
    }
}

/// X of a file name `agent-X` plus the ending.
fn agent_of(name: &str, ending: &str) -> Option<String> {
    name.strip_prefix("agent-")?.strip_suffix(ending).map(str::to_owned)
}

/// `toolUseId` of an `agent-X.meta.json`.
fn launcher(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    let (value, _) = first_value(text).filter(|(_, length)| *length == text.len())?;
    Node::new(text, &value).id("toolUseId")
}

/// "A file that two paths lead to is one file (its first path in byte order stands)." The session file is
/// read first, so its own path stands for it.
fn one_path_a_file(session: &Path, mut paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, OracleError> {
    paths.sort_by(|left, right| name_of(left).as_bytes().cmp(name_of(right).as_bytes()));
    let mut known = BTreeSet::from([place(session)?]);
    let mut found = Vec::new();
    for path in paths {
        if known.insert(place(&path)?) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Where a path leads to, all links followed.
fn place(path: &Path) -> Result<PathBuf, OracleError> {
    fs::canonicalize(path).map_err(|source| OracleError::Read { path: path.to_owned(), source })
}

/// "Every `agent-*.jsonl` at any depth below `<session>/subagents/`." "Links are followed; [...] a link back
/// to a folder that is being walked ends there": `walked` are those.
fn below(folder: &Path, walked: &mut Vec<PathBuf>) -> Result<Vec<PathBuf>, OracleError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let here = place(folder)?;
    if walked.contains(&here) {
        return Ok(Vec::new());
    }
    walked.push(here);
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(below(&path, walked)?);
        } else if is_subagent_file(&path) {
            found.push(path);
        }
    }
    walked.pop();
    Ok(found)
}

/// "Each `agent-*.jsonl` in the session file's own folder or in a `subagents` folder beside it whose
/// first `sessionId` is one of the session's names": its file's stem, and the first `sessionId` in it.
fn beside(session: &Path, bytes: &[u8]) -> Result<Vec<PathBuf>, OracleError> {
    let folder = session.parent().filter(|path| path != &Path::new("")).unwrap_or(Path::new("."));
    let mut candidates = Vec::new();
    for place in [folder.to_owned(), folder.join("subagents")] {
        for path in entries(&place)? {
            let is_session = place == folder && path.file_name() == session.file_name();
            if !is_session && is_subagent_file(&path) {
                candidates.push(path);
            }
        }
    }
    if candidates.is_empty() {
        return Ok(candidates);
    }
    let stem = session.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let names: Vec<String> = session_id(bytes).into_iter().chain(stem).collect();
    let mut found = Vec::new();
    for path in candidates {
        if session_id(&read(&path)?).is_some_and(|id| names.contains(&id)) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The first `sessionId` that a record of the file names. "A record's `session_id` is its `sessionId` where
/// it has none."
fn session_id(bytes: &[u8]) -> Option<String> {
    let objects = read_lines(bytes, is_record).objects;
    objects.iter().find_map(|object| {
        let record = Node::new(&object.text, &object.value);
        record.string("sessionId").or_else(|| record.id("session_id"))
    })
}

/// The entries of a folder; none where the folder does not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, OracleError> {
    let failed = |source| OracleError::Read { path: folder.to_owned(), source };
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        found.push(entry.map_err(failed)?.path());
    }
    Ok(found)
}

/// Whether the path leads to a file, or to a link that leads to one, with a subagent file's name.
fn is_subagent_file(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| agent_of(name, ".jsonl").is_some()) && path.is_file()
}

fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<Vec<u8>, OracleError> {
    fs::read(path).map_err(|source| OracleError::Read { path: path.to_owned(), source })
}
