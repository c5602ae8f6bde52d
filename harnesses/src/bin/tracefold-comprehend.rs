//! COMPREHEND as a command of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    harnesses::common::program("tracefold-comprehend", harnesses::comprehend::command)
}
