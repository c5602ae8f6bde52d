//! Endpoints, prices and servers that the tests share.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use harnesses::model::http::{Endpoint, EndpointConfig, VertexLocation};
use harnesses::model::{
    ApiKey, Message, Pricing, Provider, Request, Runner, RunnerBuilder, Settings,
};
use serde_json::{Value, json};
use trace_model::pricing::PriceTable;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

/// No real key; long enough to be looked for everywhere.
pub(crate) const KEY: &str = "sk-test-4f9a1c77e0b2";

pub(crate) fn config(provider: Provider, base_url: &str) -> EndpointConfig {
    EndpointConfig {
        base_url: Some(base_url.to_owned()),
        timeout: Duration::from_millis(500),
        connect_timeout: Duration::from_millis(500),
        vertex: Some(VertexLocation { project: "p".into(), region: "global".into() }),
        ..EndpointConfig::new(provider)
    }
}

pub(crate) fn endpoint(provider: Provider, base_url: &str) -> Endpoint {
    Endpoint::with_key(config(provider, base_url), Some(ApiKey::new(KEY))).unwrap()
}

/// Two dollars a million tokens read, ten a million written.
pub(crate) fn prices() -> Pricing {
    let table = PriceTable::from_json(
        r#"{"date": "2026-01-01", "models": [{"name": "priced", "rates": [{"input": 2, "output": 10,
            "cache_read": "0.2", "cache_write_5m": "2.5", "cache_write_1h": 4}]}]}"#,
    );
    Pricing::new(table.unwrap(), None)
}

/// Quick to try again, so that tests are quick.
pub(crate) fn settings() -> Settings {
    Settings { max_retries: 3, first_wait: Duration::from_millis(1), ..Settings::default() }
}

pub(crate) fn builder(provider: Provider, base_url: &str) -> RunnerBuilder {
    Runner::builder(endpoint(provider, base_url)).settings(settings()).pricing(prices())
}

pub(crate) fn runner(provider: Provider, base_url: &str) -> Runner {
    builder(provider, base_url).build().unwrap()
}

pub(crate) fn request(text: &str) -> Request {
    Request::new("priced", NonZeroU32::new(100).unwrap()).message(Message::user(text))
}

/// An answer in a provider's format.
pub(crate) fn answer(provider: Provider, text: &str) -> Value {
    match provider {
        Provider::Anthropic | Provider::Vertex => json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "priced",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn", "stop_sequence": null,
            "usage": {"input_tokens": 100, "output_tokens": 10}
        }),
        Provider::OpenAi => json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "priced",
            "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": text, "refusal": null}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        }),
        Provider::Gemini => json!({
            "candidates": [{"content": {"role": "model", "parts": [{"text": text}]},
                "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10,
                "totalTokenCount": 110},
            "modelVersion": "priced"
        }),
    }
}

/// A server that gives these responses in turn, and the last one from then on.
pub(crate) async fn server(responses: Vec<ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let next = AtomicUsize::new(0);
    let respond = move |_: &wiremock::Request| {
        let at = next.fetch_add(1, Ordering::SeqCst).min(responses.len() - 1);
        responses[at].clone()
    };
    Mock::given(method("POST")).respond_with(respond).mount(&server).await;
    server
}

pub(crate) fn json_response(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

/// How many requests a server has had.
pub(crate) async fn received(server: &MockServer) -> usize {
    server.received_requests().await.unwrap_or_default().len()
}
