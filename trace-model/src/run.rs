//! A run: a session's files, read and folded together, once or as they grow; and its snapshot, from
//! which a followed run goes on after a restart.

mod folder;

pub use folder::Folder;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::adapter::claude_code::FileRole;
use crate::adapter::claude_code::run::{Finder, RunFile};
use crate::adapter::{Format, FormatSupport, Recognised, recognise};
use crate::event::Record;
use crate::fold::{FoldConfig, RunState};
use crate::ledger::{LedgerError, LedgerFile};
use crate::reader::{Change, FollowError, Followed, ReadStats, ResumeToken, TranscriptReader};
use crate::walk::WalkError;
use crate::whole::write_whole;

/// The version of the snapshot's schema.
const SNAPSHOT_VERSION: u32 = 2;

/// A run that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is no such file.
    #[error("{0}: no such file; name a transcript, or a folder that holds some")]
    NotFound(PathBuf),
    /// The path names a folder.
    #[error("{0} is a folder; name one of the transcripts in it")]
    IsFolder(PathBuf),
    /// The file has no bytes.
    #[error("{0} is empty: there is nothing to fold yet")]
    Empty(PathBuf),
    /// Another agent wrote it.
    #[error(
        "{path} looks like a {format} transcript, which this version does not read; `tracefold formats` lists what it reads"
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
    },
    /// Its records fit several formats.
    #[error(
        "{path} may be a {formats} transcript: none of its first records tells which, so it is not read"
    )]
    Doubtful {
        /// The file.
        path: PathBuf,
        /// The formats' names.
        formats: String,
    },
    /// No record in its head is one of a known format.
    #[error(
        "{0} is not a transcript: none of its first lines is a record that tracefold knows; `tracefold formats` lists what it reads"
    )]
    NotATranscript(PathBuf),
    /// It could not be read.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// One of its files could not be found or read.
    #[error(transparent)]
    Files(#[from] WalkError),
    /// Its ledger could not be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A file could not be read or written.
    #[error("cannot use {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A snapshot cannot be read.
    #[error("the snapshot {path} cannot be used: {reason}; delete it to read the transcript anew")]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Checks that a file is a transcript that can be read.
pub fn check(path: &Path) -> Result<Format, RunError> {
    let io = |source| RunError::Io { path: path.to_owned(), source };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(RunError::NotFound(path.to_owned()));
        }
        Err(source) => return Err(io(source)),
    };
    if file.metadata().map_err(io)?.is_dir() {
        return Err(RunError::IsFolder(path.to_owned()));
    }
    let mut read = 0;
    let recognised = recognise(Counted { file: &mut file, read: &mut read }).map_err(io)?;
    if read == 0 {
        return Err(RunError::Empty(path.to_owned()));
    }
    match recognised {
        Recognised::As(format) if format.support() == FormatSupport::Full => Ok(format),
        Recognised::As(other) => {
            Err(RunError::OtherFormat { path: path.to_owned(), format: other.name() })
        }
        Recognised::Doubtful(formats) => {
            let names: Vec<&str> = formats.into_iter().map(Format::name).collect();
            Err(RunError::Doubtful { path: path.to_owned(), formats: names.join(" or ") })
        }
        Recognised::Unknown => Err(RunError::NotATranscript(path.to_owned())),
    }
}

/// A file, and how much was read of it: whether it is empty is known without asking twice.
struct Counted<'a> {
    file: &'a mut File,
    read: &'a mut u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        *self.read += read as u64;
        Ok(read)
    }
}

/// Folds a finished run whose files are in memory, the session's first.
pub fn fold_bytes<'a>(
    files: impl IntoIterator<Item = (FileRole, &'a [u8])>,
    config: FoldConfig,
) -> (RunState, ReadStats) {
    let mut state = RunState::new(config);
    let mut reading = ReadStats::default();
    for (role, bytes) in files {
        let mut reader = TranscriptReader::new(role);
        reader.feed(bytes, |record| state.apply(record));
        reader.finish(|record| state.apply(record));
        reading.add(reader.stats());
    }
    (state, reading)
}

/// What a look at a run's files found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunChange {
    /// This many bytes were read, of files known before and new ones.
    Read(u64),
    /// A file is no longer what it was, so everything is read anew.
    StartedOver {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        change: Change,
    },
    /// The session's file is gone; the state is that of the last look.
    Gone,
}

