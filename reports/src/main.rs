//! The command `tracefold-report`, to which `tracefold report` hands its arguments.

use std::process::ExitCode;

use clap::Parser as _;
use reports::cli::{self, Ending};
use scoreboards::escape;

fn main() -> ExitCode {
    match cli::run(&cli::App::parse()) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::DoesNotHold) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}", escape(&one_line(&error)));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes; some state their cause themselves.
fn one_line(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |line, cause| {
        let text = cause.to_string();
        if line.is_empty() {
            text
        } else if line.contains(&text) {
            line
        } else {
            format!("{line}: {text}")
        }
    })
}
