//! Codex CLI's rollouts: one JSON record a line.
//!
//! What a record means depends on those before it (forks, running totals, answers that are written twice):
//! [`Memory`] holds that. What each counted thing is, is set down in `docs/formats/codex.md`.

mod agents;
mod convert;
mod files;
mod fork;
mod prompts;
mod results;
mod said_twice;
mod shape;
mod tools;
mod usage;

use std::path::Path;

use super::boundary::{Adapter, FileRole, LineReport, RecordReader, RunFile};
use super::discovery::Heads;
use super::format::Format;
use super::json_lines::{self, TakeRecords};
use super::recognise::{Facts, Sign};
use crate::event::{RawRef, Record};
use crate::walk::{self, Listing, WalkError};
use convert::Memory;
use shape::Envelope;

/// Types of records.
const TYPES: [&str; 9] = [
    "session_meta",
    "turn_context",
    "compacted",
    "event_msg",
    "response_item",
    "world_state",
    "token_usage_record",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
];

/// Types of the client's events.
const EVENTS: [&str; 41] = [
    "agent_message",
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "apply_patch_approval_request",
    "background_event",
    "context_compacted",
    "deprecation_notice",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "elicitation_request",
    "entered_review_mode",
    "error",
    "exited_review_mode",
    "model_reroute",
    "model_verification",
    "plan_delta",
    "plan_update",
    "request_permissions",
    "request_user_input",
    "session_configured",
    "shutdown_complete",
    "stream_error",
    "sub_agent_activity",
    "task_complete",
    "task_started",
    "terminal_interaction",
    "thread_goal_updated",
    "thread_name_updated",
    "thread_rolled_back",
    "thread_settings_applied",
    "token_count",
    "turn_aborted",
    "turn_complete",
    "turn_diff",
    "turn_started",
    "undo_completed",
    "undo_started",
    "user_message",
    "view_image_tool_call",
    "warning",
];

/// What the names of further types start with.
const EVENT_FAMILIES: [&str; 10] = [
    "collab_",
    "exec_",
    "guardian_",
    "hook_",
    "image_generation_",
    "item_",
    "mcp_",
    "patch_apply_",
    "realtime_",
    "web_search_",
];

/// Whether this version knows the type of record.
fn is_known_type(kind: &str) -> bool {
    TYPES.contains(&kind)
}

/// Whether this version knows the client's event.
fn is_known_event(kind: &str) -> bool {
    EVENTS.contains(&kind) || EVENT_FAMILIES.iter().any(|family| kind.starts_with(family))
}

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
        files::sign(record)
    }

    fn may_be_session(&self, path: &Path) -> bool {
        files::is_rollout(path)
    }

    fn agent_of(&self, path: &Path) -> Option<String> {
        files::agent_of(path)
    }

    fn role(&self, _path: &Path, _description: Option<&[u8]>) -> FileRole {
        FileRole::session(super::boundary::AdapterRef(&Codex))
    }

    fn files(&self, session: &Path, heads: &mut Heads) -> Result<Vec<RunFile>, WalkError> {
        files::files(session, heads)
    }

    fn agents_beside(&self, folder: &Path) -> Result<Listing, WalkError> {
        walk::within(folder, |path| files::agent_of(path).is_some())
    }

    fn reader(&self) -> Box<dyn RecordReader> {
        Box::new(RolloutReader::default())
    }
}

/// Reads a rollout's lines in their order.
#[derive(Clone, Debug, Default)]
struct RolloutReader {
    memory: Memory,
}

impl RecordReader for RolloutReader {
    fn read_line(
        &mut self,
        line: &str,
        at: RawRef,
        role: &FileRole,
        sink: &mut dyn FnMut(&Record<'_>),
    ) -> LineReport {
        json_lines::read_line(line, &mut Taker { memory: &mut self.memory, at, role, sink })
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
