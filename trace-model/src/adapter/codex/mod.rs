//! Codex CLI's rollouts: one JSON record a line.
//!
//! What a record means depends on those before it (forks, running totals, answers that are written twice):
//! [`Memory`] holds that. What each counted thing is, is set down in `docs/formats/codex.md`.

mod agents;
mod convert;
mod files;
mod fork;
mod plan;
mod prompts;
mod record_types;
mod results;
mod said_twice;
mod shape;
mod sign;
mod tools;
mod usage;

use std::path::Path;

use super::boundary::{Adapter, AdapterRef, FileRole, LineReport, RecordReader, RunFile};
use super::format::Format;
use super::heads::Heads;
use super::json_lines::{self, TakeRecords};
use super::recognise::facts::Facts;
use super::recognise::sign::Sign;
use crate::event::{RawRef, Record};
use crate::json::Scratch;
use crate::walk::{self, Listing, WalkError};
use convert::Memory;
use record_types::is_known_type;
use shape::Envelope;

/// Codex CLI's rollout files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codex;

impl Adapter for Codex {
    fn format(&self) -> Format {
        Format::Codex
    }

    fn homes(&self) -> &'static [&'static str] {
        &[".codex/sessions", ".codex/archived_sessions"]
    }

    fn sign(&self, record: &Facts) -> Sign {
        sign::sign(record)
    }

    fn may_be_session(&self, path: &Path) -> bool {
        files::is_rollout(path)
    }

    fn agent_of(&self, path: &Path, heads: &Heads) -> Option<String> {
        files::agent_of(path, heads)
    }

    fn role(&self, _path: &Path, _description: Option<&[u8]>) -> FileRole {
        FileRole::session(AdapterRef(&Codex))
    }

    fn files(&self, session: &Path, heads: &Heads) -> Result<Vec<RunFile>, WalkError> {
        files::files(session, &FileRole::session(AdapterRef(&Codex)), heads)
    }

    fn agents_beside(&self, folder: &Path, heads: &Heads) -> Result<Listing, WalkError> {
        let mut beside = walk::within(folder, files::is_rollout)?;
        beside.files.retain(|path| files::agent_of(path, heads).is_some());
        Ok(beside)
    }

    fn reader(&self) -> Box<dyn RecordReader> {
        Box::new(RolloutReader::default())
    }
}

/// Reads a rollout's lines in their order.
#[derive(Clone, Debug, Default)]
struct RolloutReader {
    memory: Memory,
    scratch: Scratch,
}

impl RecordReader for RolloutReader {
    fn read_line(
        &mut self,
        line: &str,
        at: RawRef,
        role: &FileRole,
        sink: &mut dyn FnMut(&Record<'_>),
    ) -> LineReport {
        let mut taker = Taker { memory: &mut self.memory, at, role, sink };
        json_lines::read_line(line, &mut self.scratch, &mut taker)
    }

    fn is_whole(&self, line: &str) -> bool {
        json_lines::is_whole::<Taker<'_>>(line)
    }

    fn state(&self) -> Option<String> {
        serde_json::to_string(&self.memory).ok()
    }

    fn restore(&mut self, state: &str) {
        if let Ok(memory) = serde_json::from_str(state) {
            self.memory = memory;
        }
    }

    fn boxed_clone(&self) -> Box<dyn RecordReader> {
        Box::new(self.clone())
    }
}

/// Turns a line's records into what they mean, and hands them on.
struct Taker<'t> {
    memory: &'t mut Memory,
    at: RawRef,
    role: &'t FileRole,
    sink: &'t mut dyn FnMut(&Record<'_>),
}

impl TakeRecords for Taker<'_> {
    type Envelope<'a> = Envelope<'a>;

    fn stands_alone(envelope: &Envelope<'_>) -> bool {
        envelope.kind.value.as_deref().is_some_and(is_known_type)
            && envelope.payload.value.is_some()
    }

    fn take(&mut self, envelope: Envelope<'_>, _: &str) -> bool {
        let known = envelope.kind.value.as_deref().is_some_and(is_known_type);
        (self.sink)(&self.memory.record(envelope, self.at, self.role));
        known
    }
}

#[cfg(test)]
mod tests;
