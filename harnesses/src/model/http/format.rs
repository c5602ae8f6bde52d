//! What the endpoint has to know of a provider's API: one row for each provider.

use serde_json::Value;

use super::finish::Answer;
use super::location::VertexLocation;
use crate::model::request::Request;
use crate::usage::TokenUsage;

/// A provider's API.
#[derive(Debug)]
pub(super) struct ApiFormat {
    /// The environment's variables that hold the key, in the order in which they are looked at.
    pub(super) key_variables: &'static [&'static str],
    /// The header that carries the key, and the prefix of its value.
    pub(super) key_header: (&'static str, &'static str),
    /// Headers of every request.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// Whether servers of others than the provider speak the format and may do without a key.
    pub(super) is_spoken_by_others: bool,
    /// Whether the address needs a project and a region.
    pub(super) needs_location: bool,
    /// The provider's own base URL.
    pub(super) base_url: fn(Option<&VertexLocation>) -> String,
    /// The path of a base URL, without a slash at its end, in its regular form.
    pub(super) base_path: fn(&str) -> String,
    /// The path below the base URL that answers for a model.
    pub(super) method: fn(model: &str, Option<&VertexLocation>) -> Vec<String>,
    /// The body of a request; whether it goes to the provider itself. Or why the format cannot say it.
    pub(super) body: fn(&Request, is_own: bool) -> Result<Value, String>,
    /// The answer in a body, or what is missing in it.
    pub(super) parse: fn(&Value) -> Result<Answer, &'static str>,
    /// The tokens that a body says were used.
    pub(super) usage: fn(&Value) -> Option<TokenUsage>,
}
