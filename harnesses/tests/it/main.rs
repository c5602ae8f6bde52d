//! The instruments as their callers see them.

// Helpers of tests are tests too, but the lint sees only functions marked as such.
#![allow(clippy::unwrap_used)]

mod commands;
mod comprehend;
mod comprehend_handover;
mod comprehend_model;
mod comprehend_readers;
mod continuation;
mod continuation_arms;
mod continuation_model;
mod detect;
mod fidelity;
mod handover;
mod model;
mod replay;
mod support;
