//! What goes over the wire to each provider.

use std::num::NonZeroU32;

use harnesses::model::http::Endpoint;
use harnesses::model::{
    ApiKey, Backend as _, Block, CacheTtl, Message, Provider, Request, Thinking,
};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::support::{
    KEY, answer, config, endpoint, json_response, received, request, runner, server,
};

/// Instructions, a cached turn, an answer to it and a question.
fn conversation(model: &str) -> Request {
    Request::new(model, NonZeroU32::new(77).unwrap())
        .system(Block::cached("Be brief.", CacheTtl::OneHour))
        .message(Message::user("The log.").cached(CacheTtl::FiveMinutes))
        .message(Message::assistant("Read."))
        .message(Message {
            role: harnesses::model::Role::User,
            blocks: vec![Block::new("How "), Block::new("many?")],
        })
}

async fn sent(provider: Provider, model: &str) -> (Value, String, Vec<(String, String)>) {
    let server = server(vec![json_response(&answer(provider, "3"))]).await;
    endpoint(provider, &server.uri()).send(&conversation(model)).await.unwrap();
    let got = server.received_requests().await.unwrap().swap_remove(0);
    let headers = got
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    (got.body_json().unwrap(), got.url.path().to_owned(), headers.collect())
}

fn has(headers: &[(String, String)], name: &str, value: &str) -> bool {
    headers.contains(&(name.to_owned(), value.to_owned()))
}

#[tokio::test]
async fn anthropic_gets_the_messages_api() {
    let (body, path, headers) = sent(Provider::Anthropic, "claude-opus-5").await;
    assert_eq!(path, "/v1/messages");
    assert!(has(&headers, "x-api-key", KEY) && has(&headers, "anthropic-version", "2023-06-01"));
    let expected = json!({
        "model": "claude-opus-5", "max_tokens": 77, "thinking": {"type": "disabled"},
        "system": [{"type": "text", "text": "Be brief.",
            "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "The log.",
                "cache_control": {"type": "ephemeral", "ttl": "5m"}}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Read."}]},
            {"role": "user", "content": [{"type": "text", "text": "How "},
                {"type": "text", "text": "many?"}]}
        ]
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn vertex_gets_the_same_with_the_model_in_the_address() {
    let (body, path, headers) = sent(Provider::Vertex, "claude-haiku-4-5@20251001").await;
    let place = "/v1/projects/p/locations/global/publishers/anthropic/models";
    assert_eq!(path, format!("{place}/claude-haiku-4-5@20251001:rawPredict"));
    assert!(has(&headers, "authorization", &format!("Bearer {KEY}")));
    assert_eq!(body["anthropic_version"], "vertex-2023-10-16");
    assert!(body.get("model").is_none() && body.get("thinking").is_none());
    assert_eq!(body["max_tokens"], 77);
}

#[tokio::test]
async fn openai_servers_get_chat_completions() {
    let (body, path, headers) = sent(Provider::OpenAi, "qwen3").await;
    assert_eq!(path, "/v1/chat/completions");
    assert!(has(&headers, "authorization", &format!("Bearer {KEY}")));
    let expected = json!({
        "model": "qwen3", "max_tokens": 77,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "The log."},
            {"role": "assistant", "content": "Read."},
            {"role": "user", "content": "How many?"}
        ]
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn gemini_gets_generate_content_and_the_key_in_a_header() {
    let (body, path, headers) = sent(Provider::Gemini, "gemini-2.5-flash").await;
    assert_eq!(path, "/v1beta/models/gemini-2.5-flash:generateContent");
    assert!(has(&headers, "x-goog-api-key", KEY));
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "The log."}]},
            {"role": "model", "parts": [{"text": "Read."}]},
            {"role": "user", "parts": [{"text": "How "}, {"text": "many?"}]}
        ],
        "generationConfig": {"maxOutputTokens": 77, "thinkingConfig": {"thinkingBudget": 0}}
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn extra_fields_are_merged_and_may_not_change_what_is_accounted_for() {
    let server = server(vec![json_response(&answer(Provider::OpenAi, "3"))]).await;
    let with = |extra: Value| {
        let mut config = config(Provider::OpenAi, &server.uri());
        config.extra_body = extra.as_object().unwrap().clone();
        Endpoint::with_key(config, None)
    };
    let extra = json!({"chat_template_kwargs": {"enable_thinking": false}});
    with(extra).unwrap().send(&request("q")).await.unwrap();
    let body: Value = server.received_requests().await.unwrap()[0].body_json().unwrap();
    assert_eq!(body["chat_template_kwargs"]["enable_thinking"], false);
    for extra in [json!({"n": 4}), json!({"max_tokens": 9}), json!({"stream": true})] {
        let error = with(extra).unwrap_err().to_string();
        assert!(error.contains("--extra-body may not set"), "{error}");
    }
}

#[tokio::test]
async fn a_model_that_cannot_stop_thinking_is_refused_before_anything_is_sent() {
    let server = server(vec![json_response(&answer(Provider::Anthropic, "3"))]).await;
    let endpoint = endpoint(Provider::Anthropic, &server.uri());
    let request = conversation("claude-opus-5-5");
    let error = endpoint.check(&request).unwrap_err().to_string();
    assert!(error.contains("claude-opus-5-5") && error.contains("--thinking default"), "{error}");
    assert!(endpoint.send(&request).await.is_err());
    assert_eq!(received(&server).await, 0);
    endpoint.check(&Request { thinking: Thinking::Default, ..request }).unwrap();
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = server(vec![json_response(&answer(Provider::OpenAi, "3"))]).await;
    let redirect = ResponseTemplate::new(307).insert_header("location", elsewhere.uri().as_str());
    let server = server(vec![redirect]).await;
    let error = runner(Provider::OpenAi, &server.uri()).call(&request("q"), 0).await.unwrap_err();
    assert!(error.to_string().contains("redirects to"), "{error}");
    assert_eq!(received(&elsewhere).await, 0);
}

#[tokio::test]
async fn a_key_does_not_travel_in_the_clear() {
    let config = config(Provider::OpenAi, "http://gpu-box.test:8000");
    assert!(Endpoint::with_key(config.clone(), None).is_ok());
    let error = Endpoint::with_key(config, Some(ApiKey::new(KEY))).unwrap_err().to_string();
    assert!(error.contains("in the clear") && !error.contains(KEY), "{error}");
}
