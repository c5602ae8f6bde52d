//! What a runner sends requests to: an endpoint over HTTP, or a scripted stand-in for tests. Nothing
//! else in the runner knows whether there is a network.

use std::future::Future;
use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::completion::Completion;
use super::error_kind::ErrorKind;
use super::request::{Provider, Request};
use crate::usage::TokenUsage;

/// An attempt in flight.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<Reply, Failure>> + Send + 'a>>;

/// Which endpoint a call goes to: part of the cassette's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendId {
    /// Whose format it speaks.
    pub provider: Provider,
    /// The base URL, without any key or user.
    pub base_url: String,
    /// Fields patched into every request body.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra_body: Map<String, Value>,
}

/// An answer as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The whole body, without any key.
    pub body: String,
    /// What it says.
    pub completion: Completion,
}

/// What a failed attempt may have cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paid {
    /// Nothing.
    Nothing,
    /// What this usage costs.
    Usage(TokenUsage),
    /// Something was sent, and its cost was not stated.
    Unknown,
}

/// A failed attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The particulars, without any key.
    pub detail: String,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// Its possible cost.
    pub paid: Paid,
}

/// Where requests go.
pub trait Backend: Send + Sync {
    /// Sends a request, once. It is not retried here.
    fn send<'a>(&'a self, request: &'a Request) -> Sending<'a>;

    /// Which endpoint this is.
    fn id(&self) -> &BackendId;

    /// The host, for messages.
    fn host(&self) -> &str;

    /// No fewer tokens than the provider can count in the request's input. By default, its bytes: no
    /// tokenizer in use makes more tokens than there are bytes; and room for each turn's framing.
    fn most_input_tokens(&self, request: &Request) -> u64 {
        const FRAMING: u64 = 64;
        request.blocks().fold(FRAMING, |sum, block| {
            sum.saturating_add(block.text.len() as u64).saturating_add(FRAMING)
        })
    }
}

/// A backend that answers from a function: for tests of whatever uses a runner.
pub struct Scripted<F> {
    id: BackendId,
    answer: F,
}

impl<F> Scripted<F>
where
    F: Fn(&Request) -> Result<Reply, Failure> + Send + Sync,
{
    /// Answers each request with what the function gives.
    pub fn new(answer: F) -> Self {
        let id = BackendId {
            provider: Provider::OpenAi,
            base_url: "scripted:".to_owned(),
            extra_body: Map::new(),
        };
        Self { id, answer }
    }
}

impl<F> Backend for Scripted<F>
where
    F: Fn(&Request) -> Result<Reply, Failure> + Send + Sync,
{
    fn send<'a>(&'a self, request: &'a Request) -> Sending<'a> {
        Box::pin(async move { (self.answer)(request) })
    }

    fn id(&self) -> &BackendId {
        &self.id
    }

    fn host(&self) -> &'static str {
        "scripted"
    }
}

impl Reply {
    /// An answer of a scripted model, with the usage given.
    pub fn scripted(model: &str, text: impl Into<String>, usage: TokenUsage) -> Self {
        let completion = Completion {
            text: text.into(),
            stop: super::completion::StopReason::End,
            model_returned: Some(model.to_owned()),
            usage: Some(usage),
        };
        Self { status: 200, body: String::new(), completion }
    }
}
