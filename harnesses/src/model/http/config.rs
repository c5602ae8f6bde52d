//! What an endpoint is made from.

use std::time::Duration;

use serde_json::{Map, Value};

use super::address::Address;
use super::format::ApiFormat;
use super::location::VertexLocation;
use super::providers;
use crate::model::error::CallError;
use crate::model::error_kind::ErrorKind;
use crate::model::request::Provider;

/// What an endpoint is made from.
#[derive(Debug, Clone)]
pub struct EndpointConfig {
    /// Whose format it speaks.
    pub provider: Provider,
    /// Its base URL; none for the provider's own.
    pub base_url: Option<String>,
    /// Time limit for connecting.
    pub connect_timeout: Duration,
    /// Time limit for a whole attempt.
    pub timeout: Duration,
    /// A JSON merge patch (RFC 7396) onto every request body.
    pub extra_body: Map<String, Value>,
    /// For Vertex AI.
    pub vertex: Option<VertexLocation>,
}

impl EndpointConfig {
    /// The provider's own address, ten seconds to connect and five minutes a call.
    #[must_use]
    pub fn new(provider: Provider) -> Self {
        Self {
            provider,
            base_url: None,
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(300),
            extra_body: Map::new(),
            vertex: None,
        }
    }

    pub(super) fn format(&self) -> &'static ApiFormat {
        providers::format(self.provider)
    }

    pub(super) fn address(&self) -> Result<Address, CallError> {
        Address::new(self.format(), self.base_url.as_deref(), self.vertex.as_ref()).map_err(
            |detail| {
                let host = self.base_url.as_deref().map_or(self.provider.name(), |_| "--base-url");
                CallError::new(ErrorKind::BadRequest, host, detail)
            },
        )
    }

    /// Providers need a key; a local server may do without, and so may an OpenAI-compatible one anywhere.
    pub(super) fn is_key_optional(&self, address: &Address) -> bool {
        address.is_loopback() || (self.format().is_spoken_by_others && !address.is_openai())
    }

    /// A patch may not change what the runner itself decides and accounts for.
    pub(super) fn check_extra_body(&self) -> Result<(), String> {
        const OURS: [&str; 10] = [
            "model",
            "messages",
            "system",
            "contents",
            "stream",
            "n",
            "best_of",
            "max_tokens",
            "max_completion_tokens",
            "systemInstruction",
        ];
        let limits = |value: &Value| {
            ["maxOutputTokens", "candidateCount"].iter().any(|name| value.get(name).is_some())
        };
        let ours = self.extra_body.keys().find(|key| OURS.contains(&key.as_str()));
        match ours {
            Some(key) => Err(format!(
                "--extra-body may not set `{key}`: there is an argument for it, or \
                 a run depends on it"
            )),
            None if self.extra_body.get("generationConfig").is_some_and(limits) => {
                Err("--extra-body may not set how much is written: use --max-output-tokens"
                    .to_owned())
            }
            None => Ok(()),
        }
    }
}
