//! The tests of ground-truth, as one binary.
//!
//! What `shared/cases`, `shared/quirks` or real transcripts are needed for is ignored, with the reason, where
//! they are not there.

#![allow(clippy::unwrap_used)] // in helpers of tests too, a panic is a failed test

mod expectations;
mod graders_adversarial;
mod graders_forms;
mod graders_properties;
mod oracle_cases;
mod oracle_codex;
mod oracle_examples;
mod oracle_quirks;
mod oracle_transcripts;
mod prices;
mod questions_runs;
mod questions_support;
mod questions_transcripts;
mod replay;
mod stats_bootstrap;
mod stats_vectors;
mod transcripts;
