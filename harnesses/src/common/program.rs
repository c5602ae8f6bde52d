//! An instrument as a separate program. Its help text is stored with its arguments, once for the program and
//! the command of `tracefold`.

use std::process::ExitCode;

use clap::{Args, ColorChoice, Command};
use cli_support::{Exit, end, one_line_panics};

use super::Verdict;

/// Parses the arguments of the program `name`, runs it, and exits.
pub fn program<A: Args>(
    name: &'static str,
    command: impl FnOnce(&A) -> anyhow::Result<Verdict>,
) -> ExitCode {
    one_line_panics();
    let parser = Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .color(ColorChoice::Never)
        .max_term_width(100);
    let matches = A::augment_args(parser).get_matches();
    let args = A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    end(command(&args).map(Exit::from))
}
