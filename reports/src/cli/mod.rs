//! The command `tracefold-report`: what can be typed, and what each command prints.

mod diff;
mod export;
mod figures;
mod html;
mod reproduce;
mod tables;

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};

use rust_decimal::Decimal;
use scoreboards::escape;

use crate::boards;
use crate::cell::Cells;
use crate::measure::Settings;
use crate::published::{self, Folder, Published};

/// Tables, figures and pages from scoreboards, beside the paper's
#[derive(Debug, Parser)]
#[command(
    name = "tracefold-report",
    bin_name = "tracefold report",
    version,
    color = ColorChoice::Never,
    max_term_width = 100,
    after_help = "\
Exit status: 0 done, 1 what was checked does not hold (diff: past the threshold), 2 wrong use or
unusable input."
)]
pub struct App {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Recompute what the paper claims
    Reproduce(reproduce::ReproduceArgs),
    /// Print the paper's tables, from its figures, ours, or both
    Tables(tables::TablesArgs),
    /// Draw the paper's figures, from its numbers, ours, or both
    Figures(figures::FiguresArgs),
    /// Write claims, tables and figures as one page
    Html(html::HtmlArgs),
    /// Say what changed between two sets of scoreboards
    Diff(diff::DiffArgs),
    /// Write rows and cells as Parquet and CSV
    Export(export::ExportArgs),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It is done.
    Done,
    /// What was checked does not hold.
    DoesNotHold,
}

/// Does what was typed.
pub fn run(app: &App) -> anyhow::Result<Ending> {
    match &app.command {
        Command::Reproduce(args) => reproduce::run(args),
        Command::Tables(args) => tables::run(args),
        Command::Figures(args) => figures::run(args),
        Command::Html(args) => html::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Export(args) => export::run(args),
    }
}

/// Where the data are.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Inputs {
    /// Scoreboards of ours: a folder, or one file [default: scoreboards/runs where it exists]
    #[arg(long, value_name = "PATH")]
    scoreboards: Option<PathBuf>,
    /// Published figures: a folder with files of the names in scoreboards/published [default: those
    /// carried in the program]
    #[arg(long, value_name = "DIR")]
    published: Option<PathBuf>,
}

/// What counts as no difference.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Margin {
    /// Two cells whose difference surely lies within this of 0 are tied
    #[arg(long, value_name = "SHARE", default_value = "0.05")]
    margin: Decimal,
}

impl Margin {
    pub(crate) fn settings(self) -> Settings {
        Settings { margin: self.margin, ..Settings::default() }
    }
}

/// Says on standard error what was left out of the cells.
pub(crate) fn notes(cells: &Cells) {
    for note in &cells.notes {
        // If nobody can hear it, nothing can be done about that.
        let _ = writeln!(io::stderr(), "note: {}", escape(note));
    }
}

/// Where scoreboards of the default corpus are, in a clone.
const OWN_RUNS: &str = "scoreboards/runs";

impl Inputs {
    pub(crate) fn published(&self) -> anyhow::Result<Published> {
        let folder = self.published.clone().map_or(Folder::Carried, Folder::Path);
        Ok(published::load(&folder)?)
    }

    /// Our scoreboards; none where none were named and the default folder is not there.
    pub(crate) fn boards(&self) -> anyhow::Result<Vec<scoreboards::Scoreboard>> {
        match &self.scoreboards {
            Some(path) => Ok(boards::read(path)?),
            None if PathBuf::from(OWN_RUNS).is_dir() => Ok(boards::read(OWN_RUNS.as_ref())?),
            None => Ok(Vec::new()),
        }
    }
}

/// Prints a text that ends in a line feed. A reader that goes away is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
