//! What a model answered, in no provider's own words.

use crate::usage::TokenUsage;

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// It was done.
    End,
    /// It reached its output token limit, or the end of its context window.
    Length,
    /// It, or a filter before or after it, refused. The provider's words or code for it.
    Refusal(String),
    /// Anything else, by the provider's word.
    Other(String),
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The answer's text, without thinking; it may be empty.
    pub text: String,
    /// Why it ended.
    pub stop: StopReason,
    /// The model that answered, by the provider's word; none if the provider does not say.
    pub model_returned: Option<String>,
    /// Its usage, if the provider reports it: nothing is estimated.
    pub usage: Option<TokenUsage>,
}

impl Completion {
    /// Whether the model, or a filter, refused.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.stop, StopReason::Refusal(_))
    }

    /// Whether it has no text without being a refusal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.is_refusal() && self.text.trim().is_empty()
    }
}
