//! FIDELITY as a command of its own.

use std::process::ExitCode;

use clap::Parser;
use harnesses::fidelity::{FidelityArgs, command};

/// Compares the fold with an independent recount, field by field
///
/// Over generated sessions and pathology traces, a small probe, and transcripts of your own. Exit
/// status: 0 everything is equal and every fault put in was caught, 1 not so, 2 wrong use or unusable
/// input.
#[derive(Parser)]
#[command(name = "tracefold-fidelity", version)]
struct Cli {
    #[command(flatten)]
    args: FidelityArgs,
}

fn main() -> ExitCode {
    harnesses::common::exit(command(&Cli::parse().args))
}
