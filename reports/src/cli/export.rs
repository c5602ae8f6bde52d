//! `export`: frames as files.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use cli_support::Exit;

use super::common::{Inputs, print};
use crate::export;
use crate::ours;

/// Arguments of `export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Files, each as Parquet and CSV: rows (every measured value), cells (every cell with its interval),
measures (a summary of each measure by scoreboard and cell). Rows include the texts of answers, which
are untrusted.")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "out/report/data")]
    out: PathBuf,
}

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let published = args.inputs.published()?;
    let boards = args.inputs.boards()?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let rows = export::rows(&published.cells, &boards)?;
    let cells = export::cells(&published.cells.clone().and(ours::cells(&boards)))?;
    let measures = export::measures(&rows)?;
    for (name, frame) in [("rows", &rows), ("cells", &cells), ("measures", &measures)] {
        for path in export::write(&args.out, name, frame)? {
            print(&format!("{} ({} rows)\n", path.display(), frame.height()))?;
        }
    }
    Ok(Exit::Done)
}
