//! What a record's facts say about who wrote it. A format is recognised by what its look-alikes lack; where a
//! record would fit several, all of them are named.

use super::facts::Facts;
use super::sign::Sign;
use crate::adapter::boundary::AdapterRef;
use crate::adapter::claude_code::OWN_FIELDS;
use crate::adapter::format::Format;

use Format as F;
use Sign::{Nothing, Sure};

/// What a record says. The adapters are asked last: other formats are modelled on theirs, and are recognised by
/// their additions.
pub(super) fn sign(facts: &Facts) -> Sign {
    if let Some(format) = unread(facts) {
        return Sure(format);
    }
    if facts.is_list {
        return Nothing;
    }
    let mut signs = AdapterRef::all().map(|adapter| adapter.sign(facts));
    signs.find(|sign| *sign != Nothing).unwrap_or(Nothing)
}

/// The format without an adapter that the record surely is of.
fn unread(f: &Facts) -> Option<Format> {
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
    is(dotted && f.has("data"), F::Copilot)
        .or_else(|| is(kind == "metadata" && f.has("protocol_version"), F::Kimi))
        .or_else(|| is(dotted && f.has("time"), F::Kimi))
        .or_else(|| is(f.has_all(&["step_index", "source", "type", "status"]), F::Antigravity))
        .or_else(|| is(droid(f, kind), F::Droid))
        .or_else(|| is(open_claw(f, kind), F::OpenClaw))
        .or_else(|| is(grok(f, kind), F::Grok))
        .or_else(|| is(gemini_stream(f, kind), F::GeminiCli))
        .or_else(|| is(cursor(f, kind), F::Cursor))
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

/// Formats modelled on Claude Code's, by their additions.
fn copy(f: &Facts) -> Option<Format> {
    let gemini_api = f.has_in("message", "parts") || f.text_in("message", "role") == "model";
    let qwen = [
        "systemPayload",
        "usageMetadata",
        "toolCallResult",
        "qwen_code_version",
        "permission_mode",
    ];
    if (gemini_api || f.has_any(&qwen)) && f.has_any(OWN_FIELDS) {
        return Some(F::QwenCode);
    }
    f.text("session_id").starts_with("T-").then_some(F::Amp)
}
