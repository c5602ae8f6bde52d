//! The types of records and of the client's events.

/// What the names of further events start with.
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
pub(super) fn is_known_type(kind: &str) -> bool {
    matches!(
        kind,
        "session_meta"
            | "turn_context"
            | "compacted"
            | "event_msg"
            | "response_item"
            | "world_state"
            | "token_usage_record"
            | "inter_agent_communication"
            | "inter_agent_communication_metadata"
    )
}

/// Whether this version knows the client's event.
pub(super) fn is_known_event(kind: &str) -> bool {
    let is_listed = matches!(
        kind,
        "agent_message"
            | "agent_reasoning"
            | "agent_reasoning_raw_content"
            | "agent_reasoning_section_break"
            | "apply_patch_approval_request"
            | "background_event"
            | "context_compacted"
            | "deprecation_notice"
            | "dynamic_tool_call_request"
            | "dynamic_tool_call_response"
            | "elicitation_request"
            | "entered_review_mode"
            | "error"
            | "exited_review_mode"
            | "model_reroute"
            | "model_verification"
            | "plan_delta"
            | "plan_update"
            | "request_permissions"
            | "request_user_input"
            | "session_configured"
            | "shutdown_complete"
            | "stream_error"
            | "sub_agent_activity"
            | "task_complete"
            | "task_started"
            | "terminal_interaction"
            | "thread_goal_updated"
            | "thread_name_updated"
            | "thread_rolled_back"
            | "thread_settings_applied"
            | "token_count"
            | "turn_aborted"
            | "turn_complete"
            | "turn_diff"
            | "turn_started"
            | "undo_completed"
            | "undo_started"
            | "user_message"
            | "view_image_tool_call"
            | "warning"
    );
    is_listed || EVENT_FAMILIES.iter().any(|family| kind.starts_with(family))
}
