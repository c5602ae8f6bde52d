//! Which files make up one run: the session's and its subagents', in the older layout (beside the
//! session) and the newer one (below `<session>/subagents/`).

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::adapter::boundary::{FileRole, RunFile};
use crate::adapter::heads::Heads;
use crate::walk::{self, Listing, Visited, WalkError};

/// How much of a file is read first to learn whose session it belongs to.
const HEAD_BYTES: u64 = 64 * 1024;
/// How much is read of it in the end: its first line may be long.
const LONGEST_HEAD: u64 = 64 * 1024 * 1024;

/// The files of the run whose session file is `session`, in the order in which they are folded. `own` is the
/// role of a session's own file.
pub(super) fn files(
    session: &Path,
    own: &FileRole,
    heads: &Heads,
) -> Result<Vec<RunFile>, WalkError> {
    let own_role = role(session, None, own);
    let mut paths = Vec::new();
    if own_role.agent.is_none() {
        paths = all(agents_of(session)?)?;
        paths.extend(claimed(session, own, heads)?);
        paths.sort_by(|a, b| bytes(a).cmp(bytes(b)));
    }
    let mut met = Visited::default();
    let mut files = vec![RunFile { path: session.to_owned(), role: own_role }];
    for path in paths.into_iter().filter(|path| met.insert(path)) {
        let meta = head(&description_of(&path), HEAD_BYTES).ok();
        files.push(RunFile { role: role(&path, meta.as_deref(), own), path });
    }
    Ok(files)
}

/// The file that describes an agent's transcript.
pub(super) fn description_of(transcript: &Path) -> PathBuf {
    transcript.with_extension("meta.json")
}

/// The agents' files beside a session that name it.
fn claimed(session: &Path, own: &FileRole, heads: &Heads) -> Result<Vec<PathBuf>, WalkError> {
    let folder = folder_of(session);
    let candidates = heads.beside(own.adapter.format(), folder, || all(agents_beside(folder)?))?;
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let stem = session.file_stem().and_then(OsStr::to_str).map(str::to_owned);
    let names: Vec<String> = stem.into_iter().chain(session_id(session, heads)?).collect();
    let mut claimed = Vec::new();
    for candidate in candidates.iter() {
        if session_id(candidate, heads)?.is_some_and(|id| names.contains(&id)) {
            let plain = candidate.strip_prefix("./").map(Path::to_owned);
            claimed.push(plain.unwrap_or_else(|_| candidate.clone()));
        }
    }
    Ok(claimed)
}

/// The first session id in the head of a file.
fn session_id(path: &Path, heads: &Heads) -> Result<Option<String>, WalkError> {
    heads.get(path, || {
        let mut size = HEAD_BYTES;
        loop {
            let head = head(path, size)?;
            let id = session_id_in(&head);
            if id.is_some() || (head.len() as u64) < size || size >= LONGEST_HEAD {
                return Ok(id);
            }
            size *= 2;
        }
    })
}

/// What a record says of its session.
#[derive(Deserialize)]
struct OfSession<'a> {
    #[serde(borrow, rename = "sessionId")]
    stored: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "session_id")]
    printed: Option<Cow<'a, str>>,
}

fn session_id_in(head: &[u8]) -> Option<String> {
    head.split(|byte| *byte == b'\n').find_map(|line| {
        let line = String::from_utf8_lossy(line);
        let records = serde_json::Deserializer::from_str(&line).into_iter::<OfSession<'_>>();
        let named = |record: OfSession<'_>| record.stored.or(record.printed).map(Cow::into_owned);
        records.map_while(Result::ok).find_map(named)
    })
}

/// The subagents' files below a folder; none if it does not exist.
fn agents_below(folder: &Path) -> Result<Listing, WalkError> {
    if folder.is_dir() { walk::below(folder, is_agent) } else { Ok(Listing::default()) }
}

/// The subagents' files in a session's own folder of them.
pub(super) fn agents_of(session: &Path) -> Result<Listing, WalkError> {
    agents_below(&session.with_extension("").join("subagents"))
}

/// The subagents' files beside the sessions of a folder: their content says whose each is.
pub(super) fn agents_beside(folder: &Path) -> Result<Listing, WalkError> {
    let mut beside = walk::within(folder, is_agent)?;
    let below = agents_below(&folder.join("subagents"))?;
    beside.files.extend(below.files);
    beside.unreadable.extend(below.unreadable);
    Ok(beside)
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The agent whose transcript a path names: X of `agent-X.jsonl`.
pub(super) fn agent_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    (!id.is_empty()).then(|| id.to_owned())
}

fn is_agent(path: &Path) -> bool {
    agent_of(path).is_some()
}

/// Whether a file may be a session's: every `*.jsonl` that is neither a subagent's nor a journal.
pub(super) fn is_session(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("jsonl"))
        && path.file_stem() != Some(OsStr::new("journal"))
        && !is_agent(path)
}

/// A run is read as a whole or not at all.
fn all(walked: Listing) -> Result<Vec<PathBuf>, WalkError> {
    match walked.unreadable.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(walked.files),
    }
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

fn head(path: &Path, size: u64) -> Result<Vec<u8>, WalkError> {
    let mut head = Vec::new();
    File::open(path)
        .and_then(|file| file.take(size).read_to_end(&mut head))
        .map_err(|source| WalkError { path: path.to_owned(), source })?;
    Ok(head)
}

/// Whose file a path is, given the bytes of the `agent-X.meta.json` beside it, if there are any.
pub(super) fn role(path: &Path, meta: Option<&[u8]>, own: &FileRole) -> FileRole {
    let launched_by = meta.and_then(|meta| {
        let meta: Value = serde_json::from_slice(meta).ok()?;
        let call = meta.get("toolUseId")?.as_str()?;
        (!call.is_empty()).then(|| call.to_owned())
    });
    FileRole { agent: agent_of(path), launched_by, ..own.clone() }
}
