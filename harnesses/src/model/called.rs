//! An answered call: the answer, the attempts and their cost.

use serde::{Deserialize, Serialize};
use trace_model::pricing::{Dollars, Priced};

use super::completion::Completion;
use super::error_kind::ErrorKind;

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// With an answer.
    Completed,
    /// Without.
    Failed(ErrorKind),
}

/// What an attempt cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// Nothing: nothing was sent, or the provider turned it away.
    #[default]
    Nothing,
    /// The price of its usage.
    Known(Dollars),
    /// Its usage is unknown, for instance because the connection broke: its reservation, the maximum cost.
    Assumed(Dollars),
    /// Tokens were used that have no known price, or it is not known how many.
    Unpriced,
}

impl Charge {
    /// The dollars, known or assumed.
    #[must_use]
    pub fn dollars(self) -> Dollars {
        match self {
            Self::Known(dollars) | Self::Assumed(dollars) => dollars,
            Self::Nothing | Self::Unpriced => Dollars::ZERO,
        }
    }
}

/// One attempt of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// How it ended.
    pub outcome: AttemptOutcome,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// Milliseconds waited before it because the one before had failed.
    pub waited_ms: u64,
    /// What it cost now: nothing from a cassette. The ledger of the run that paid has the charge.
    #[serde(skip)]
    pub charge: Charge,
}

/// Where an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerSource {
    /// The endpoint.
    Live,
    /// The cassette: nothing was sent or paid now.
    Cassette,
}

/// An answered call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The answer.
    pub completion: Completion,
    /// The attempts in order; from a cassette, those made when it was recorded.
    pub attempts: Vec<Attempt>,
    /// The price of the answer's usage, whether it was paid now or when it was recorded; none if the
    /// provider did not say what was used.
    pub priced: Option<Priced>,
    /// The model name whose price was taken: the returned one if the table has it, otherwise the one
    /// asked for.
    pub priced_as: String,
    /// Spending on all attempts this time, in dollars known and assumed; nothing from a cassette.
    pub spent: Dollars,
    /// Where it came from.
    pub served: AnswerSource,
}

impl Called {
    /// Failed attempts before the answer.
    #[must_use]
    pub fn retries(&self) -> usize {
        self.attempts.len().saturating_sub(1)
    }
}
