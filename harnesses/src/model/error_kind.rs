//! What can go wrong with a call, what it means for the run, and what to do about it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The environment lacks a key.
    MissingKey {
        /// The variable to set.
        variable: String,
    },
    /// The key is not accepted, or not for this.
    Unauthorized,
    /// The account has no credit left, or has reached its own limit.
    Billing,
    /// Too many requests.
    RateLimited {
        /// When to come back, if the provider says.
        retry_after: Option<Duration>,
    },
    /// The provider has too much to do.
    Overloaded {
        /// When to come back, if the provider says.
        retry_after: Option<Duration>,
    },
    /// Too many requests, or too much to do, for longer than the run waits.
    AskedToWait {
        /// When to come back.
        retry_after: Duration,
    },
    /// The server failed.
    Server,
    /// No connection came about: nothing was sent.
    Unreachable,
    /// The connection broke after something was sent.
    Connection,
    /// The whole call took too long.
    Timeout,
    /// The answer is not of the provider's format.
    BadResponse,
    /// The provider does not accept the request: too long, a parameter it does not know.
    BadRequest,
    /// Unknown model or address.
    NotFound,
    /// The next attempt could pass the budget.
    BudgetExhausted,
    /// There is a budget, but no price.
    Unpriced,
    /// The cassette does not hold the call, and nothing may be sent.
    CassetteMiss,
    /// The cassette's file of the call cannot be used.
    CassetteCorrupt,
    /// The cassette or the ledger cannot be written.
    Storage,
    /// The run was asked to stop.
    Stopping,
}

impl ErrorKind {
    /// Whether the same attempt may succeed a little later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Overloaded { .. }
                | Self::Server
                | Self::Unreachable
                | Self::Connection
                | Self::Timeout
                | Self::BadResponse
        )
    }

    /// Whether every other call of the run would fail the same way: it is time to end it, with what is
    /// done kept.
    #[must_use]
    pub fn ends_run(&self) -> bool {
        matches!(
            self,
            Self::MissingKey { .. }
                | Self::Unauthorized
                | Self::Billing
                | Self::AskedToWait { .. }
                | Self::Unreachable
                | Self::NotFound
                | Self::BudgetExhausted
                | Self::Unpriced
                | Self::CassetteMiss
                | Self::CassetteCorrupt
                | Self::Storage
                | Self::Stopping
        )
    }

    /// Whether the provider looked at this request and would not have it: the same call, made again,
    /// fails again. It is a result of this call, to be recorded as such.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::BadRequest)
    }

    /// When to come back, if the provider says.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after } | Self::Overloaded { retry_after } => *retry_after,
            _ => None,
        }
    }

    /// Whether fewer calls at once would help.
    #[must_use]
    pub fn is_congestion(&self) -> bool {
        matches!(self, Self::RateLimited { .. } | Self::Overloaded { .. })
    }

    /// What to do about it.
    pub(super) fn remedy(&self) -> &'static str {
        match self {
            Self::MissingKey { .. } => {
                "set it in the environment (keys are read from nowhere else)"
            }
            Self::Unauthorized => "check that the key in the environment is valid for this address",
            Self::Billing => "check the account's credit and limits with the provider",
            Self::RateLimited { .. } => "lower --concurrency or raise --max-retries, and run again",
            Self::Overloaded { .. } | Self::Server => "run again later; what is done is kept",
            Self::AskedToWait { .. } => "run again then, or raise --max-wait; what is done is kept",
            Self::Unreachable => "check --base-url and that the server is running",
            Self::Connection => "run again; what is done is kept",
            Self::Timeout => "raise --timeout, or lower --concurrency",
            Self::BadResponse => "check that --base-url speaks the provider's format",
            Self::BadRequest => {
                "check --model, --max-output-tokens, --thinking and --extra-body, and that what is \
                 sent fits the model's context window"
            }
            Self::NotFound => "check --model and --base-url",
            Self::BudgetExhausted => "raise --budget and run again; what is done is kept",
            Self::Unpriced => {
                "give prices with --prices FILE, or --free for a server on this machine, or leave out \
                 --budget"
            }
            Self::CassetteMiss => "use --cassette-mode record to make the call",
            Self::CassetteCorrupt => "restore the file, or move it away to make its calls again",
            Self::Storage => "free space or choose another folder, and run again",
            Self::Stopping => "run the same command again to go on; what is done is kept",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissingKey { variable } => return write!(f, "{variable} is not set"),
            Self::Unauthorized => "the key was not accepted",
            Self::Billing => "the account may not spend",
            Self::RateLimited { .. } => "too many requests",
            Self::Overloaded { .. } => "the provider is overloaded",
            Self::AskedToWait { retry_after } => {
                return write!(f, "the provider asks to come back in {} s", retry_after.as_secs());
            }
            Self::Server => "the server failed",
            Self::Unreachable => "the server cannot be reached",
            Self::Connection => "the connection broke",
            Self::Timeout => "the call took too long",
            Self::BadResponse => "the answer cannot be read",
            Self::BadRequest => "the request was not accepted",
            Self::NotFound => "not found",
            Self::BudgetExhausted => "the budget is exhausted",
            Self::Unpriced => "the model has no known price, so a budget cannot be kept",
            Self::CassetteMiss => "the cassette does not hold this call",
            Self::CassetteCorrupt => "the cassette's file cannot be used",
            Self::Storage => "a record of the call cannot be written",
            Self::Stopping => "the run was asked to stop",
        })
    }
}
