//! Why a call has no answer: what happened, where, and what to do about it.

use std::fmt;

use trace_model::pricing::Dollars;

use super::called::Attempt;
use super::error_kind::ErrorKind;

/// A call without an answer, with its attempts and their cost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CallError {
    /// What went wrong, at the last attempt.
    pub kind: ErrorKind,
    /// The endpoint's host, and its port where it is not the usual one.
    pub host: String,
    /// The particulars, in the provider's words where there are some; without any key.
    pub detail: String,
    /// The attempts made, the last one last.
    pub attempts: Vec<Attempt>,
    /// Their cost, in dollars known and assumed.
    pub spent: Dollars,
}

impl CallError {
    pub(crate) fn new(kind: ErrorKind, host: &str, detail: impl Into<String>) -> Self {
        Self {
            kind,
            host: host.to_owned(),
            detail: detail.into(),
            attempts: Vec::new(),
            spent: Dollars::ZERO,
        }
    }

    /// Number of retries.
    #[must_use]
    pub fn retries(&self) -> usize {
        self.attempts.len().saturating_sub(1)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, host, detail, attempts, .. } = self;
        write!(f, "{host}: {kind}")?;
        if !detail.is_empty() {
            write!(f, " ({detail})")?;
        }
        if attempts.len() > 1 {
            write!(f, ", after {} attempts", attempts.len())?;
        }
        write!(f, "; {}", kind.remedy())
    }
}
