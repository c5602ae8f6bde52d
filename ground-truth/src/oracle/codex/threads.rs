//! Which files make a run.
//!
//! `docs/formats/codex.md`, "Thread".

use std::path::Path;

use super::record::{Record, id_of, read};

/// What a file says of its thread.
struct Thread {
    id: Option<String>,
    parent: Option<String>,
}

/// The run's files among some: the first is its main thread's, and each of the others belongs to it whose first
/// record "is a `session_meta` that names a thread id of the run as its parent, and theirs in turn, in byte order
/// of their paths". "A file of another name is a run by itself." Each with its agent and its bytes.
pub(crate) fn of_run(mut files: Vec<(String, Vec<u8>)>) -> Vec<(Option<String>, Vec<u8>)> {
    if files.is_empty() {
        return Vec::new();
    }
    let (path, main) = files.remove(0);
    if !is_rollout(&path) {
        return vec![(None, main)];
    }
    files.retain(|(path, _)| is_rollout(path));
    files.sort_by(|(left, _), (right, _)| left.as_bytes().cmp(right.as_bytes()));
    let threads: Vec<Thread> = files.iter().map(|(_, bytes)| thread(bytes)).collect();
    let mut ids: Vec<String> = thread(&main).id.into_iter().collect();
    let mut is_in_run = vec![false; files.len()];
    loop {
        let names_parent = |at: &usize| {
            let parent = threads[*at].parent.as_ref();
            !is_in_run[*at] && parent.is_some_and(|parent| ids.contains(parent))
        };
        let Some(found) = (0..files.len()).find(names_parent) else { break };
        is_in_run[found] = true;
        ids.extend(threads[found].id.clone());
    }
    let agents = files.into_iter().zip(threads).zip(is_in_run).filter(|(_, is_in_run)| *is_in_run);
    let agents = agents.map(|(((_, bytes), thread), _)| (thread.id, bytes));
    std::iter::once((None, main)).chain(agents).collect()
}

/// Whether a path is a rollout file's: `rollout-*.jsonl`.
pub(crate) fn is_rollout(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.starts_with("rollout-") && Path::new(name).extension() == Some("jsonl".as_ref())
}

fn thread(bytes: &[u8]) -> Thread {
    let records = read(bytes, 0, None).records;
    let first = records.first().filter(|record| record.kind() == "session_meta");
    Thread { id: id_of(&records), parent: first.and_then(parent) }
}

/// "The parent is `parent_thread_id`, else `source.subagent.thread_spawn.parent_thread_id`."
fn parent(meta: &Record) -> Option<String> {
    let spawn = || {
        let source = meta.payload()?.get("source")?;
        source.get("subagent")?.get("thread_spawn")?.id("parent_thread_id")
    };
    meta.id("parent_thread_id").or_else(spawn)
}
