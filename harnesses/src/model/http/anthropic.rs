//! Anthropic's Messages API.
//!
//! Format: <https://platform.claude.com/docs/en/api/messages>, its stop reasons
//! (`/docs/en/api/handling-stop-reasons`) and prompt caching (`/docs/en/build-with-claude/prompt-caching`).

use serde_json::{Map, Value, json};

use super::super::completion::{Completion, StopReason};
use super::super::request::{Block, CacheTtl, Request, Role, Thinking};
use super::fields::{text, tokens};
use super::finish::{self, Answer, Finish};
use super::format::ApiFormat;
use super::thinking;
use crate::usage::TokenUsage;

/// Breakpoints that a request may have.
const MOST_BREAKPOINTS: usize = 4;

pub(super) const FORMAT: ApiFormat = ApiFormat {
    key_variables: &["ANTHROPIC_API_KEY"],
    key_header: ("x-api-key", ""),
    headers: &[("anthropic-version", "2023-06-01")],
    is_spoken_by_others: false,
    needs_location: false,
    base_url: |_| "https://api.anthropic.com".to_owned(),
    // The method brings the version.
    base_path: |path| path.strip_suffix("/v1").unwrap_or(path).to_owned(),
    method: |_, _| ["v1", "messages"].map(str::to_owned).to_vec(),
    body: |request, _| message(request, ("model", json!(request.model))),
    parse,
    usage,
};

/// The body of a request, with the field that goes first.
pub(super) fn message(request: &Request, first: (&str, Value)) -> Result<Value, String> {
    let breakpoints = request.blocks().filter(|block| block.cache.is_some()).count();
    if breakpoints > MOST_BREAKPOINTS {
        return Err(format!(
            "it has {breakpoints} cache breakpoints, and {MOST_BREAKPOINTS} may be"
        ));
    }
    let mut body = Map::from_iter([(first.0.to_owned(), first.1)]);
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

fn parse(body: &Value) -> Result<Answer, &'static str> {
    let usage = usage(body);
    let Some(content) = body.get("content").and_then(Value::as_array) else {
        return Err("it has no `content`");
    };
    let texts = content.iter().filter(|block| text(block, "/type") == Some("text"));
    let answer = texts.filter_map(|block| text(block, "/text")).collect();
    let (stop, finish) = match text(body, "/stop_reason") {
        Some("end_turn" | "stop_sequence") => (StopReason::End, Finish::Own),
        Some("max_tokens" | "model_context_window_exceeded") => (StopReason::Length, Finish::Own),
        Some("refusal") => (StopReason::Refusal(refusal(body).to_owned()), Finish::Own),
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

fn usage(body: &Value) -> Option<TokenUsage> {
    let usage = body.get("usage").filter(|usage| usage.get("output_tokens").is_some())?;
    let written = tokens(usage, "/cache_creation_input_tokens");
    let hour = tokens(usage, "/cache_creation/ephemeral_1h_input_tokens");
    let minutes = tokens(usage, "/cache_creation/ephemeral_5m_input_tokens");
    Some(TokenUsage {
        input: tokens(usage, "/input_tokens"),
        output: tokens(usage, "/output_tokens"),
        reasoning: tokens(usage, "/output_tokens_details/thinking_tokens"),
        cache_read: tokens(usage, "/cache_read_input_tokens"),
        // Where the two lifetimes are not separated, the default one was written.
        cache_write_5m: minutes.max(written.saturating_sub(hour)),
        cache_write_1h: hour,
    })
}
