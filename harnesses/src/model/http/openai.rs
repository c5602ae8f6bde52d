//! OpenAI's Chat Completions, and what speaks it: vLLM, llama.cpp's server, Ollama, LM Studio, gateways.
//!
//! Format: <https://platform.openai.com/docs/api-reference/chat>. `max_tokens` is deprecated there and
//! not accepted by reasoning models, so OpenAI gets `max_completion_tokens`; other servers all know
//! `max_tokens`, and not all the other.

use serde_json::{Map, Value, json};

use super::super::completion::{Completion, Stop, Usage};
use super::super::request::{Block, Request, Role, Thinking};
use super::fields::{Unreadable, text, tokens};
use super::thinking;

pub(super) fn body(request: &Request, is_openai: bool) -> Result<Value, String> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    let system = joined(&request.system);
    let system = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
    let turns = request.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": joined(&message.blocks)})
    });
    body.insert("messages".to_owned(), system.into_iter().chain(turns).collect());
    let limit = if is_openai { "max_completion_tokens" } else { "max_tokens" };
    body.insert(limit.to_owned(), json!(request.max_output_tokens));
    let off = match request.thinking {
        Thinking::Off => thinking::openai(&request.model, is_openai)?,
        Thinking::Default => None,
    };
    if let Some(off) = off {
        body.insert("reasoning_effort".to_owned(), off);
    }
    Ok(Value::Object(body))
}

fn joined(blocks: &[Block]) -> String {
    blocks.iter().map(|block| block.text.as_str()).collect()
}

pub(super) fn parse(body: &Value) -> Result<Completion, Unreadable> {
    let usage = usage(body);
    let Some(choice) = body.pointer("/choices/0") else {
        return Err(Unreadable::new("it has no `choices`", usage));
    };
    let Some(message) = choice.get("message").filter(|message| message.is_object()) else {
        return Err(Unreadable::new("its choice has no `message`", usage));
    };
    let stop = match (text(message, "/refusal"), text(choice, "/finish_reason")) {
        (Some(refusal), _) => Stop::Refusal(refusal.to_owned()),
        (None, Some("stop")) => Stop::End,
        (None, Some("length")) => Stop::Length,
        (None, Some("content_filter")) => Stop::Refusal("content_filter".to_owned()),
        (None, other) => Stop::Other(other.unwrap_or("no finish reason").to_owned()),
    };
    let model_returned = text(body, "/model").map(str::to_owned);
    Ok(Completion { text: content(message), stop, model_returned, usage })
}

/// A text, or parts of it.
fn content(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(content)) => content.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| text(part, "/text")).collect(),
        _ => String::new(),
    }
}

fn usage(body: &Value) -> Option<Usage> {
    let usage = body.get("usage").filter(|usage| usage.get("prompt_tokens").is_some())?;
    let read = tokens(usage, "/prompt_tokens_details/cached_tokens");
    // Gateways in front of Anthropic say so; OpenAI does not charge for writing.
    let written = tokens(usage, "/prompt_tokens_details/cache_write_tokens");
    let prompt = tokens(usage, "/prompt_tokens");
    Some(Usage {
        input: prompt.saturating_sub(read).saturating_sub(written),
        output: tokens(usage, "/completion_tokens"),
        reasoning: tokens(usage, "/completion_tokens_details/reasoning_tokens"),
        cache_read: read,
        cache_write_5m: written,
        cache_write_1h: 0,
    })
}
