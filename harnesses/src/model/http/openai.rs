//! OpenAI's Chat Completions, and what speaks it: vLLM, llama.cpp's server, Ollama, LM Studio, gateways.
//!
//! Format: <https://platform.openai.com/docs/api-reference/chat>. `max_tokens` is deprecated there and
//! not accepted by reasoning models, so OpenAI gets `max_completion_tokens`; other servers all know
//! `max_tokens`, and not all the other.

use serde_json::{Map, Value, json};

use super::super::completion::{Completion, StopReason};
use super::super::request::{Block, Request, Role, Thinking};
use super::fields::{text, tokens};
use super::finish::{self, Answer, Finish};
use super::format::ApiFormat;
use super::thinking;
use crate::usage::TokenUsage;

pub(super) const FORMAT: ApiFormat = ApiFormat {
    key_variables: &["OPENAI_API_KEY"],
    key_header: ("authorization", "Bearer "),
    headers: &[],
    is_spoken_by_others: true,
    needs_location: false,
    base_url: |_| "https://api.openai.com/v1".to_owned(),
    base_path: |path| {
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        if path.is_empty() { "/v1" } else { path }.to_owned()
    },
    method: |_, _| ["chat", "completions"].map(str::to_owned).to_vec(),
    body,
    parse,
    usage,
};

fn body(request: &Request, is_openai: bool) -> Result<Value, String> {
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

fn parse(body: &Value) -> Result<Answer, &'static str> {
    let usage = usage(body);
    let Some(choice) = body.pointer("/choices/0") else {
        return Err("it has no `choices`");
    };
    let Some(message) = choice.get("message").filter(|message| message.is_object()) else {
        return Err("its choice has no `message`");
    };
    let (stop, finish) = match (text(message, "/refusal"), text(choice, "/finish_reason")) {
        (Some(refusal), _) => (StopReason::Refusal(refusal.to_owned()), Finish::Own),
        (None, reason) => stop(reason),
    };
    let model_returned = text(body, "/model").map(str::to_owned);
    let completion = Completion { text: content(message), stop, model_returned, usage };
    Ok(Answer { completion, finish })
}

fn stop(reason: Option<&str>) -> (StopReason, Finish) {
    match reason {
        // The others are what Hugging Face's server and some gateways say of the same.
        Some("stop" | "stop_sequence" | "eos_token" | "eos") => (StopReason::End, Finish::Own),
        Some("length") => (StopReason::Length, Finish::Own),
        Some(reason @ "content_filter") => (StopReason::Refusal(reason.to_owned()), Finish::Own),
        Some(reason @ ("tool_calls" | "function_call")) => finish::own(reason),
        other => finish::other(other, "no finish reason"),
    }
}

/// A text, or parts of it.
fn content(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(content)) => content.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| text(part, "/text")).collect(),
        _ => String::new(),
    }
}

fn usage(body: &Value) -> Option<TokenUsage> {
    let usage = body.get("usage").filter(|usage| usage.get("prompt_tokens").is_some())?;
    let read = tokens(usage, "/prompt_tokens_details/cached_tokens");
    // Gateways in front of Anthropic say so; OpenAI does not charge for writing.
    let written = tokens(usage, "/prompt_tokens_details/cache_write_tokens");
    let prompt = tokens(usage, "/prompt_tokens");
    Some(TokenUsage {
        input: prompt.saturating_sub(read).saturating_sub(written),
        output: tokens(usage, "/completion_tokens"),
        reasoning: tokens(usage, "/completion_tokens_details/reasoning_tokens"),
        cache_read: read,
        cache_write_5m: written,
        cache_write_1h: 0,
    })
}
