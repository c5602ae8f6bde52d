//! The commands, a file each. Each parses its arguments, calls the library that does the work, and
//! prints the result.

pub(crate) mod comprehend;
pub(crate) mod config;
pub(crate) mod continuation;
pub(crate) mod corpus;
pub(crate) mod detect;
pub(crate) mod fidelity;
pub(crate) mod flatlog;
pub(crate) mod fleet;
pub(crate) mod fold;
pub(crate) mod formats;
pub(crate) mod observe;
mod one_run;
mod options;
pub(crate) mod prices;
pub(crate) mod report;
pub(crate) mod scoreboard;
pub(crate) mod sessions;
pub(crate) mod suite;
pub(crate) mod view;
pub(crate) mod watch;

use cli_support::Exit;

use crate::cli::{App, Command};

/// Does what was typed.
pub(crate) fn run(app: &App) -> anyhow::Result<Exit> {
    match &app.command {
        None => suite::run(&app.suite),
        Some(Command::Suite(args)) => suite::run(args),
        Some(Command::Corpus(command)) => corpus::run(command),
        Some(Command::Fold(args)) => fold::run(args),
        Some(Command::View(args)) => view::run(args),
        Some(Command::Flatlog(args)) => flatlog::run(args),
        Some(Command::Detect(args)) => detect::run(args),
        Some(Command::Fidelity(args)) => fidelity::run(args),
        Some(Command::Comprehend(args)) => comprehend::run(args),
        Some(Command::Continue(args)) => continuation::run(args),
        Some(Command::Scoreboard(command)) => scoreboard::run(command),
        Some(Command::Report(args)) => report::run(args),
        Some(Command::Observe(args)) => observe::run(args),
        Some(Command::Watch(args)) => watch::run(args),
        Some(Command::Fleet(args)) => fleet::run(args),
        Some(Command::Sessions(args)) => sessions::run(args),
        Some(Command::Formats(args)) => formats::run(args),
        Some(Command::Prices(args)) => prices::run(args),
        Some(Command::Config(args)) => config::run(args),
    }
}
