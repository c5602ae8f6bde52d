//! Endpoints over HTTP: the clients of four wire formats. Everything that touches a key, a socket or a
//! provider's JSON is here.

mod address;
mod anthropic;
mod classify;
mod config;
mod fields;
mod finish;
mod format;
mod gemini;
mod location;
mod openai;
mod providers;
mod retry_after;
mod thinking;
mod vertex;

use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use serde_json::Value;
use trace_model::text::one_line;

use super::backend::{Backend, BackendId, Failure, Paid, Reply, Sending};
use super::completion::Completion;
use super::error::CallError;
use super::error_kind::ErrorKind;
use super::key::ApiKey;
use super::request::{Provider, Request};
use crate::usage::TokenUsage;
use address::Address;
pub use config::EndpointConfig;
use format::ApiFormat;
pub use location::VertexLocation;

/// The largest request, in bytes: Anthropic's own limit, the smallest documented one.
const MOST_REQUEST_BYTES: usize = 32 << 20;
/// The largest answer that is read, in bytes.
const MOST_ANSWER_BYTES: usize = 16 << 20;
/// Characters of a provider's message that are kept.
const DETAIL_CHARS: usize = 400;

/// An endpoint that requests are sent to.
#[derive(Debug)]
pub struct Endpoint {
    id: BackendId,
    address: Address,
    key: Option<ApiKey>,
    headers: HeaderMap,
    client: reqwest::Client,
}

impl Endpoint {
    /// An endpoint, with its key from the environment.
    ///
    /// # Errors
    /// If the key is missing or the address unusable, with what to do about it.
    pub fn from_environment(config: EndpointConfig) -> Result<Self, CallError> {
        let address = config.address()?;
        let key = match ApiKey::from_environment(config.format().key_variables) {
            Ok(key) => Some(key),
            // A local server need not ask for one.
            Err(_) if config.is_key_optional(&address) => None,
            Err(kind) => return Err(CallError::new(kind, address.host(), "")),
        };
        Self::with_key(config, key)
    }

    /// An endpoint with a key of the caller's.
    ///
    /// # Errors
    /// If the address or the key is unusable.
    pub fn with_key(config: EndpointConfig, key: Option<ApiKey>) -> Result<Self, CallError> {
        let address = config.address()?;
        let bad = |detail: String| CallError::new(ErrorKind::BadRequest, address.host(), detail);
        config.check_extra_body().map_err(bad)?;
        if key.is_some() && address.is_plain_and_far() {
            return Err(bad(
                "its address begins with http:, so the key would travel in the clear: \
                 use https:, or unset the key"
                    .to_owned(),
            ));
        }
        let headers = headers(config.format(), key.as_ref()).map_err(bad)?;
        let client = client(&config, &address)
            .map_err(|error| bad(format!("no client: {}", chain(&error))))?;
        let id = BackendId {
            provider: config.provider,
            base_url: address.base_url(),
            extra_body: config.extra_body,
        };
        Ok(Self { id, address, key, headers, client })
    }

