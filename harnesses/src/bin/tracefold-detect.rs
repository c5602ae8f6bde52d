//! DETECT as a separate command.

use std::process::ExitCode;

fn main() -> ExitCode {
    harnesses::common::program("tracefold-detect", harnesses::detect::command)
}
