//! The `tracefold` command: argument parsing and dispatch in front of the libraries.

mod cli;
mod commands;
mod output;
mod progress;
#[cfg(test)]
mod reference;
mod settings;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    cli_support::one_line_panics();
    cli_support::end(commands::run(&cli::App::parse()))
}
