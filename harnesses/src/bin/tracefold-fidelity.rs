//! FIDELITY as a command of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    harnesses::common::program("tracefold-fidelity", harnesses::fidelity::command)
}
