//! The words that the views have in common.

use crate::event::{Outcome, Source};

/// The word for who an event comes from.
pub(super) fn source_name(source: Source) -> &'static str {
    match source {
        Source::User => "user",
        Source::Agent => "agent",
        Source::Tool => "tool",
        Source::System => "system",
        Source::Meta => "meta",
    }
}

/// The word for how a call ended.
pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Succeeded => "ok",
        Outcome::Failed => "FAILED",
        Outcome::Denied => "DENIED",
        Outcome::Interrupted => "INTERRUPTED",
        Outcome::Cancelled => "CANCELLED",
    }
}
