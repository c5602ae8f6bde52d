//! Claude Code's transcripts: one JSON record a line.
//!
//! What each record means is set down in
//! `docs/DEFINITIONS.md`. Used through [`ClaudeCode`].

mod background;
mod convert;
mod files;
mod harness_text;
mod shape;
mod sign;
mod tools;

use std::path::{Path, PathBuf};

use super::boundary::{Adapter, FileRole, LineReport, RecordReader, RunFile};
use super::discovery::Heads;
use super::format::Format;
use super::json_lines::{self, TakeRecords};
use super::recognise::{Facts, Sign};
use crate::event::{RawRef, Record};
use crate::walk::{Listing, WalkError};
use shape::Envelope;

pub use harness_text::is_harness_element;
pub(super) use sign::OWN_FIELDS;

/// Whether records of this type belong to the conversation.
fn is_spoken(kind: &str) -> bool {
    matches!(kind, "user" | "assistant" | "progress" | "system" | "attachment")
}

/// Whether records of this type are bookkeeping of the client; most have neither a uuid nor a time.
fn is_bookkeeping(kind: &str) -> bool {
    // The second group occurs in the output of `claude -p --output-format stream-json`.
    matches!(
        kind,
        "summary"
            | "ai-title"
            | "custom-title"
            | "agent-name"
            | "agent-setting"
            | "agent-color"
            | "mode"
            | "permission-mode"
            | "last-prompt"
            | "file-history-snapshot"
            | "pr-link"
            | "bridge-session"
            | "queue-operation"
            | "tag"
            | "task-summary"
            | "worktree-state"
            | "content-replacement"
            | "attribution-snapshot"
            | "speculation-accept"
    ) || matches!(
        kind,
        "result"
            | "stream_event"
            | "rate_limit_event"
            | "tool_progress"
            | "tool_use_summary"
            | "auth_status"
    )
}

/// Whether this version knows the record type.
fn is_known_type(kind: &str) -> bool {
    is_spoken(kind) || is_bookkeeping(kind)
}

/// Claude Code's session files, and what its streaming mode prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaudeCode;

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

    fn agent_of(&self, path: &Path) -> Option<String> {
        files::agent_of(path)
    }

    fn role(&self, path: &Path, description: Option<&[u8]>) -> FileRole {
        files::role(path, description)
    }

    fn description_of(&self, transcript: &Path) -> Option<PathBuf> {
        Some(files::description_of(transcript))
    }

    fn files(&self, session: &Path, heads: &mut Heads) -> Result<Vec<RunFile>, WalkError> {
        files::files(session, heads)
    }

    fn agents_of_session(&self, session: &Path) -> Result<Listing, WalkError> {
        files::agents_of(session)
    }

    fn agents_beside(&self, folder: &Path) -> Result<Listing, WalkError> {
        files::agents_beside(folder)
    }

    fn reader(&self) -> Box<dyn RecordReader> {
        Box::new(*self)
    }
}

/// A line of Claude Code's says all that it means by itself.
impl RecordReader for ClaudeCode {
    fn read_line(
        &mut self,
        line: &str,
        at: RawRef,
        role: &FileRole,
        sink: &mut dyn FnMut(&Record<'_>),
    ) -> LineReport {
        json_lines::read_line(line, &mut Taker { at, role, sink })
    }

    fn is_whole(&self, line: &str) -> bool {
        json_lines::is_whole::<Taker<'_>>(line)
    }

    fn boxed_clone(&self) -> Box<dyn RecordReader> {
        Box::new(*self)
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
        (self.sink)(&convert::record(*envelope, json, self.at, self.role));
        known
    }
}

#[cfg(test)]
mod tests;
