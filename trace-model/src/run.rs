//! A run: a session's files, read and folded together, once or as they grow; and its snapshot, from which a
//! followed run resumes after a restart.

mod folder;
mod observer;
mod open;
mod snapshot;

pub use folder::{Folder, fold_bytes};
pub use observer::FoldObserver;
use open::begin;
pub use open::{RunError, check};

use std::path::{Path, PathBuf};

use observer::Sink;

use crate::adapter::{AdapterRef, Heads, RunFile};
use crate::extract::Extractions;
use crate::fold::{FoldConfig, RunState};
use crate::ledger::LedgerFile;
use crate::reader::{Begun, Change, Followed, ReadStats};

/// What a look at a run's files found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunChange {
    /// This many bytes were read, of files known before and new ones.
    Read(u64),
    /// A file was replaced, so everything is read from the start.
    StartedOver {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        change: Change,
    },
    /// The session's file is gone; the state is that of the last look.
    Gone,
}

/// A run and its state.
#[derive(Debug)]
pub struct Run {
    adapter: AdapterRef,
    session: PathBuf,
    state: RunState,
    files: Vec<Followed>,
    roles: Vec<RunFile>,
    heads: Heads,
    /// The session's file, until it is read for the first time.
    begun: Option<Begun>,
    ledger: Option<LedgerFile>,
}

impl Run {
    /// A run that nothing was read of yet.
    pub fn new(adapter: AdapterRef, session: &Path, config: FoldConfig) -> Self {
        Self {
            adapter,
            session: session.to_owned(),
            state: RunState::new(config),
            files: Vec::new(),
            roles: Vec::new(),
            heads: Heads::default(),
            begun: None,
            ledger: None,
        }
    }

    /// A run of which nothing was read yet but what tells whose transcript it is.
    pub fn open(session: &Path, config: FoldConfig) -> Result<Self, RunError> {
        let (adapter, begun) = begin(session)?;
        Ok(Self { begun: Some(begun), ..Self::new(adapter, session, config) })
    }

    /// The same run with a memory of heads and folders that others share: for many runs of one look.
    #[must_use]
    pub fn with_heads(self, heads: &Heads) -> Self {
        Self { heads: heads.clone(), ..self }
    }

    /// Reads and folds a finished run in one go.
    pub fn fold(session: &Path, config: FoldConfig) -> Result<Self, RunError> {
        let mut run = Self::open(session, config)?;
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

    /// As [`Run::poll`], with an observer. When the run starts over, so has the observer to.
    pub fn poll_with(&mut self, observer: &mut impl FoldObserver) -> Result<RunChange, RunError> {
        for file in self.adapter.files(&self.session, &self.heads)? {
            match self.roles.iter().position(|known| known.path == file.path) {
                Some(at) if self.roles[at].role != file.role => {
                    self.files[at].set_role(file.role.clone());
                    self.roles[at] = file;
                }
                Some(_) => {}
                None => {
                    let begun = self.begun.take_if(|_| file.path == self.session);
                    let role = file.role.clone();
                    self.files.push(match begun {
                        Some(begun) => Followed::begun(&file.path, role, begun),
                        None => Followed::from_start(&file.path, role),
                    });
                    self.roles.push(file);
                }
            }
        }
        let Self { state, files, ledger, .. } = self;
        let mut sink =
            Sink { state, ledger: ledger.as_mut(), extracted: Extractions::none(), observer };
        let mut read = 0;
        for (at, file) in (0..).zip(files) {
            let change = file.poll(|record| sink.take(record, at))?;
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

    /// As [`Run::finish`], with an observer.
    pub fn finish_with(&mut self, observer: &mut impl FoldObserver) {
        let Self { state, files, ledger, .. } = self;
        let mut sink =
            Sink { state, ledger: ledger.as_mut(), extracted: Extractions::none(), observer };
        for (at, file) in (0..).zip(files) {
            file.finish(|record| sink.take(record, at));
        }
    }

    /// Whether one of its files ends in a complete record without a line feed. While the run is followed, such
    /// a record is not folded: later writes may continue its line.
    pub fn ends_in_a_record(&self) -> bool {
        self.files.iter().any(Followed::ends_in_a_record)
    }

    /// The run as it is if nothing more is written: with such records, and without a ledger. The run itself
    /// continues without them, so none is ever counted twice.
    #[must_use]
    pub fn settled_with(&self, observer: &mut impl FoldObserver) -> Self {
        let mut settled = Self {
            adapter: self.adapter,
            session: self.session.clone(),
            state: self.state.clone(),
            files: self.files.clone(),
            roles: self.roles.clone(),
            heads: Heads::default(),
            begun: None,
            ledger: None,
        };
        settled.finish_with(observer);
        settled
    }

    /// Flushes the ledger, if there is one; reports the first failed write.
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
}
