//! The provider's prompt cache, simulated: what each request of a run would read from it, write to it and
//! pay in full, so that what caching does to a context policy can be studied with no key. Used by
//! CONTINUE's accounting of workers that call no endpoint; its figures are simulated and labelled so.
//!
//! # Rules
//!
//! Those of Anthropic's Messages API, from "Prompt caching" of the Claude Platform Docs
//! (<https://platform.claude.com/docs/en/build-with-claude/prompt-caching>, read 2026-11-29 in a copy of
//! autumn 2026):
//!
//! 1. A request is a sequence of blocks in the order tools, system, messages. A block can carry a breakpoint;
//!    more than [`CacheRules::max_breakpoints`] are rejected.
//! 2. A breakpoint writes exactly one entry: the whole prefix that ends with its block. Nothing is
//!    written at any other position. A change of any block changes every prefix from it on.
//! 3. A lookup starts at each breakpoint and walks back over at most [`CacheRules::lookback`] positions,
//!    the breakpoint's own included, until it finds an entry that an earlier request wrote. A run of
//!    consecutive tool calls is one position, and so is one of tool results. The longest prefix found by
//!    any breakpoint is read.
//! 4. A prefix below [`CacheRules::minimum_tokens`] is neither written nor looked up, without an error.
//! 5. An entry lives for five minutes or an hour from the start of the request that wrote or last used it.
//!    Breakpoints of an hour come before those of five minutes, otherwise the request is rejected.
//! 6. Tokens up to the read prefix's end are cache reads; from there to the last breakpoint of an hour,
//!    1-hour writes; from there to the last breakpoint, 5-minute writes; the rest is input.
//! 7. Per token of input price, a read costs 0.1 (less on some models), a 5-minute write 1.25, a 1-hour
//!    write 2 ("Pricing", same site); dollars are the price table's business.
//!
//! The documentation leaves open which entries a use keeps alive. Here it is the one that is read and
//! those at the request's own breakpoints within it. Requests come one after the other, so that each
//! finds what all earlier ones wrote. Not modelled: thinking blocks, images, switches outside the blocks
//! (tool choice, effort, speed), capacity, and misses that the provider does not document.

mod request;
mod rules;
mod simulator;

pub use request::{Block, CacheError, Part, PartKind};
pub use rules::{CacheRules, Lifetime};
pub use simulator::PrefixCache;

#[cfg(test)]
mod tests;
