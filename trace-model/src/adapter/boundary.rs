//! What an adapter has to offer, and the neutral types that it speaks in. Nothing outside this folder knows
//! an agent by name: readers, folds and finders ask an [`Adapter`].

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use super::format::Format;
use super::heads::Heads;
use super::recognise::facts::Facts;
use super::recognise::sign::Sign;
use super::times;
use crate::event::{RawRef, Record};
use crate::ids::Millis;
use crate::walk::{Listing, WalkError};

/// Reads one agent's transcripts: where they are, whose each is, and what their lines mean.
pub trait Adapter: Sync {
    /// The format that it reads.
    fn format(&self) -> Format;

    /// The folders in which the agent keeps its sessions, below the user's home folder.
    fn homes(&self) -> &'static [&'static str];

    /// What one record's facts say of whether it is of this format.
    fn sign(&self, record: &Facts) -> Sign;

    /// Whether a path may be a session's file, by its name.
    fn may_be_session(&self, path: &Path) -> bool;

    /// The subagent a file belongs to, if any.
    fn agent_of(&self, path: &Path, heads: &Heads) -> Option<String>;

    /// Whose file a path is, given what the file beside it says (see [`Adapter::description_of`]).
    fn role(&self, path: &Path, description: Option<&[u8]>) -> FileRole;

    /// The file beside a transcript that describes it, where the agent writes one.
    fn description_of(&self, _transcript: &Path) -> Option<PathBuf> {
        None
    }

    /// The files of the run whose session file is `session`, in the order in which they are folded: the
    /// session's first.
    fn files(&self, session: &Path, heads: &Heads) -> Result<Vec<RunFile>, WalkError>;

    /// Agents' transcripts whose location proves that they belong to this session.
    fn agents_of_session(&self, _session: &Path) -> Result<Listing, WalkError> {
        Ok(Listing::default())
    }

    /// Agents' transcripts beside the sessions of a folder: only their content says whose they are.
    fn agents_beside(&self, _folder: &Path, _heads: &Heads) -> Result<Listing, WalkError> {
        Ok(Listing::default())
    }

    /// A reader at the start of a file.
    fn reader(&self) -> Box<dyn RecordReader>;

    /// The latest time of a record among those that end a file; `None` if its end has none.
    fn last_time(&self, path: &Path) -> io::Result<Option<Millis>> {
        times::latest(path)
    }
}

/// Turns one file's lines, in their order, into records. What a line means may depend on those before it:
/// such a reader keeps what it needs of them, and can write it down.
pub trait RecordReader: fmt::Debug + Send + Sync {
    /// Reads one line, without its line feed, and hands on each record in it.
    fn read_line(
        &mut self,
        line: &str,
        at: RawRef,
        role: &FileRole,
        sink: &mut dyn FnMut(&Record<'_>),
    ) -> LineReport;

    /// Whether a line is made of complete records, so that only its line feed can be missing.
    fn is_whole(&self, line: &str) -> bool;

    /// What it keeps of the lines before, as text, for [`RecordReader::restore`]; `None` for nothing.
    fn state(&self) -> Option<String> {
        None
    }

    /// Resumes where the reader that wrote `state` stopped. Text that no reader wrote changes nothing.
    fn restore(&mut self, _state: &str) {}

    /// A copy that goes its own way.
    fn boxed_clone(&self) -> Box<dyn RecordReader>;
}

/// What a line held besides its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineReport {
    /// Records handed on.
    pub records: u32,
    /// Of those, records of a type this version knows.
    pub known: u32,
    /// Whether part of the line is not a complete JSON object.
    pub bad: bool,
    /// Whether half a surrogate pair or a huge number had to be replaced to read the line.
    pub repaired: bool,
}

impl LineReport {
    /// This report, with what an earlier part of the same line gave.
    pub(super) fn after(self, before: Self) -> Self {
        Self {
            records: self.records + before.records,
            known: self.known + before.known,
            bad: self.bad || before.bad,
            repaired: self.repaired || before.repaired,
        }
    }
}

/// An adapter of the registry.
#[derive(Clone, Copy)]
pub struct AdapterRef(pub(super) &'static dyn Adapter);

impl std::ops::Deref for AdapterRef {
    type Target = dyn Adapter;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl fmt::Debug for AdapterRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format().name())
    }
}

impl PartialEq for AdapterRef {
    fn eq(&self, other: &Self) -> bool {
        self.format() == other.format()
    }
}

impl Eq for AdapterRef {}

impl Serialize for AdapterRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.format().serialize(serializer)
    }
}

/// Whose file a line is in, and how its lines are read. By default a session's own, in the format that the
/// generator and the recorder write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRole {
    /// What reads it.
    pub adapter: AdapterRef,
    /// The agent's id, where the file is a subagent's.
    pub agent: Option<String>,
    /// The call that launched that agent, where known.
    pub launched_by: Option<String>,
}

impl FileRole {
    /// A session's own file.
    pub fn session(adapter: AdapterRef) -> Self {
        Self { adapter, agent: None, launched_by: None }
    }

    /// The file of an agent that nothing else is known of.
    #[must_use]
    pub fn of_agent(self, agent: &str) -> Self {
        Self { agent: Some(agent.to_owned()), ..self }
    }
}

impl Default for FileRole {
    fn default() -> Self {
        Self::session(AdapterRef::GENERATED)
    }
}

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whose it is.
    pub role: FileRole,
}
