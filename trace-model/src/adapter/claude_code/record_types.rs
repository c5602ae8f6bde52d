//! The types of records.

/// Whether records of this type belong to the conversation.
pub(super) fn is_spoken(kind: &str) -> bool {
    matches!(kind, "user" | "assistant" | "progress" | "system" | "attachment")
}

/// Whether records of this type are bookkeeping of the client; most have neither a uuid nor a time.
pub(super) fn is_bookkeeping(kind: &str) -> bool {
    // The second group stands in what `claude -p --output-format stream-json` prints.
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
pub(super) fn is_known_type(kind: &str) -> bool {
    is_spoken(kind) || is_bookkeeping(kind)
}
