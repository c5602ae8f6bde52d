//! Google's Gemini API, `generateContent`.
//!
//! Format: <https://ai.google.dev/api/generate-content>. A prompt that is blocked has no candidate and a
//! `promptFeedback`; thinking is counted separately from the answer, and both are billed as output.

use serde_json::{Map, Value, json};

use super::super::completion::{Completion, StopReason};
use super::super::request::{Block, Request, Role, Thinking};
use super::fields::{text, tokens};
use super::finish::{self, Answer, Finish};
use super::format::ApiFormat;
use super::thinking;
use crate::usage::TokenUsage;

pub(super) const FORMAT: ApiFormat = ApiFormat {
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    key_header: ("x-goog-api-key", ""),
    headers: &[],
    is_spoken_by_others: false,
    needs_location: false,
    base_url: |_| "https://generativelanguage.googleapis.com/v1beta".to_owned(),
    base_path: |path| if path.is_empty() { "/v1beta" } else { path }.to_owned(),
    method: |model, _| {
        let name = model.trim_start_matches("models/");
        vec!["models".to_owned(), format!("{name}:generateContent")]
    },
    body,
    parse,
    usage,
};

fn body(request: &Request, _: bool) -> Result<Value, String> {
    let mut body = Map::new();
    let system = parts(&request.system);
    if !system.is_empty() {
        body.insert("systemInstruction".to_owned(), json!({"parts": system}));
    }
    let turns = request.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "model",
        };
        json!({"role": role, "parts": parts(&message.blocks)})
    });
    body.insert("contents".to_owned(), turns.collect());
    let mut config = json!({"maxOutputTokens": request.max_output_tokens});
    let off = match request.thinking {
        Thinking::Off => thinking::gemini(&request.model)?,
        Thinking::Default => None,
    };
    if let Some(off) = off {
        config["thinkingConfig"] = off;
    }
    body.insert("generationConfig".to_owned(), config);
    Ok(Value::Object(body))
}

fn parts(blocks: &[Block]) -> Vec<Value> {
    let some = blocks.iter().filter(|block| !block.text.is_empty());
    some.map(|block| json!({"text": block.text})).collect()
}

fn parse(body: &Value) -> Result<Answer, &'static str> {
    let usage = usage(body);
    let model_returned = text(body, "/modelVersion").map(str::to_owned);
    let blocked = text(body, "/promptFeedback/blockReason");
    let (answer, (stop, finish)) = match (body.pointer("/candidates/0"), blocked) {
        // A filter's decision on what was asked, by whatever word: asked again, it decides the same.
        (None, Some(reason)) => {
            (String::new(), (StopReason::Refusal(reason.to_owned()), Finish::Own))
        }
        (None, None) => return Err("it has no `candidates`"),
        (Some(candidate), _) => (answer(candidate), stop(text(candidate, "/finishReason"))),
    };
    let completion = Completion { text: answer, stop, model_returned, usage };
    Ok(Answer { completion, finish })
}

/// The parts of the answer that are not thoughts.
fn answer(candidate: &Value) -> String {
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let is_thought = |part: &&Value| part.get("thought").and_then(Value::as_bool) == Some(true);
    let said = parts.into_iter().flatten().filter(|part| !is_thought(part));
    said.filter_map(|part| text(part, "/text")).collect()
}

/// `OTHER`, `FINISH_REASON_UNSPECIFIED` and the `MALFORMED_` ones do not say what the model wrote: they
/// are like reasons that are not known.
fn stop(reason: Option<&str>) -> (StopReason, Finish) {
    match reason {
        Some("STOP") => (StopReason::End, Finish::Own),
        Some("MAX_TOKENS") => (StopReason::Length, Finish::Own),
        Some(
            reason @ ("SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT"
            | "SPII"),
        ) => (StopReason::Refusal(reason.to_owned()), Finish::Own),
        Some(reason @ ("UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS")) => finish::own(reason),
        other => finish::other(other, "no finish reason"),
    }
}

fn usage(body: &Value) -> Option<TokenUsage> {
    let usage = body.get("usageMetadata").filter(|it| it.get("promptTokenCount").is_some())?;
    let read = tokens(usage, "/cachedContentTokenCount");
    let thoughts = tokens(usage, "/thoughtsTokenCount");
    // The prompt's count includes what was read from a cache.
    let prompt = tokens(usage, "/promptTokenCount")
        .saturating_add(tokens(usage, "/toolUsePromptTokenCount"));
    Some(TokenUsage {
        input: prompt.saturating_sub(read),
        output: tokens(usage, "/candidatesTokenCount").saturating_add(thoughts),
        reasoning: thoughts,
        cache_read: read,
        ..TokenUsage::default()
    })
}
