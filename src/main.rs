//! The `tracefold` command: argument parsing and dispatch in front of the libraries.

mod cli;
mod commands;
mod errors;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    errors::one_line_panics();
    errors::exit_code(commands::run(&cli::App::parse()))
}
