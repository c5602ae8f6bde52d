//! The instruments: COMPREHEND, CONTINUE, DETECT and FIDELITY.
//!
//! Each is a function `run(args, progress)` that gives a scoreboard, and a `command(args)` that also
//! saves and prints it; a binary and a subcommand of `tracefold` are a few lines that call the latter
//! with the same argument definition. This is the only crate that sees the generator's truth, the
//! oracle and the fold at once. What is measured, and how, is described in `docs/METHODOLOGY.md`.

pub mod common;
pub mod comprehend;
pub mod continuation;
pub mod detect;
pub mod fidelity;
mod folding;
pub mod inputs;
pub mod model;
pub mod prefix_cache;
pub mod recording;
pub mod usage;
pub mod workbench;
