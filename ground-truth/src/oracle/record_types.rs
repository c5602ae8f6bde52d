//! The record types of Claude Code.

use super::parse::{Json, Kind};

/// The known record types whose events have a row of their own in the table of events.
const CONTENT_TYPES: [&str; 5] = ["user", "assistant", "progress", "system", "attachment"];

/// The other known record types: "the bare ones".
pub(super) const BARE_TYPES: [&str; 25] = [
    "summary",
    "ai-title",
    "custom-title",
    "agent-name",
    "agent-setting",
    "agent-color",
    "mode",
    "permission-mode",
    "last-prompt",
    "file-history-snapshot",
    "pr-link",
    "bridge-session",
    "queue-operation",
    "tag",
    "task-summary",
    "worktree-state",
    "content-replacement",
    "attribution-snapshot",
    "speculation-accept",
    "result",
    "stream_event",
    "rate_limit_event",
    "tool_progress",
    "tool_use_summary",
    "auth_status",
];

/// Whether an object looks like a record: of a known type, and with a message where one is needed.
pub(super) fn is_record(object: &Json) -> bool {
    let Some(kind) = object.field("type").and_then(Json::text) else { return false };
    let has_message = object.field("message").is_some_and(|it| matches!(it.kind, Kind::Object(_)));
    let needs_message = kind == "user" || kind == "assistant";
    let is_known = CONTENT_TYPES.contains(&kind) || BARE_TYPES.contains(&kind);
    is_known && (has_message || !needs_message)
}
