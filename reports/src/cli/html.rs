//! `html`: everything on one page.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use cli_support::Exit;

use super::common::{Inputs, Margin, print};
use crate::claims::{self, Context};
use crate::figures;
use crate::ours;
use crate::page::{self, Page};
use crate::tables;

/// Arguments of `html`.
#[derive(Debug, Args)]
#[command(after_help = "\
The page is a single file that opens from disk and uses no network.")]
pub(crate) struct HtmlArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    margin: Margin,
    /// File to write
    #[arg(long, value_name = "FILE", default_value = "out/report/index.html")]
    out: PathBuf,
}

pub(crate) fn run(args: &HtmlArgs) -> anyhow::Result<Exit> {
    let claims = claims::carried()?;
    let published = args.inputs.published()?;
    let boards = args.inputs.boards()?;
    let judged = claims::judge(&claims, &Context { published: &published, boards: &boards })?;
    let cells = published.cells.clone().and(ours::cells(&boards));
    let (found, notes) = figures::all(&cells);
    let figures = found
        .into_iter()
        .map(|figure| figures::svg(&figure).map(|svg| (figure, svg)))
        .collect::<Result<Vec<_>, _>>()?;
    let command: Vec<String> = std::env::args().skip(1).collect();
    let page = page::html(&Page {
        command: format!("tracefold report {}", scoreboards::portable_command(&command).join(" ")),
        inputs: inputs(&boards),
        notes: [cells.notes.clone(), notes].concat(),
        claims: &judged,
        figures,
        sections: tables::all(&cells, args.margin.settings())?,
    });
    if let Some(folder) = args.out.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    std::fs::write(&args.out, page)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    print(&format!("{}\n", args.out.display()))?;
    Ok(Exit::Done)
}

fn inputs(boards: &[scoreboards::Scoreboard]) -> Vec<String> {
    let ours = boards.iter().map(|board| {
        let header = &board.provenance;
        format!(
            "ours: {} of {}, id {}, {} rows, code {}, made by: {}",
            header.instrument,
            header.date,
            board.short_id(),
            board.rows.len(),
            header.code_version,
            header.command.join(" ")
        )
    });
    std::iter::once("published: scoreboards/published".to_owned()).chain(ours).collect()
}
