//! COMPREHEND as a command of its own.

use std::process::ExitCode;

use clap::Parser;
use harnesses::comprehend::{ComprehendArgs, command};

/// Measures what can be answered from a raw tail, a flat log and the compiled view
///
/// Questions about generated sessions and transcripts of your own, answered by readers that need no model:
/// mechanical parses what it is shown, blind is shown nothing. Exit status: 0 measured, 2 wrong use or
/// unusable input.
#[derive(Parser)]
#[command(name = "tracefold-comprehend", version)]
struct Cli {
    #[command(flatten)]
    args: ComprehendArgs,
}

fn main() -> ExitCode {
    harnesses::common::exit(command(&Cli::parse().args))
}
