//! DETECT as a command of its own.

use std::process::ExitCode;

use clap::Parser;
use harnesses::detect::{DetectArgs, command};

/// Measures the detectors over labelled traces, and how often they fire over sessions
///
/// Precision, recall, lead and delay per pathology; alarms per 1,000 tool calls and the most frequent
/// messages over generated sessions and transcripts of your own. Exit status: 0 measured, 1 with
/// --require-perfect and the default set not perfect, 2 wrong use or unusable input.
#[derive(Parser)]
#[command(name = "tracefold-detect", version)]
struct Cli {
    #[command(flatten)]
    args: DetectArgs,
}

fn main() -> ExitCode {
    harnesses::common::exit(command(&Cli::parse().args))
}
