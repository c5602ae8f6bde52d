//! COMPREHEND as a command of its own.

use std::process::ExitCode;

use clap::Parser;
use harnesses::comprehend::{ComprehendArgs, command};

/// Measures what can be answered from a raw tail, a flat log and the compiled view
///
/// Questions about generated sessions and transcripts of your own, answered by mechanical, which parses
/// what it is shown, by blind, which is shown nothing, and by a model behind an API if one is named. Exit
/// status: 0 measured, 2 wrong use, unusable input, or a run that stopped before all calls were made.
#[derive(Parser)]
#[command(name = "tracefold-comprehend", version)]
struct Cli {
    #[command(flatten)]
    args: ComprehendArgs,
}

fn main() -> ExitCode {
    harnesses::common::exit(command(&Cli::parse().args))
}
