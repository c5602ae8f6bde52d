//! The model that an arm may ask for itself, to summarize or to extract facts, and what that costs.

use trace_model::pricing::Dollars;

use crate::usage::TokenUsage;

/// What the model replied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperReply {
    /// The text.
    pub text: String,
    /// Its usage.
    pub usage: TokenUsage,
    /// Its cost; `None` if it has no price.
    pub dollars: Option<Dollars>,
    /// Whether it refused.
    pub refused: bool,
}

/// A model that an arm may ask.
pub trait HelperModel: Send + Sync {
    /// Its reply to a text under instructions.
    ///
    /// # Errors
    /// If the call fails.
    fn ask(&self, instructions: &str, text: &str) -> anyhow::Result<HelperReply>;
}

/// An arm's spending on its own models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HelperUsage {
    /// Calls.
    pub calls: u64,
    /// Tokens in, estimated where no model was called.
    pub input: u64,
    /// Tokens out.
    pub output: u64,
    /// What that cost.
    pub cost: HelperCost,
    /// Requests that were refused.
    pub refusals: u64,
    /// Requests to the second model.
    pub fallbacks: u64,
    /// Facts dropped because their value is not in their text verbatim.
    pub not_verbatim: u64,
}

/// What an arm's own calls cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HelperCost {
    /// No model was called: the price of the tokens is estimated.
    #[default]
    Estimated,
    /// This much.
    Paid(Dollars),
    /// Some of it has no known price.
    Unpriced,
}

impl HelperUsage {
    /// Adds a call that was made.
    pub fn paid(&mut self, usage: &TokenUsage, dollars: Option<Dollars>) {
        self.calls += 1;
        self.input += usage.all_input();
        self.output += usage.output;
        self.cost = match (self.cost, dollars) {
            (HelperCost::Estimated, Some(dollars)) => HelperCost::Paid(dollars),
            (HelperCost::Paid(sum), Some(dollars)) => HelperCost::Paid(sum + dollars),
            (HelperCost::Unpriced, _) | (_, None) => HelperCost::Unpriced,
        };
    }

    /// Adds another model's calls.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.input += other.input;
        self.output += other.output;
        self.cost = match (self.cost, other.cost) {
            (HelperCost::Paid(a), HelperCost::Paid(b)) => HelperCost::Paid(a + b),
            (HelperCost::Estimated, cost) | (cost, HelperCost::Estimated) => cost,
            (HelperCost::Unpriced, _) | (_, HelperCost::Unpriced) => HelperCost::Unpriced,
        };
    }
}
