//! Scans all sessions: reuses the rows of unchanged ones and folds the others, most recent first, on a few
//! threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use cli_support::parallel;
use trace_model::adapter::Heads;
use trace_model::ids::Millis;
use trace_model::run::{Run, RunError};
use trace_model::walk::WalkError;

use super::cache::Cache;
use super::candidates::{Candidate, LastEvents, Stamp, Told, candidates};
use super::row::{Content, Row, SessionSummary, Unreadable};
use crate::fault::{self, FAULT, caught};

/// The sessions below some folders.
#[derive(Debug)]
pub struct Scan {
    folders: Vec<PathBuf>,
    limit: Option<usize>,
    cache: Option<Cache>,
    config: trace_model::fold::FoldConfig,
    known: BTreeMap<PathBuf, Row>,
    lasts: LastEvents,
    /// On how many threads sessions are folded; one per processor if none is given.
    jobs: Option<NonZeroUsize>,
    /// Whether old states were removed from the cache; once per process is enough.
    is_tidy: bool,
}

/// What a scan found.
#[derive(Debug, Clone, Default)]
pub struct Scanned {
    /// The rows, most recent event first.
    pub rows: Vec<Row>,
    /// All sessions found; the rows may be only some of them.
    pub sessions: u64,
    /// How many rows had to be read now.
    pub read: u64,
}

/// The folders' names, as they are shown.
pub fn names(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    names.join(" and ")
}

impl Scan {
    /// Looks below these folders, at the `limit` most recent sessions.
    pub fn new(
        folders: Vec<PathBuf>,
        limit: Option<usize>,
        cache: Option<Cache>,
        config: trace_model::fold::FoldConfig,
    ) -> Self {
        let (known, lasts) = cache.as_ref().map(Cache::kept).unwrap_or_default();
        Self { folders, limit, cache, config, known, lasts, jobs: None, is_tidy: false }
    }

