//! Claude Code's transcripts: one JSON record a line.
//!
//! What each record means is set down in
//! `docs/DEFINITIONS.md`. Used through [`ClaudeCode`].

mod background;
mod convert;
mod files;
mod harness_text;
mod plan;
mod record_types;
mod remarks;
mod shape;
mod sign;
mod tools;

use std::path::{Path, PathBuf};

use super::boundary::{Adapter, AdapterRef, FileRole, LineReport, RecordReader, RunFile};
use super::format::Format;
use super::heads::Heads;
use super::json_lines::{self, TakeRecords};
use super::recognise::facts::Facts;
use super::recognise::sign::Sign;
use crate::event::{RawRef, Record};
use crate::json::Scratch;
use crate::walk::{Listing, WalkError};
use record_types::is_known_type;
use shape::Envelope;

pub use harness_text::is_harness_element;
pub(super) use sign::OWN_FIELDS;

/// Claude Code's session files, and what its streaming mode prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaudeCode;

/// The role of a session's own file.
fn own() -> FileRole {
    FileRole::session(AdapterRef(&ClaudeCode))
}

impl Adapter for ClaudeCode {
    fn format(&self) -> Format {
        Format::ClaudeCode
    }

    fn homes(&self) -> &'static [&'static str] {
        &[".claude/projects"]
    }

    fn sign(&self, record: &Facts) -> Sign {
        sign::sign(record)
    }

    fn may_be_session(&self, path: &Path) -> bool {
        files::is_session(path)
    }

    fn agent_of(&self, path: &Path, _heads: &Heads) -> Option<String> {
        files::agent_of(path)
    }

    fn role(&self, path: &Path, description: Option<&[u8]>) -> FileRole {
        files::role(path, description, &own())
    }

    fn description_of(&self, transcript: &Path) -> Option<PathBuf> {
        Some(files::description_of(transcript))
    }

    fn files(&self, session: &Path, heads: &Heads) -> Result<Vec<RunFile>, WalkError> {
        files::files(session, &own(), heads)
    }

    fn agents_of_session(&self, session: &Path) -> Result<Listing, WalkError> {
        files::agents_of(session)
    }

    fn agents_beside(&self, folder: &Path, _heads: &Heads) -> Result<Listing, WalkError> {
        files::agents_beside(folder)
    }

    fn reader(&self) -> Box<dyn RecordReader> {
        Box::new(SessionReader::default())
    }
}

/// Reads a session's lines. Each says all that it means by itself.
#[derive(Clone, Debug, Default)]
struct SessionReader {
    scratch: Scratch,
}

impl RecordReader for SessionReader {
    fn read_line(
        &mut self,
        line: &str,
        at: RawRef,
        role: &FileRole,
        sink: &mut dyn FnMut(&Record<'_>),
    ) -> LineReport {
        json_lines::read_line(line, &mut self.scratch, &mut Taker { at, role, sink })
    }

    fn is_whole(&self, line: &str) -> bool {
        json_lines::is_whole::<Taker<'_>>(line)
    }

    fn boxed_clone(&self) -> Box<dyn RecordReader> {
        Box::new(self.clone())
    }
}

/// Converts a line's records and passes them on.
struct Taker<'t> {
    at: RawRef,
    role: &'t FileRole,
    sink: &'t mut dyn FnMut(&Record<'_>),
}

impl TakeRecords for Taker<'_> {
    type Envelope<'a> = Box<Envelope<'a>>;

    fn stands_alone(envelope: &Box<Envelope<'_>>) -> bool {
        match envelope.kind.value.as_deref() {
            Some("user" | "assistant") => envelope.message.value.is_some() && !envelope.message.odd,
            Some(kind) => is_known_type(kind),
            None => false,
        }
    }

    fn take(&mut self, envelope: Box<Envelope<'_>>, json: &str) -> bool {
        let known = envelope.kind.value.as_deref().is_some_and(is_known_type);
        (self.sink)(&convert::record(envelope, json, self.at, self.role));
        known
    }
}

#[cfg(test)]
mod tests;
