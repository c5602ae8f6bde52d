//! Which format each provider has.

use super::format::ApiFormat;
use super::{anthropic, gemini, openai, vertex};
use crate::model::request::Provider;

/// The format of a provider.
pub(super) fn format(provider: Provider) -> &'static ApiFormat {
    match provider {
        Provider::Anthropic => &anthropic::FORMAT,
        Provider::OpenAi => &openai::FORMAT,
        Provider::Gemini => &gemini::FORMAT,
        Provider::Vertex => &vertex::FORMAT,
    }
}