    /// The same scan on this many threads.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Self {
        Self { jobs, ..self }
    }

    /// The folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// How sessions are folded.
    pub fn config(&self) -> &trace_model::fold::FoldConfig {
        &self.config
    }

    /// Scans all sessions. Calls `progress` with the rows so far each time a session is read.
    pub fn look(
        &mut self,
        now: Millis,
        mut progress: impl FnMut(&Scanned),
    ) -> Result<Scanned, WalkError> {
        let mut broken = Vec::new();
        let jobs = parallel::threads(self.jobs);
        let mut found = candidates(&self.folders, &mut self.lasts, jobs, |path, reason| {
            broken.push((path, reason));
        })?;
        let sessions = found.len() as u64;
        found.truncate(self.limit.unwrap_or(usize::MAX));
        let mut scanned = Scanned { rows: Vec::with_capacity(found.len()), sessions, read: 0 };
        let mut unread = Vec::new();
        for (at, candidate) in found.iter().enumerate() {
            let known = self.known.get(&candidate.path).filter(|row| row.stamp == candidate.stamp);
            scanned.rows.push(known.cloned().unwrap_or_else(|| {
                unread.push(at);
                // The old data is shown until it is reread.
                let content = self.known.get(&candidate.path).map(|row| row.content.clone());
                Row {
                    path: candidate.path.clone(),
                    stamp: candidate.stamp.clone(),
                    last: candidate.last,
                    content: content.unwrap_or(Content::Waiting),
                }
            }));
        }
        for (path, reason) in broken {
            let stamp = Stamp { bytes: 0, modified: Millis(0), files: 0 };
            let content = Content::Unreadable(Unreadable { reason });
            scanned.rows.push(Row { path, stamp, last: Millis(0), content });
        }
        progress(&scanned);
        self.read(&found, &unread, now, &mut scanned, &mut progress);
        scanned.read = unread.len() as u64;
        self.keep(&scanned, !unread.is_empty());
        self.tidy(now);
        scanned.rows.sort_by_key(|row| std::cmp::Reverse(row.last));
        Ok(scanned)
    }

    fn read(
        &self,
        found: &[Candidate],
        unread: &[usize],
        now: Millis,
        scanned: &mut Scanned,
        progress: &mut impl FnMut(&Scanned),
    ) {
        let heads = self.lasts.heads();
        let fold = |at: &usize| {
            let content = caught(|| self.fold(&found[*at], now, &heads));
            content.unwrap_or_else(|_| Content::Unreadable(Unreadable { reason: FAULT.to_owned() }))
        };
        parallel::as_done(unread, parallel::threads(self.jobs), fold, |at, content| {
            scanned.rows[unread[at]].content = content;
            progress(scanned);
        });
    }

    fn fold(&self, candidate: &Candidate, now: Millis, heads: &Heads) -> Content {
        let Candidate { path, stamp, told, .. } = candidate;
        fault::inject(&path.to_string_lossy());
        let run = match told {
            Told::Unreadable(reason) => {
                return Content::Unreadable(Unreadable { reason: reason.clone() });
            }
            Told::Now(adapter) => Ok(Run::new(*adapter, path, self.config.clone())),
            // It may have become another's.
            Told::Before(_) => Run::open(path, self.config.clone()),
        };
        let run = run.and_then(|run| {
            let mut run = run.with_heads(heads);
            if let Some(cache) = &self.cache {
                return cache.run(run, stamp.modified, now);
            }
            run.poll()?;
            run.finish();
            Ok(run)
        });
        match run {
            Ok(run) if run.reading().known_records > 0 => {
                Content::Folded(Box::new(SessionSummary::of(&run)))
            }
            Ok(_) => Content::Unreadable(Unreadable {
                reason: RunError::NotATranscript(path.clone()).to_string(),
            }),
            Err(error) => Content::Unreadable(Unreadable { reason: error.to_string() }),
        }
    }

    /// Remembers the rows, those of other folders too.
    fn keep(&mut self, scanned: &Scanned, changed: bool) {
        for row in &scanned.rows {
            self.known.insert(row.path.clone(), row.clone());
        }
        if let (Some(cache), true) = (&self.cache, changed || self.lasts.is_new) {
            // Another build of the same version may not panic.
            let rows = self.known.values().filter(|row| row.path.exists() && !is_faulty(row));
            self.lasts.tidy();
            // Rows that cannot be kept cost time, nothing else.
            let _ = cache.keep(rows, &self.lasts);
            self.lasts.is_new = false;
        }
    }

    fn tidy(&mut self, now: Millis) {
        if let (Some(cache), false) = (&self.cache, self.is_tidy) {
            cache.remove_old_states(now);
            self.is_tidy = true;
        }
    }
}

/// Whether a session's row is there to say that reading it panicked.
fn is_faulty(row: &Row) -> bool {
    matches!(&row.content, Content::Unreadable(Unreadable { reason }) if reason == FAULT)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::page::compile;
    use super::*;
    use crate::fault::INJECTED;
    use crate::mask::Mask;

    #[test]
    fn a_panic_over_one_session_leaves_the_rows_of_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let asked = |text: &str| {
            let message = serde_json::json!({"role": "user", "content": text});
            let record = serde_json::json!({"type": "user", "uuid": "u", "sessionId": text, "message": message});
            format!("{record}\n")
        };
        for (name, text) in
            [("good", "Count the widgets."), (INJECTED, "Count."), ("unshown", INJECTED)]
        {
            fs::write(folder.path().join(format!("{name}.jsonl")), asked(text)).unwrap();
        }
        let config = trace_model::fold::FoldConfig::default();
        let mut scan = Scan::new(vec![folder.path().to_owned()], None, None, config);
        let scanned = scan.look(Millis(0), |_| {}).unwrap();
        assert_eq!(scanned.rows.iter().filter(|row| is_faulty(row)).count(), 1);
        assert_eq!(scanned.rows.iter().filter_map(Row::summary).count(), 2);
        let page = compile(scan.folders(), &scanned, Millis(0), &Mask::off());
        let rows: Vec<&str> = page.episodes.iter().map(|unit| &*unit.html).collect();
        let with = |text: &str| rows.iter().filter(|row| row.contains(text)).count();
        assert_eq!((rows.len(), with("Count the widgets."), with(FAULT)), (3, 1, 2));
    }
}
