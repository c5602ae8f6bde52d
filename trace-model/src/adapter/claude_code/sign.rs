//! What a record's facts say of whether Claude Code wrote it.

use super::record_types::is_known_type;
use crate::adapter::format::Format as F;
use crate::adapter::recognise::facts::Facts;
use crate::adapter::recognise::sign::Sign::{self, Fits, Nothing, Sure};

/// Fields that Claude Code gives its records, some of which its look-alikes have too.
pub(in crate::adapter) const OWN_FIELDS: &[&str] = &[
    "isMeta",
    "isSidechain",
    "leafUuid",
    "parentUuid",
    "parent_tool_use_id",
    "requestId",
    "sessionId",
    "session_id",
    "toolUseResult",
    "userType",
    "uuid",
];

/// What a record says of whether it is Claude Code's; the formats that look like it were asked before.
pub(super) fn sign(f: &Facts) -> Sign {
    let kind = f.text("type");
    let own = f.has_any(OWN_FIELDS);
    match kind {
        "user" | "assistant" => spoken(f, kind),
        "message" => Fits(&[F::Droid, F::OpenClaw]),
        "system" => system(f),
        "summary" if !f.has("leafUuid") => Fits(&[F::ClaudeCode]),
        "progress" if own && f.has("data") => Sure(F::ClaudeCode),
        "attachment" if own && f.has("attachment") => Sure(F::ClaudeCode),
        "progress" | "attachment" => Nothing,
        "result" => {
            let summed = ["num_turns", "total_cost_usd", "modelUsage", "usage"];
            claude_if(f.has("session_id") && f.has_any(&summed))
        }
        "stream_event" => claude_if(f.has_all(&["session_id", "event"])),
        "rate_limit_event" | "tool_progress" | "tool_use_summary" | "auth_status" => {
            claude_if(f.has("session_id"))
        }
        // Names of two words are nobody else's.
        _ if is_known_type(kind) && (own || kind.contains('-')) => Sure(F::ClaudeCode),
        _ => Nothing,
    }
}

fn claude_if(told: bool) -> Sign {
    if told { Sure(F::ClaudeCode) } else { Nothing }
}

/// A message of a person, a tool or the model.
fn spoken(f: &Facts, kind: &str) -> Sign {
    let role = matches!(f.text_in("message", "role"), "user" | "assistant");
    let shaped = role || f.has_in("message", "content") || f.has_in("message", "usage");
    // The message may be a text alone.
    if !f.has("message") || (f.opens("message") && !shaped) {
        return if f.has("content") && !f.has_any(OWN_FIELDS) { Fits(&[F::Grok]) } else { Nothing };
    }
    if !f.has_any(OWN_FIELDS) {
        return Fits(&[F::ClaudeCode]);
    }
    // What Cursor prints has a session's id, and of the message no more than role and content.
    let printed = !f.has_any(&["uuid", "sessionId", "parentUuid", "parent_tool_use_id"]);
    let billed = kind == "assistant" && f.has_in("message", "usage");
    if printed && f.has("session_id") && !billed {
        return Fits(&[F::ClaudeCode, F::Cursor]);
    }
    Sure(F::ClaudeCode)
}

/// What a client says of itself.
fn system(f: &Facts) -> Sign {
    let printed_by_claude = f.has("uuid") || f.has_all(&["tools", "mcp_servers"]);
    if f.has_any(&["isSidechain", "userType", "isMeta"])
        || (f.has("session_id") && printed_by_claude)
    {
        return Sure(F::ClaudeCode);
    }
    if f.has_all(&["uuid", "sessionId"]) {
        return Fits(&[F::ClaudeCode, F::QwenCode]);
    }
    if f.has("session_id") {
        return Fits(&[F::ClaudeCode, F::Cursor, F::Droid]);
    }
    if f.has("content") && !f.has_any(OWN_FIELDS) { Fits(&[F::Grok]) } else { Nothing }
}
