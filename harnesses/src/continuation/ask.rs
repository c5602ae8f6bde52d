//! A model that an arm asks by itself: to summarize, or to extract facts.

use trace_model::pricing::Dollars;

use crate::recording::Usage;

/// What it answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// What it took.
    pub usage: Usage,
    /// What that costs; none if it has no price.
    pub dollars: Option<Dollars>,
    /// Whether it refused.
    pub refused: bool,
}

/// Somebody to ask.
pub trait Ask: Send + Sync {
    /// The answer about a text.
    ///
    /// # Errors
    /// If none can be had.
    fn ask(&self, instructions: &str, text: &str) -> anyhow::Result<Answer>;
}
