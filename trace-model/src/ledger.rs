//! The ledger: the append-only sequence of a run's events, as it can be kept on disk.
//!
//! A stored event holds what identifies and describes it; the payload's bytes stay in the transcript,
//! to which it refers. The fold does not need the ledger: both are fed by the reader.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::event::{Body, Event, EventKind, Outcome, RawRef, RawUsage, Record, Source, Thread};
use crate::ids::{Excerpt, Millis, Seq};

/// Characters kept of a payload.
pub const EXCERPT_CHARS: usize = 400;

/// What an event holds, bounded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payload {
    /// The start of its text, its length, and the SHA-256 of the whole payload.
    #[serde(flatten)]
    pub excerpt: Excerpt,
    /// The tool, for a call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tool: Option<String>,
    /// How the call ended, for a result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outcome: Option<Outcome>,
}

/// What a record says its API call used; on the record's first event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredUsage {
    /// The model's name as written.
    pub model: Option<String>,
    /// Tokens by class.
    #[serde(flatten)]
    pub tokens: RawUsage,
}

/// One event of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredEvent {
    /// Its place in the ledger.
    pub seq: Seq,
    /// The record's id, if it has one, and the block's index.
    pub id: (Option<String>, u32),
    /// When its record was written.
    pub time: Option<Millis>,
    /// Who it comes from.
    pub source: Source,
    /// What kind of event it is.
    pub kind: EventKind,
    /// The session that its record names.
    pub session: Option<String>,
    /// The subagent it belongs to; none for the main thread.
    pub agent: Option<String>,
    /// The record that its record follows from.
    pub parent: Option<String>,
    /// Ties a call to its result.
    pub correlation: Option<String>,
    /// The API answer it is a block of.
    pub api_message: Option<String>,
    /// What it holds.
    pub payload: Payload,
    /// What its API call used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub usage: Option<StoredUsage>,
    /// The run file it is in; 0 is the session's.
    pub file: u32,
    /// Where in that file.
    pub raw: RawRef,
}

impl StoredEvent {
    /// The stored form of an event.
    pub fn new(record: &Record<'_>, event: &Event<'_>, seq: Seq, file: u32) -> Self {
        let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
        let (tool, correlation, outcome) = match &event.body {
            Body::ToolCall { id, name, .. } => (Some(name.as_ref().to_owned()), owned(id), None),
            Body::ToolResult { call_id, outcome, .. } => (None, owned(call_id), Some(*outcome)),
            _ => (None, None, None),
        };
        let usage = record
            .api
            .as_ref()
            .filter(|_| event.block == 0)
            .map(|api| StoredUsage { model: owned(&api.model), tokens: api.usage });
        Self {
            seq,
            id: (owned(&record.uuid), event.block),
            time: record.time,
            source: event.source,
            kind: event.body.kind(),
            session: owned(&record.note.session),
            agent: match &record.thread {
                Thread::Main => None,
                Thread::Agent(id) => Some(id.as_ref().to_owned()),
                Thread::Sidechain => Some("sidechain".to_owned()),
            },
            parent: owned(&record.parent),
            correlation,
            api_message: record.api.as_ref().and_then(|api| owned(&api.message_id)),
            payload: Payload {
                excerpt: Excerpt::with_sha256(event.body.text(), EXCERPT_CHARS, event.sha256),
                tool,
                outcome,
            },
            usage,
            file,
            raw: record.at,
        }
    }
}

/// A ledger file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Reading or writing failed.
    #[error("cannot use the ledger {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// An event cannot be read.
    #[error(
        "the ledger {path} is damaged at event {seq}: {source}; delete it and read the transcript again"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The event's place.
        seq: u64,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// It holds fewer events than the snapshot that it belongs to.
    #[error(
        "the ledger {path} holds {found} of {expected} events; delete it and read the transcript again"
    )]
    Short {
        /// The file.
        path: PathBuf,
        /// Events it holds.
        found: u64,
        /// Events it should hold.
        expected: u64,
    },
}

/// A ledger on disk, one event a line, that grows by appending.
#[derive(Debug)]
pub struct LedgerFile {
    path: PathBuf,
    writer: BufWriter<File>,
    events: u64,
    /// The first failure of a write; further events are not taken.
    failed: Option<io::Error>,
}

impl LedgerFile {
    /// An empty ledger; what the file held is gone.
    pub fn create(path: &Path) -> Result<Self, LedgerError> {
        let file = File::create(path).map_err(at(path))?;
        Ok(Self { path: path.to_owned(), writer: BufWriter::new(file), events: 0, failed: None })
    }

    /// A ledger that continues after `events` events; anything an interrupted write left behind them is cut
    /// off.
    pub fn resume(path: &Path, events: u64) -> Result<Self, LedgerError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at(path))?;
        let mut lines = BufReader::new(&file);
        let mut length = 0;
        let mut line = Vec::new();
        for found in 0..events {
            line.clear();
            length += lines.read_until(b'\n', &mut line).map_err(at(path))? as u64;
            if line.last() != Some(&b'\n') {
                return Err(LedgerError::Short { path: path.to_owned(), found, expected: events });
            }
        }
        file.set_len(length).map_err(at(path))?;
        file.seek(SeekFrom::End(0)).map_err(at(path))?;
        Ok(Self { path: path.to_owned(), writer: BufWriter::new(file), events, failed: None })
    }

    /// Empties the ledger: its transcript is read from the start.
    pub fn restart(&mut self) -> Result<(), LedgerError> {
        *self = Self::create(&self.path)?;
        Ok(())
    }

    /// Appends a record's events; a failure is reported by [`LedgerFile::sync`].
    pub fn append(&mut self, record: &Record<'_>, file: u32) {
        for event in &record.events {
            if self.failed.is_some() {
                return;
            }
            let stored = StoredEvent::new(record, event, Seq(self.events), file);
            match serde_json::to_writer(&mut self.writer, &stored)
                .map_err(io::Error::from)
                .and_then(|()| self.writer.write_all(b"\n"))
            {
                Ok(()) => self.events += 1,
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Writes everything out and reports the first failure; returns how many events there are.
    pub fn sync(&mut self) -> Result<u64, LedgerError> {
        if let Some(error) = self.failed.take() {
            return Err(at(&self.path)(error));
        }
        self.writer.flush().map_err(at(&self.path))?;
        Ok(self.events)
    }

    /// Reads a ledger's events.
    pub fn read(path: &Path) -> Result<Vec<StoredEvent>, LedgerError> {
        let file = File::open(path).map_err(at(path))?;
        (0..)
            .zip(BufReader::new(file).lines())
            .map(|(seq, line)| {
                let line = line.map_err(at(path))?;
                serde_json::from_str(&line).map_err(|source| LedgerError::Damaged {
                    path: path.to_owned(),
                    seq,
                    source,
                })
            })
            .collect()
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> LedgerError {
    let path = path.to_owned();
    move |source| LedgerError::Io { path, source }
}
