//! What commands share: where data come from, what counts as no difference, printing.

use std::io::{self, Write as _};
use std::path::PathBuf;

use cli_support::say;
use rust_decimal::Decimal;

use crate::cell::Cells;
use crate::measure::Settings;
use crate::published::{self, Folder, Published};
use crate::{boards, ours};

/// Where the data is.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Inputs {
    /// Our scoreboards: a folder or one file [default: scoreboards/runs if it exists]
    #[arg(long, value_name = "PATH")]
    scoreboards: Option<PathBuf>,
    /// Published figures: a folder with the same file names as scoreboards/published [default: built in]
    #[arg(long, value_name = "DIR")]
    published: Option<PathBuf>,
}

/// Which figures a report covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Whose {
    /// The paper's.
    Published,
    /// Our scoreboards'.
    Ours,
    /// Both, side by side.
    Both,
}

/// Which cells.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Chosen {
    #[command(flatten)]
    inputs: Inputs,
    /// Whose figures
    #[arg(long, value_name = "SOURCE", default_value = "both")]
    source: Whose,
}

impl Chosen {
    /// The requested cells. Asking for ours alone when there are none is an error.
    pub(super) fn cells(&self) -> anyhow::Result<Cells> {
        let mut cells = Cells::default();
        if self.source != Whose::Ours {
            cells = cells.and(self.inputs.published()?.cells);
        }
        if self.source != Whose::Published {
            let boards = self.inputs.boards()?;
            if boards.is_empty() && self.source == Whose::Ours {
                anyhow::bail!("found none of our scoreboards: name a folder with --scoreboards");
            }
            cells = cells.and(ours::cells(&boards));
        }
        Ok(cells)
    }
}

/// What counts as no difference.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Margin {
    /// Call two cells tied if the interval of their difference lies within this of 0
    #[arg(long, value_name = "SHARE", default_value = "0.05")]
    margin: Decimal,
}

impl Margin {
    pub(super) fn settings(self) -> Settings {
        Settings { margin: self.margin, ..Settings::default() }
    }
}

/// Reports cells left out, on standard error.
pub(super) fn notes(cells: &Cells) {
    for note in &cells.notes {
        say(&format!("note: {note}"));
    }
}

/// Where scoreboards of the default corpus are, in a clone.
const OWN_RUNS: &str = "scoreboards/runs";

impl Inputs {
    pub(super) fn published(&self) -> anyhow::Result<Published> {
        let folder = self.published.clone().map_or(Folder::Carried, Folder::Path);
        Ok(published::load(&folder)?)
    }

    /// Our scoreboards; none if none were named and the default folder does not exist.
    pub(super) fn boards(&self) -> anyhow::Result<Vec<scoreboards::Scoreboard>> {
        match &self.scoreboards {
            Some(path) => Ok(boards::read(path)?),
            None if PathBuf::from(OWN_RUNS).is_dir() => Ok(boards::read(OWN_RUNS.as_ref())?),
            None => Ok(Vec::new()),
        }
    }
}

/// Prints a text that ends in a line feed. A closed pipe is not an error.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
