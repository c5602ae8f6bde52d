//! Each kind of real-world fault in Claude Code's transcripts, by examples of our own: what it is,
//! and the totals that are right for it.

mod background;
mod bytes;
mod fields;
mod files;
mod following;
mod rewinds;
mod turns;
mod usage;
