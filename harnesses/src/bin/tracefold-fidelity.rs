//! FIDELITY as a separate command.

use std::process::ExitCode;

fn main() -> ExitCode {
    harnesses::common::program("tracefold-fidelity", harnesses::fidelity::command)
}
