//! The command `tracefold-report`, to which `tracefold report` hands its arguments.

use std::process::ExitCode;

use clap::Parser as _;
use cli_support::Exit;
use reports::cli::{self, Ending};

fn main() -> ExitCode {
    cli_support::one_line_panics();
    let ended = cli::run(&cli::App::parse()).map(|ending| match ending {
        Ending::Done => Exit::Done,
        Ending::DoesNotHold => Exit::CheckFailed,
    });
    cli_support::end(ended)
}