    /// Whether the endpoint is on this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.address.is_loopback()
    }

    /// Whether a request could be sent as it is: whether its format can say all that it asks for.
    ///
    /// # Errors
    /// [`ErrorKind::BadRequest`], with what to change.
    pub fn check(&self, request: &Request) -> Result<(), CallError> {
        let fail = |detail| CallError::new(ErrorKind::BadRequest, self.address.host(), detail);
        self.body(request).map(drop).map_err(fail)
    }

    /// The body of a request.
    fn body(&self, request: &Request) -> Result<Value, String> {
        let mut body = (self.format().body)(request, self.address.is_openai())?;
        fields::merge(&mut body, &self.id.extra_body);
        Ok(body)
    }

    async fn exchange(&self, request: &Request) -> Result<Reply, Failure> {
        let body = self.body(request).map_err(refused)?;
        let bytes = serde_json::to_vec(&body).map_err(|error| refused(error.to_string()))?;
        if bytes.len() > MOST_REQUEST_BYTES {
            return Err(refused(format!(
                "it has {} bytes, and at most {MOST_REQUEST_BYTES} are sent",
                bytes.len()
            )));
        }
        let url = self.address.of(&request.model).map_err(refused)?;
        let sending = self.client.post(url).headers(self.headers.clone()).body(bytes);
        let answer = sending.send().await.map_err(|error| self.broken(&error, None))?;
        let status = answer.status().as_u16();
        let headers = answer.headers().clone();
        let text = self.read(answer, status).await?;
        if !(200..300).contains(&status) {
            let body = serde_json::from_str(&text).unwrap_or(Value::Null);
            return Err(self.complaint(status, &headers, &body, &text));
        }
        self.understand(status, &headers, text)
    }

    /// The body of an answer, without the key.
    async fn read(&self, mut answer: reqwest::Response, status: u16) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        while let Some(chunk) =
            answer.chunk().await.map_err(|error| self.broken(&error, Some(status)))?
        {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > MOST_ANSWER_BYTES {
                return Err(Failure {
                    kind: ErrorKind::BadResponse,
                    detail: format!("it is longer than {MOST_ANSWER_BYTES} bytes"),
                    status: Some(status),
                    paid: Paid::Unknown,
                });
            }
        }
        Ok(self.scrub(&String::from_utf8_lossy(&bytes)))
    }

    /// What an answer says, if it is one of the model's.
    fn understand(&self, status: u16, headers: &HeaderMap, text: String) -> Result<Reply, Failure> {
        let failure = |kind, detail: &str, paid| Failure {
            kind,
            detail: one_line(detail, DETAIL_CHARS, None),
            status: Some(status),
            paid,
        };
        let bad = |detail: &str, paid| failure(ErrorKind::BadResponse, detail, paid);
        let body: Value = serde_json::from_str(&text)
            .map_err(|error| bad(&format!("it is not JSON: {error}"), Paid::Unknown))?;
        // Gateways wrap a failure in a success, some of them beside the beginning of an answer.
        if fields::has_error(&body) {
            return Err(self.wrapped(status, headers, &body, &text));
        }
        let paid = self.usage(&body).map_or(Paid::Unknown, Paid::Usage);
        match (self.format().parse)(&body) {
            Ok(answer) => match answer.fault() {
                None => Ok(Reply { status, body: text, completion: answer.completion }),
                Some(fault) => Err(failure(ErrorKind::Server, &fault, paid)),
            },
            Err(_) if fields::message(&body).is_some() => {
                Err(self.wrapped(status, headers, &body, &text))
            }
            Err(detail) => Err(bad(detail, paid)),
        }
    }

    /// A failure inside an answer with the status of a success: by its code, as if that were the status. Usage
    /// it reports is charged.
    fn wrapped(&self, status: u16, headers: &HeaderMap, body: &Value, text: &str) -> Failure {
        let code = fields::code(body).unwrap_or(500);
        let failure = self.complaint(code, headers, body, text);
        let paid = self.usage(body).map_or(failure.paid, Paid::Usage);
        Failure { status: Some(status), paid, ..failure }
    }

    fn usage(&self, body: &Value) -> Option<TokenUsage> {
        (self.format().usage)(body)
    }

    fn format(&self) -> &'static ApiFormat {
        providers::format(self.id.provider)
    }

    /// An answer with the status of a failure.
    fn complaint(&self, status: u16, headers: &HeaderMap, body: &Value, text: &str) -> Failure {
        let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let retry_after =
            header(RETRY_AFTER).and_then(|value| retry_after::parse(value, SystemTime::now()));
        let mut failure = classify::complaint(status, retry_after, body, text);
        if (300..400).contains(&status) {
            let elsewhere = self.scrub(header(LOCATION).unwrap_or("an unnamed place"));
            failure.detail = format!(
                "status {status}: it redirects to {elsewhere}, and keys are not sent on: give the \
                 final address as --base-url"
            );
        }
        failure.detail = one_line(&failure.detail, DETAIL_CHARS, None);
        failure
    }

    /// A connection that did not come about, or broke.
    fn broken(&self, error: &reqwest::Error, status: Option<u16>) -> Failure {
        let (kind, paid) = match () {
            () if error.is_connect() => (ErrorKind::Unreachable, Paid::Nothing),
            () if error.is_builder() => (ErrorKind::BadRequest, Paid::Nothing),
            () if error.is_timeout() => (ErrorKind::Timeout, Paid::Unknown),
            () => (ErrorKind::Connection, Paid::Unknown),
        };
        let detail = one_line(&self.scrub(&chain(error)), DETAIL_CHARS, None);
        Failure { kind, detail, status, paid }
    }

    fn scrub(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.scrub(text))
    }
}

impl Backend for Endpoint {
    fn send<'a>(&'a self, request: &'a Request) -> Sending<'a> {
        Box::pin(self.exchange(request))
    }

    fn id(&self) -> &BackendId {
        &self.id
    }

    fn host(&self) -> &str {
        self.address.host()
    }
}

/// What the body of a provider's answer says, as when it came: for answers that were recorded.
pub(super) fn completion(provider: Provider, body: &str) -> Result<Completion, String> {
    let body: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    Ok((providers::format(provider).parse)(&body)?.completion)
}

/// A request that is not sent.
fn refused(detail: String) -> Failure {
    Failure { kind: ErrorKind::BadRequest, detail, status: None, paid: Paid::Nothing }
}

fn headers(format: &ApiFormat, key: Option<&ApiKey>) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in format.headers {
        headers.insert(*name, HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let (name, prefix) = format.key_header;
        let value = key.header(prefix).ok_or_else(|| {
            "the key has characters that no header can hold: check how it was set".to_owned()
        })?;
        headers.insert(name, value);
    }
    Ok(headers)
}

fn client(config: &EndpointConfig, address: &Address) -> reqwest::Result<reqwest::Client> {
    // An error says that there is one already, which will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        // A redirect could take the key and the transcript to another host.
        .redirect(Policy::none())
        .connect_timeout(config.connect_timeout)
        .timeout(config.timeout)
        .pool_idle_timeout(Duration::from_secs(30))
        .user_agent(concat!("tracefold/", env!("CARGO_PKG_VERSION")));
    if address.is_loopback() {
        // What is meant for this machine goes through no proxy.
        builder = builder.no_proxy();
    }
    builder.build()
}

/// An error and its causes, without the address.
fn chain(error: &reqwest::Error) -> String {
    let mut text = String::new();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    if text.is_empty() { "no particulars".to_owned() } else { text }
}
