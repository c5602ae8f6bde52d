//! The `corpus-gen` command.

use std::process::ExitCode;

use clap::Parser;
use corpus_gen::cli;

/// Generate the corpus that tracefold's instruments measure with
///
/// Sessions and pathology traces in Claude Code's transcript format, each with the truth about itself.
/// Everything is a function of profile and seed, byte for byte.
#[derive(Debug, Parser)]
#[command(
    name = "corpus-gen",
    version,
    after_help = "Exit status: 0 done, 1 a check failed, 2 wrong use or unusable input."
)]
struct App {
    #[command(subcommand)]
    command: cli::Command,
}

fn main() -> ExitCode {
    cli_support::one_line_panics();
    cli_support::end(cli::run(&App::parse().command))
}
