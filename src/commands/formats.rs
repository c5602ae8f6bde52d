//! `formats`: which agents' transcripts can be read.

use clap::Args;
use cli_support::Exit;
use scoreboards::table;
use serde::Serialize;
use trace_model::adapter::{Format, FormatSupport};

use crate::output::Out;

/// Arguments of `formats`.
#[derive(Debug, Args)]
pub(crate) struct FormatsArgs {
    /// Print a JSON list of objects with name, support, and where the agent keeps transcripts
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    support: FormatSupport,
    found_at: &'static str,
}

pub(crate) fn run(args: &FormatsArgs) -> anyhow::Result<Exit> {
    let row = |format: Format| Row {
        name: format.name(),
        support: format.support(),
        found_at: format.home(),
    };
    let rows: Vec<Row> = Format::ALL.map(row).into_iter().collect();
    if args.json {
        Out::new().json(&rows)?;
        return Ok(Exit::Done);
    }
    let lines = rows
        .iter()
        .map(|row| [row.name, support(row.support), row.found_at].map(str::to_owned).to_vec());
    let text =
        table(&["format", "support", "where the agent keeps transcripts"], &[], lines.collect());
    Out::new().text(&format!("{text}\n"))?;
    Ok(Exit::Done)
}

fn support(support: FormatSupport) -> &'static str {
    match support {
        FormatSupport::Full => "read in full",
        FormatSupport::RecognisedOnly => "recognised, not read",
    }
}
