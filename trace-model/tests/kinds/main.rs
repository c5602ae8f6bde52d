//! Each kind of real-world fault in Claude Code's transcripts, by examples of our own: what it is,
//! and the totals that are right for it.

// `json!` values are made to be given away.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

#[path = "../common/mod.rs"]
mod common;

mod background;
mod bytes;
mod fields;
mod files;
mod following;
mod rewinds;
mod turns;
mod usage;
