//! `figures`: SVG and PNG files.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use cli_support::Exit;

use super::common::{Chosen, notes, print};
use crate::figures;

/// Arguments of `figures`.
#[derive(Debug, Args)]
pub(crate) struct FiguresArgs {
    #[command(flatten)]
    chosen: Chosen,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "out/report/figures")]
    out: PathBuf,
}

pub(crate) fn run(args: &FiguresArgs) -> anyhow::Result<Exit> {
    let cells = args.chosen.cells()?;
    notes(&cells);
    let (figures, left_out) = figures::all(&cells);
    anyhow::ensure!(!figures.is_empty(), "no figure to draw: {}", left_out.join("; "));
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    for figure in &figures {
        let svg = figures::svg(figure)?;
        let image = figures::png(figure.id, &svg)?;
        for (extension, bytes) in [("svg", svg.as_bytes()), ("png", &image)] {
            let path = args.out.join(format!("{}.{extension}", figure.id));
            std::fs::write(&path, bytes)
                .with_context(|| format!("cannot write {}", path.display()))?;
            print(&format!("{}\n", path.display()))?;
        }
    }
    for note in &left_out {
        print(&format!("{note}\n"))?;
    }
    Ok(Exit::Done)
}
