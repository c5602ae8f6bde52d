//! The commands, for the binary and for any other program that offers them: an enum for clap, and
//! [`run`]. Results go to standard output, everything else to standard error.

mod args;
mod generate;
mod list;
mod print;
mod progress;
mod verify;

use clap::Subcommand;
use cli_support::Exit;

pub use args::{Common, ProfileChoice, SetChoice};
pub use generate::GenerateArgs;
pub use list::ListArgs;
pub use verify::VerifyArgs;

/// What can be done with the corpus.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Generate sessions and pathology traces into a folder
    Generate(GenerateArgs),
    /// Regenerate everything in memory and compare it with the manifest
    Verify(VerifyArgs),
    /// List the default corpus
    List(ListArgs),
}

/// Does what `command` says.
///
/// # Errors
/// If it cannot be done: something cannot be read or written, or is in the way. The exit status for
/// that is 2.
pub fn run(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Generate(args) => generate::run(args),
        Command::Verify(args) => verify::run(args),
        Command::List(args) => list::run(args),
    }
}