/// Looks on while a run is folded: for what a reader of the run needs and the fold does not keep.
pub trait Witness {
    /// The record is about to be folded in; it stands in the run's file of this index, 0 being the
    /// session's.
    fn before(&mut self, _state: &RunState, _record: &Record<'_>, _file: u32) {}
    /// The record was folded in.
    fn after(&mut self, _state: &RunState, _record: &Record<'_>, _file: u32) {}
}

/// Nobody looks on.
impl Witness for () {}

/// A run and its state.
#[derive(Debug)]
pub struct Run {
    session: PathBuf,
    state: RunState,
    files: Vec<Followed>,
    roles: Vec<RunFile>,
    finder: Finder,
    ledger: Option<LedgerFile>,
}

#[derive(Serialize, Deserialize)]
struct Snapshot {
    version: u32,
    session: PathBuf,
    /// Events in the ledger beside it, if one is kept.
    ledger_events: Option<u64>,
    files: Vec<SnapshotFile>,
    state: RunState,
}

#[derive(Serialize, Deserialize)]
struct SnapshotFile {
    path: PathBuf,
    token: ResumeToken,
    stats: ReadStats,
}

impl Run {
    /// A run that nothing was read of yet.
    pub fn new(session: &Path, config: FoldConfig) -> Self {
        Self {
            session: session.to_owned(),
            state: RunState::new(config),
            files: Vec::new(),
            roles: Vec::new(),
            finder: Finder::default(),
            ledger: None,
        }
    }

    /// Reads and folds a finished run in one go.
    pub fn fold(session: &Path, config: FoldConfig) -> Result<Self, RunError> {
        check(session)?;
        let mut run = Self::new(session, config);
        run.poll()?;
        run.finish();
        Ok(run)
    }

    /// The same run with its ledger written to a file.
    pub fn with_ledger(mut self, path: &Path) -> Result<Self, RunError> {
        self.ledger = Some(LedgerFile::create(path)?);
        Ok(self)
    }

    /// Reads what was appended to the run's files, and the subagents' files that are new.
    pub fn poll(&mut self) -> Result<RunChange, RunError> {
        self.poll_with(&mut ())
    }

    /// As [`Run::poll`], with a witness. When the run starts over, so has the witness to.
    pub fn poll_with(&mut self, witness: &mut impl Witness) -> Result<RunChange, RunError> {
        for file in self.finder.files(&self.session)? {
            match self.roles.iter().position(|known| known.path == file.path) {
                Some(at) if self.roles[at].role != file.role => {
                    self.files[at].set_role(file.role.clone());
                    self.roles[at] = file;
                }
                Some(_) => {}
                None => {
                    self.files.push(Followed::from_start(&file.path, file.role.clone()));
                    self.roles.push(file);
                }
            }
        }
        let Self { state, files, ledger, .. } = self;
        let mut read = 0;
        for (at, file) in (0..).zip(files) {
            let change = file.poll(|record| {
                if let Some(ledger) = ledger {
                    ledger.append(record, at);
                }
                witness.before(state, record, at);
                state.apply(record);
                witness.after(state, record, at);
            })?;
            match change {
                Change::Appended(bytes) => read += bytes,
                Change::Gone if at == 0 => return Ok(RunChange::Gone),
                Change::None | Change::Gone => {}
                Change::Truncated | Change::Replaced => {
                    let path = file.path().to_owned();
                    self.start_over()?;
                    return Ok(RunChange::StartedOver { path, change });
                }
            }
        }
        Ok(RunChange::Read(read))
    }

    /// Takes complete last lines without a line feed as read: for a run that nobody writes.
    pub fn finish(&mut self) {
        self.finish_with(&mut ());
    }

    /// As [`Run::finish`], with a witness.
    pub fn finish_with(&mut self, witness: &mut impl Witness) {
        let Self { state, files, ledger, .. } = self;
        for (at, file) in (0..).zip(files) {
            file.finish(|record| {
                if let Some(ledger) = ledger {
                    ledger.append(record, at);
                }
                witness.before(state, record, at);
                state.apply(record);
                witness.after(state, record, at);
            });
        }
    }

    /// Whether one of its files ends in a complete record without a line feed. While the run is followed,
    /// such a record is not folded: what is written next may go on with its line.
    pub fn ends_in_a_record(&self) -> bool {
        self.files.iter().any(Followed::ends_in_a_record)
    }

    /// The run as it is if nothing more is written: with such records, and without a ledger. The run
    /// itself goes on without them, so none is ever counted twice.
    #[must_use]
    pub fn settled_with(&self, witness: &mut impl Witness) -> Self {
        let mut settled = Self {
            session: self.session.clone(),
            state: self.state.clone(),
            files: self.files.clone(),
            roles: self.roles.clone(),
            finder: Finder::default(),
            ledger: None,
        };
        settled.finish_with(witness);
        settled
    }

    /// Writes the ledger out, if one is kept; reports the first failure of a write to it.
    pub fn sync_ledger(&mut self) -> Result<(), RunError> {
        self.ledger.as_mut().map(LedgerFile::sync).transpose()?;
        Ok(())
    }

    fn start_over(&mut self) -> Result<(), RunError> {
        self.state = RunState::new(self.state.config().clone());
        self.files.clear();
        self.roles.clear();
        if let Some(ledger) = &mut self.ledger {
            ledger.restart()?;
        }
        Ok(())
    }

    /// The state.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The state, to tell it the time.
    pub fn state_mut(&mut self) -> &mut RunState {
        &mut self.state
    }

    /// The session's file.
    pub fn session(&self) -> &Path {
        &self.session
    }

    /// The run's files and what reading each came across.
    pub fn readings(&self) -> impl Iterator<Item = (&RunFile, &ReadStats)> {
        self.roles.iter().zip(self.files.iter().map(|file| file.reader().stats()))
    }

    /// What reading all of them came across.
    pub fn reading(&self) -> ReadStats {
        let mut all = ReadStats::default();
        self.readings().for_each(|(_, stats)| all.add(stats));
        all
    }

    /// Saves the run so that [`Run::resume`] can go on with it; the file is replaced as a whole.
    pub fn save(&mut self, path: &Path) -> Result<(), RunError> {
        let ledger_events = self.ledger.as_mut().map(LedgerFile::sync).transpose()?;
        let snapshot = SnapshotRef {
            version: SNAPSHOT_VERSION,
            session: &self.session,
            ledger_events,
            files: (self.files.iter())
                .map(|file| SnapshotFile {
                    path: file.path().to_owned(),
                    token: file.reader().token(),
                    stats: file.reader().stats().clone(),
                })
                .collect(),
            state: &self.state,
        };
        let io = |source| RunError::Io { path: path.to_owned(), source };
        let json = serde_json::to_vec(&snapshot).map_err(|error| RunError::Snapshot {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        write_whole(path, &json).map_err(io)
    }

    /// Goes on with a saved run. A file that is no longer what it was makes it start over, which is
    /// reported.
    pub fn resume(
        snapshot: &Path,
        ledger: Option<&Path>,
    ) -> Result<(Self, Option<RunChange>), RunError> {
        let unusable = |reason: String| RunError::Snapshot { path: snapshot.to_owned(), reason };
        let bytes = fs::read(snapshot)
            .map_err(|source| RunError::Io { path: snapshot.to_owned(), source })?;
        let version: VersionOnly =
            serde_json::from_slice(&bytes).map_err(|error| unusable(error.to_string()))?;
        if version.version != SNAPSHOT_VERSION {
            return Err(unusable(format!(
                "its schema is version {}, this program's is {SNAPSHOT_VERSION}",
                version.version
            )));
        }
        let saved: Snapshot =
            serde_json::from_slice(&bytes).map_err(|error| unusable(error.to_string()))?;
        let mut run = Self::new(&saved.session, saved.state.config().clone());
        run.ledger = match (ledger, saved.ledger_events) {
            (Some(path), Some(events)) => Some(LedgerFile::resume(path, events)?),
            (Some(_), None) => return Err(unusable("no ledger was kept with it".to_owned())),
            (None, _) => None,
        };
        let known = run.finder.files(&saved.session)?;
        for file in saved.files {
            let Some(role) = known.iter().find(|known| known.path == file.path) else {
                // A subagent's file that is gone takes nothing back.
                continue;
            };
            match Followed::resume(&file.path, role.role.clone(), &file.token, file.stats)? {
                Ok(followed) => {
                    run.files.push(followed);
                    run.roles.push(role.clone());
                }
                Err(change) => {
                    run.start_over()?;
                    return Ok((run, Some(RunChange::StartedOver { path: file.path, change })));
                }
            }
        }
        run.state = saved.state;
        Ok((run, None))
    }
}

/// [`Snapshot`] as it is written.
#[derive(Serialize)]
struct SnapshotRef<'a> {
    version: u32,
    session: &'a Path,
    ledger_events: Option<u64>,
    files: Vec<SnapshotFile>,
    state: &'a RunState,
}

#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}
