//! The command `tracefold-report`, to which `tracefold report` hands its arguments.

use std::process::ExitCode;

use clap::Parser as _;
use reports::cli;

fn main() -> ExitCode {
    cli_support::one_line_panics();
    cli_support::end(cli::run(&cli::App::parse()))
}
