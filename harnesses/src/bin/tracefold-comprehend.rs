//! COMPREHEND as a separate command.

use std::process::ExitCode;

fn main() -> ExitCode {
    harnesses::common::program("tracefold-comprehend", harnesses::comprehend::command)
}
