//! CONTINUE as a command of its own.

use std::process::ExitCode;

use clap::Parser;
use harnesses::continuation::{ContinueArgs, command};

/// Measures which context policy lets a worker finish a long task, and at what price
///
/// The worker mechanical needs no model: it acts on what its context shows and on nothing else, and its
/// tokens, cache and dollars are simulated. Exit status: 0 measured, 2 wrong use or unusable input.
#[derive(Parser)]
#[command(name = "tracefold-continue", version)]
struct Cli {
    #[command(flatten)]
    args: ContinueArgs,
}

fn main() -> ExitCode {
    harnesses::common::exit(command(&Cli::parse().args))
}
