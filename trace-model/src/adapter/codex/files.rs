//! Where rollouts lie, and which of them make up a run: a thread's, and those of the threads that it spawned.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use crate::adapter::boundary::{FileRole, RunFile};
use crate::adapter::heads::Heads;
use crate::adapter::lenient::{Field, ObjectOnly, lenient_object};
use crate::walk::{self, Visited, WalkError};

/// How much of a first line is read: it holds the client's instructions.
const LONGEST_HEAD: u64 = 4 * 1024 * 1024;
/// What stands between a thread's id and its parent's in what is remembered of a head.
const BETWEEN: char = '\u{1f}';

/// Whether a file is a rollout, by its name.
pub(super) fn is_rollout(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("rollout-") && path.extension().is_some_and(|ending| ending == "jsonl")
}

/// The files of the run whose own thread `session` holds, in the order in which they are folded.
/// `own` is the role of the session's file.
pub(super) fn files(
    session: &Path,
    own: &FileRole,
    heads: &Heads,
) -> Result<Vec<RunFile>, WalkError> {
    let mut files = vec![RunFile { path: session.to_owned(), role: own.clone() }];
    if !is_rollout(session) {
        return Ok(files);
    }
    let Some((thread, _)) = head(session, heads)? else { return Ok(files) };
    let mut others = spawned(session, own, heads)?;
    let mut met = Visited::default();
    met.insert(session);
    let mut threads = vec![thread];
    let mut agents: Vec<(PathBuf, String)> = Vec::new();
    while let Some(thread) = threads.pop() {
        let (children, rest) = others.into_iter().partition(|other| other.parent == thread);
        others = rest;
        for Spawned { path, thread, .. } in children {
            if met.insert(&path) {
                threads.push(thread.clone());
                agents.push((path, thread));
            }
        }
    }
    agents.sort();
    files.extend(
        agents
            .into_iter()
            .map(|(path, agent)| RunFile { path, role: own.clone().of_agent(&agent) }),
    );
    Ok(files)
}

/// A rollout of a thread that another spawned.
struct Spawned {
    path: PathBuf,
    thread: String,
    parent: String,
}

/// The rollouts beside a session that name a parent.
fn spawned(session: &Path, own: &FileRole, heads: &Heads) -> Result<Vec<Spawned>, WalkError> {
    let folder = folder_of(session);
    let list = || Ok(walk::within(folder, is_rollout)?.files);
    let mut spawned = Vec::new();
    for path in heads.beside(own.adapter.format(), folder, list)?.iter() {
        if let Some((thread, Some(parent))) = head(path, heads)? {
            let path = path.strip_prefix("./").unwrap_or(path).to_owned();
            spawned.push(Spawned { path, thread, parent });
        }
    }
    Ok(spawned)
}

lenient_object! {
    /// A first record.
    First {
        "type" => kind: Field<Cow<'de, str>>,
        "payload" => payload: ObjectOnly<Description<'de>>,
    }
}

lenient_object! {
    /// What a thread says of itself.
    Description {
        "id" => id: Field<Cow<'de, str>>,
        "parent_thread_id" => parent: Field<Cow<'de, str>>,
        "source" => source: ObjectOnly<Origin<'de>>,
    }
}

lenient_object! {
    /// `source` where it is an object.
    Origin { "subagent" => subagent: ObjectOnly<Subagent<'de>> }
}

lenient_object! {
    /// `source.subagent` where it is an object.
    Subagent { "thread_spawn" => spawn: ObjectOnly<Spawn<'de>> }
}

lenient_object! {
    /// `source.subagent.thread_spawn`.
    Spawn { "parent_thread_id" => parent: Field<Cow<'de, str>> }
}

/// The id of a rollout's thread, and of the one that spawned it, as its first record states them.
fn head(path: &Path, heads: &Heads) -> Result<Option<(String, Option<String>)>, WalkError> {
    let said = heads.get(path, || {
        let line =
            first_line(path).map_err(|source| WalkError { path: path.to_owned(), source })?;
        Ok(describe(&String::from_utf8_lossy(&line)))
    })?;
    Ok(said.map(|said| apart(&said)))
}

/// The thread's id and its parent's, out of what is remembered of a head.
fn apart(said: &str) -> (String, Option<String>) {
    match said.split_once(BETWEEN) {
        Some((thread, parent)) => (thread.to_owned(), Some(parent.to_owned())),
        None => (said.to_owned(), None),
    }
}

fn first_line(path: &Path) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    BufReader::new(File::open(path)?.take(LONGEST_HEAD)).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The thread whose rollout a file is, if another spawned it whose rollout lies beside it: it is a part of
/// that one's run.
pub(super) fn agent_of(path: &Path, heads: &Heads) -> Option<String> {
    if !is_rollout(path) {
        return None;
    }
    let (thread, parent) = head(path, heads).ok()??;
    let ending = format!("-{}.jsonl", parent.filter(|parent| *parent != thread)?);
    let beside = folder_of(path).read_dir().ok()?.flatten();
    let is_parent = |name: &str| name.starts_with("rollout-") && name.ends_with(&ending);
    let mut names = beside.map(|entry| entry.file_name());
    names.any(|name| name.to_str().is_some_and(is_parent)).then_some(thread)
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn describe(line: &str) -> Option<String> {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let mut records = serde_json::Deserializer::from_str(line).into_iter::<Field<First<'_>>>();
    let first = records.next()?.ok()?.value?;
    let description =
        first.payload.0.filter(|_| first.kind.value.as_deref() == Some("session_meta"))?;
    let stated = |id: Option<Cow<'_, str>>| id.filter(|id| !id.is_empty()).map(Cow::into_owned);
    let thread = stated(description.id.value)?;
    let spawn = || description.source.0?.subagent.0?.spawn.0?.parent.value;
    let parent = stated(description.parent.value).or_else(|| stated(spawn()));
    Some(parent.map_or(thread.clone(), |parent| format!("{thread}{BETWEEN}{parent}")))
}
