//! What the crate does through its public interface, over transcripts that are made here, shared or real.

// Helpers of tests are tests too, but the lint sees only functions marked as such; `json!` values are made to
// be given away.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

mod cases;
mod codex;
mod common;
mod episodes;
mod facts;
mod folder;
mod handover;
mod kinds;
mod properties;
mod quirks;
mod recognition;
mod redact;
mod requirements;
mod transcripts;
mod usage_cases;
