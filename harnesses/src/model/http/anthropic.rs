//! Anthropic's Messages API, direct and on Vertex AI.
//!
//! Format: <https://platform.claude.com/docs/en/api/messages>, its stop reasons
//! (`/docs/en/api/handling-stop-reasons`), prompt caching (`/docs/en/build-with-claude/prompt-caching`),
//! and <https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai>, where the model is in
//! the address and the version in the body.

use serde_json::{Map, Value, json};

use super::super::completion::{Completion, Stop, Usage};
use super::super::request::{Block, CacheTtl, Request, Role, Thinking};
use super::fields::{text, tokens};
use super::finish::{self, Answer, Finish};
use super::thinking;

/// `anthropic-version`.
pub(super) const VERSION: &str = "2023-06-01";
const VERTEX_VERSION: &str = "vertex-2023-10-16";
/// Breakpoints that a request may have.
const MOST_BREAKPOINTS: usize = 4;

/// Where the API is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Direct,
    Vertex,
}

pub(super) fn body(request: &Request, place: Place) -> Result<Value, String> {
    let breakpoints = request.blocks().filter(|block| block.cache.is_some()).count();
    if breakpoints > MOST_BREAKPOINTS {
        return Err(format!(
            "it has {breakpoints} cache breakpoints, and {MOST_BREAKPOINTS} may be"
        ));
    }
    let mut body = Map::new();
    match place {
        Place::Direct => body.insert("model".to_owned(), json!(request.model)),
        Place::Vertex => body.insert("anthropic_version".to_owned(), json!(VERTEX_VERSION)),
    };
    body.insert("max_tokens".to_owned(), json!(request.max_output_tokens));
    let system = blocks(&request.system);
    if !system.is_empty() {
        body.insert("system".to_owned(), Value::Array(system));
    }
    let messages = request.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": blocks(&message.blocks)})
    });
    body.insert("messages".to_owned(), messages.collect());
    let off = match request.thinking {
        Thinking::Off => thinking::anthropic(&request.model)?,
        Thinking::Default => None,
    };
    if let Some(off) = off {
        body.insert("thinking".to_owned(), off);
    }
    Ok(Value::Object(body))
}

fn blocks(blocks: &[Block]) -> Vec<Value> {
    let some = blocks.iter().filter(|block| !block.text.is_empty());
    some.map(|block| match block.cache {
        None => json!({"type": "text", "text": block.text}),
        Some(ttl) => {
            let ttl = match ttl {
                CacheTtl::FiveMinutes => "5m",
                CacheTtl::OneHour => "1h",
            };
            let control = json!({"type": "ephemeral", "ttl": ttl});
            json!({"type": "text", "text": block.text, "cache_control": control})
        }
    })
    .collect()
}

pub(super) fn parse(body: &Value) -> Result<Answer, &'static str> {
    let usage = usage(body);
    let Some(content) = body.get("content").and_then(Value::as_array) else {
        return Err("it has no `content`");
    };
    let texts = content.iter().filter(|block| text(block, "/type") == Some("text"));
    let answer = texts.filter_map(|block| text(block, "/text")).collect();
    let (stop, finish) = match text(body, "/stop_reason") {
        Some("end_turn" | "stop_sequence") => (Stop::End, Finish::Own),
        Some("max_tokens" | "model_context_window_exceeded") => (Stop::Length, Finish::Own),
        Some("refusal") => (Stop::Refusal(refusal(body).to_owned()), Finish::Own),
        Some(reason @ "tool_use") => finish::own(reason),
        other => finish::other(other, "no stop reason"),
    };
    let model_returned = text(body, "/model").map(str::to_owned);
    let completion = Completion { text: answer, stop, model_returned, usage };
    Ok(Answer { completion, finish })
}

/// The provider's words or code for a refusal.
fn refusal(body: &Value) -> &str {
    text(body, "/stop_details/explanation")
        .or_else(|| text(body, "/stop_details/category"))
        .unwrap_or("refusal")
}

pub(super) fn usage(body: &Value) -> Option<Usage> {
    let usage = body.get("usage").filter(|usage| usage.get("output_tokens").is_some())?;
    let written = tokens(usage, "/cache_creation_input_tokens");
    let hour = tokens(usage, "/cache_creation/ephemeral_1h_input_tokens");
    let minutes = tokens(usage, "/cache_creation/ephemeral_5m_input_tokens");
    Some(Usage {
        input: tokens(usage, "/input_tokens"),
        output: tokens(usage, "/output_tokens"),
        reasoning: tokens(usage, "/output_tokens_details/thinking_tokens"),
        cache_read: tokens(usage, "/cache_read_input_tokens"),
        // Where the two lifetimes are not told apart, the default one was written.
        cache_write_5m: minutes.max(written.saturating_sub(hour)),
        cache_write_1h: hour,
    })
}
