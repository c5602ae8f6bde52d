//! The cache of folded sessions: all rows in one file, and one state file per session that still grows.
//! A row is valid for the stamp it was made at; a state is checked against the file's fingerprint before
//! it is resumed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::{Deserialize, Serialize};
use trace_model::fold::FoldConfig;
use trace_model::ids::{Millis, Sha256};
use trace_model::run::{Run, RunChange};
use trace_model::whole::write_whole;

use super::candidates::{LastEvents, of_file};
use super::row::{Row, name};

/// The version of the file of rows.
const VERSION: u32 = 4;
/// States are kept of sessions that were written within this time, in milliseconds: others do not
/// grow any more, and their row is enough.
const STATE_KEPT: i64 = 48 * 3600 * 1000;

/// A cache that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the cache {path}: {source}; name another folder with --cache-dir")]
pub struct CacheError {
    /// The folder.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// The cache of one configuration.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    config: FoldConfig,
    /// The digest of the configuration: rows and states of another one are not ours.
    digest: String,
}

#[derive(Deserialize)]
struct RowsFile {
    version: u32,
    config: String,
    program: String,
    rows: Vec<Row>,
    lasts: LastEvents,
}

#[derive(Serialize)]
struct RowsFileRef<'a> {
    version: u32,
    config: &'a str,
    program: &'a str,
    rows: Vec<&'a Row>,
    lasts: &'a LastEvents,
}

impl Cache {
    /// The folder in which caches are kept where none is named.
    pub fn default_folder() -> Option<PathBuf> {
        let set =
            |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
        base.map(|base| base.join("tracefold"))
    }

    /// Opens a cache, and makes its folder, for this user alone.
    pub fn open(folder: &Path, config: FoldConfig) -> Result<Self, CacheError> {
        let at = |source| CacheError { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(at)?;
        private(folder).map_err(at)?;
        let json = serde_json::to_string(&config).map_err(|error| at(error.into()))?;
        Ok(Self { folder: folder.to_owned(), config, digest: Sha256::of(&json).short() })
    }

    /// How sessions are folded.
    pub fn config(&self) -> &FoldConfig {
        &self.config
    }

    /// The cached rows by path, and the sessions' last events. A file that cannot be used is ignored and
    /// rewritten.
    pub fn kept(&self) -> (BTreeMap<PathBuf, Row>, LastEvents) {
        let rows = fs::read(self.rows_file())
            .ok()
            .and_then(|bytes| serde_json::from_slice::<RowsFile>(&bytes).ok());
        let ours = |rows: &RowsFile| {
            rows.version == VERSION && rows.config == self.digest && rows.program == program()
        };
        let Some(kept) = rows.filter(ours) else { return Default::default() };
        let rows = kept.rows.into_iter().map(|row| (row.path.clone(), row)).collect();
        (rows, kept.lasts)
    }

    /// Saves rows and the sessions' last events.
    pub fn keep<'a>(
        &self,
        rows: impl Iterator<Item = &'a Row>,
        lasts: &LastEvents,
    ) -> Result<(), CacheError> {
        let rows = RowsFileRef {
            version: VERSION,
            config: &self.digest,
            program: program(),
            rows: rows.collect(),
            lasts,
        };
        let at = |source| CacheError { path: self.folder.clone(), source };
        let json = serde_json::to_vec(&rows).map_err(|error| at(error.into()))?;
        write_whole(&self.rows_file(), &json).map_err(at)
    }

    /// A run of which nothing was read yet; resumed from its cached state, if there is one.
    pub(super) fn run(
        &self,
        fresh: Run,
        modified: Millis,
        now: Millis,
    ) -> Result<Run, trace_model::run::RunError> {
        let state = self.state_file(fresh.session());
        let resumed = Run::resume(&state, None).ok();
        let resumed = resumed.filter(|(run, _)| run.session() == fresh.session());
        let mut run = resumed.map_or(fresh, |(run, _)| run);
        while let RunChange::StartedOver { .. } = run.poll()? {}
        if is_old(modified, now) {
            let _ = fs::remove_file(&state);
        } else {
            // A state that cannot be kept costs time, nothing else.
            let _ = run.save(&state);
        }
        // After the state was saved: a last line that is continued later is then read as a whole.
        run.finish();
        Ok(run)
    }

    /// Removes the states of sessions that have not grown for so long that they are not kept any more, or
    /// are gone: nobody comes back to remove those.
    pub(super) fn remove_old_states(&self, now: Millis) {
        // What cannot be listed or removed costs space, nothing else.
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let is_state = entry.file_name().to_str().is_some_and(is_state);
            if is_state && of_file(&entry.path()).is_ok_and(|it| is_old(it.modified, now)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn rows_file(&self) -> PathBuf {
        self.folder.join(format!("rows-{}.json", self.digest))
    }

    fn state_file(&self, path: &Path) -> PathBuf {
        self.folder.join(format!("{}-{}.json", name(path), self.digest))
    }
}

/// Whether a file has a name that [`Cache::state_file`] gives, under any configuration. A folder that the
/// user named may hold other files.
fn is_state(file: &str) -> bool {
    let digest = |text: &str| text.len() == 16 && text.bytes().all(|it| it.is_ascii_hexdigit());
    file.strip_suffix(".json")
        .and_then(|it| it.split_once('-'))
        .is_some_and(|(session, config)| digest(session) && digest(config))
}

/// Whether a file last written then has stopped growing.
fn is_old(modified: Millis, now: Millis) -> bool {
    now.0.saturating_sub(modified.0) >= STATE_KEPT
}

/// The program that made the rows: another version may count otherwise.
fn program() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[cfg(unix)]
fn private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn private(_folder: &Path) -> io::Result<()> {
    Ok(())
}
