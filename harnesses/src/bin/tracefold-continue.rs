//! CONTINUE as a separate command.

use std::process::ExitCode;

fn main() -> ExitCode {
    harnesses::common::program("tracefold-continue", harnesses::continuation::command)
}
