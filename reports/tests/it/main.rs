//! What the command does, end to end.

// Helpers of tests are tests too, but the lint sees only functions marked as such.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod changes;
mod claims;
mod export;
mod page;
mod support;
mod tables;
