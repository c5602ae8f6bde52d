//! What a record's facts say of who wrote it. A format is told by what its look-alikes do not have; where a
//! record would fit several, all of them are named.

use super::facts::Facts;
use crate::adapter::Format;
use crate::adapter::claude_code::is_known_type;

/// What one record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It has what only this format's records have.
    Sure(Format),
    /// It fits these.
    Fits(&'static [Format]),
    /// It says nothing.
    Nothing,
}

use Format as F;
use Sign::{Fits, Nothing, Sure};

/// Fields that Claude Code gives its records, some of which its look-alikes have too.
const OWN: &[&str] = &[
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

/// What a record says.
pub(super) fn sign(facts: &Facts) -> Sign {
    if let Some(format) = other(facts) {
        return Sure(format);
    }
    if facts.is_list { Nothing } else { claude_code(facts) }
}

/// The format of another agent that the record surely is of.
fn other(f: &Facts) -> Option<Format> {
    document(f).or_else(|| if f.is_list { None } else { record(f).or_else(|| copy(f)) })
}

/// Formats whose file is one document, or a list.
fn document(f: &Facts) -> Option<Format> {
    let is = |told: bool, format| told.then_some(format);
    is(f.text("schema_version").starts_with("ATIF-"), F::Atif)
        .or_else(|| is(f.has_all(&["status", "version"]) && eval(f), F::Inspect))
        .or_else(|| is(f.has_any(&["resourceSpans", "resourceLogs", "resourceMetrics"]), F::Otel))
        .or_else(|| is(f.has_in("spans", "context") && f.has_in("spans", "parent_id"), F::Otel))
        .or_else(|| is(f.has_in("traces", "trace_id"), F::Otel))
        .or_else(|| is(mini_swe_agent(f), F::MiniSweAgent))
        .or_else(|| is(swe_agent(f), F::SweAgent))
        .or_else(|| is(f.has_all(&["platform", "session_start"]), F::Hermes))
        .or_else(|| is(f.has("projectHash") || f.has("$set"), F::GeminiCli))
        .or_else(|| is(f.has_in("history", "parts"), F::GeminiCli))
        .or_else(|| is(f.has_all(&["session_summary", "current_model_id"]), F::Grok))
        .or_else(|| is(f.has_all(&["task_id", "termination_reason"]), F::Tau2))
        .or_else(|| is(f.has_in("info", "num_trials"), F::Tau2))
        .or_else(|| is(f.has_in("messages", "ts") || f.has_in("messages", "modelInfo"), F::Cline))
        .or_else(|| is(f.has_all(&["workDir", "agents"]), F::Kimi))
        .or_else(|| is(open_code(f), F::OpenCode))
        // Older files of OpenHands are lists of events, newer ones have an event a line.
        .or_else(|| is(open_hands(f), F::OpenHands))
}

fn eval(f: &Facts) -> bool {
    ["eval_id", "run_id", "task"].iter().any(|name| f.has_in("eval", name))
}

fn mini_swe_agent(f: &Facts) -> bool {
    f.text("trajectory_format").starts_with("mini-swe-agent") || f.has_in("info", "mini_version")
}

fn swe_agent(f: &Facts) -> bool {
    let acted = f.has_in("trajectory", "action") && f.has_in("trajectory", "observation");
    acted || (f.has_in("history", "role") && f.has_in("history", "agent"))
}

fn open_code(f: &Facts) -> bool {
    let of_session = f.has_in("info", "projectID") || f.has_in("info", "directory");
    f.has_any(&["sessionID", "messageID"])
        || f.has_all(&["projectID", "directory"])
        || (of_session && f.has("messages"))
}

/// Formats of a record a line that look like no other.
fn record(f: &Facts) -> Option<Format> {
    let kind = f.text("type");
    let is = |told: bool, format| told.then_some(format);
    let dotted = kind.contains('.');
    is(codex(f, kind), F::Codex)
        .or_else(|| is(dotted && f.has("data"), F::Copilot))
        .or_else(|| is(kind == "metadata" && f.has("protocol_version"), F::Kimi))
        .or_else(|| is(dotted && f.has("time"), F::Kimi))
        .or_else(|| is(f.has_all(&["step_index", "source", "type", "status"]), F::Antigravity))
        .or_else(|| is(droid(f, kind), F::Droid))
        .or_else(|| is(open_claw(f, kind), F::OpenClaw))
        .or_else(|| is(grok(f, kind), F::Grok))
        .or_else(|| is(gemini_stream(f, kind), F::GeminiCli))
        .or_else(|| is(cursor(f, kind), F::Cursor))
}

fn codex(f: &Facts, kind: &str) -> bool {
    let printed = kind == "thread.started" && f.has("thread_id")
        || kind.starts_with("item.") && f.has("item")
        || kind == "turn.completed" && f.has("usage");
    let old_head = f.has_all(&["id", "timestamp", "instructions", "git"]) && kind.is_empty();
    printed
        || old_head
        || f.has("record_type")
        || (!kind.is_empty() && f.has_all(&["payload", "timestamp"]))
        || matches!(
            kind,
            "session_meta" | "event_msg" | "response_item" | "turn_context" | "compacted"
        ) && f.has("payload")
}

fn open_hands(f: &Facts) -> bool {
    let source = matches!(f.text("source"), "agent" | "user" | "environment");
    let event = f.text("kind").ends_with("Event") && f.has_all(&["id", "timestamp"]);
    let old =
        f.has("id") && (f.has_all(&["action", "args"]) || f.has_all(&["observation", "content"]));
    source && (event || old)
}

fn droid(f: &Facts, kind: &str) -> bool {
    let session = f.has_any(&["session_id", "sessionId"]);
    match kind {
        "session_start" => f.has("id"),
        "message" => session && f.has_all(&["role", "text"]),
        "tool_call" | "tool_result" => session && f.has_any(&["toolCallId", "toolId"]),
        "completion" => session && f.has("finalText"),
        "system" => session && f.has("id") && !f.has("uuid"),
        _ => false,
    }
}

fn open_claw(f: &Facts, kind: &str) -> bool {
    match kind {
        "session" => f.has_all(&["id", "version", "timestamp"]),
        "model_change" | "thinking_level_change" => f.has_all(&["id", "parentId"]),
        "custom" | "custom_message" => f.has("customType"),
        _ => false,
    }
}

fn grok(f: &Facts, kind: &str) -> bool {
    let told = ["prompt_index", "synthetic_reason", "model_id", "model_fingerprint"];
    matches!(kind, "user" | "assistant")
        && f.has("content")
        && !f.has("message")
        && f.has_any(&told)
}

fn gemini_stream(f: &Facts, kind: &str) -> bool {
    match kind {
        "gemini" => f.has_all(&["id", "timestamp"]),
        "init" => f.has("session_id"),
        "tool_use" | "tool_result" => f.has("tool_id"),
        "result" => f.has_all(&["status", "stats"]),
        _ => false,
    }
}

fn cursor(f: &Facts, kind: &str) -> bool {
    let stored =
        kind.is_empty() && matches!(f.text("role"), "user" | "assistant") && f.opens("message");
    let printed = match kind {
        "tool_call" => f.has_all(&["call_id", "session_id"]),
        "result" => f.has_all(&["request_id", "session_id"]),
        _ => false,
    };
    stored || printed
}

/// Formats made after Claude Code's, by what they have of their own.
fn copy(f: &Facts) -> Option<Format> {
    let gemini_api = f.has_in("message", "parts") || f.text_in("message", "role") == "model";
    let qwen = [
        "systemPayload",
        "usageMetadata",
        "toolCallResult",
        "qwen_code_version",
        "permission_mode",
    ];
    if (gemini_api || f.has_any(&qwen)) && f.has_any(OWN) {
        return Some(F::QwenCode);
    }
    f.text("session_id").starts_with("T-").then_some(F::Amp)
}

/// Whether the record is one of Claude Code's; the formats that look like it have been asked before.
fn claude_code(f: &Facts) -> Sign {
    let kind = f.text("type");
    let own = f.has_any(OWN);
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
        return if f.has("content") && !f.has_any(OWN) { Fits(&[F::Grok]) } else { Nothing };
    }
    if !f.has_any(OWN) {
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
    if f.has("content") && !f.has_any(OWN) { Fits(&[F::Grok]) } else { Nothing }
}
