//! `tables`: printed, or written as files.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use cli_support::Exit;

use super::common::{Chosen, Margin, notes, print};
use crate::tables::{self, Form, Section};

/// Arguments of `tables`.
#[derive(Debug, Args)]
#[command(after_help = "\
Tables: 1 COMPREHEND by reader and condition, 2 the definitive comparison at 120 links, 3 controls,
4 cache accounting, 5 cell inventory, 6 by type of question, 7 where score is lost.")]
pub(crate) struct TablesArgs {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    margin: Margin,
    /// Print only these tables
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = ["1", "2", "3", "4", "5", "6", "7"])]
    table: Vec<String>,
    /// Output format
    #[arg(long, value_name = "FORM", default_value = "text")]
    form: Form,
    /// Write every table in every format to DIR instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &TablesArgs) -> anyhow::Result<Exit> {
    let cells = args.chosen.cells()?;
    let sections = tables::all(&cells, args.margin.settings())?;
    let wanted =
        |section: &&Section| args.table.is_empty() || args.table.iter().any(|id| id == section.id);
    let sections: Vec<&Section> = sections.iter().filter(wanted).collect();
    notes(&cells);
    if let Some(folder) = &args.out {
        return write(folder, &sections);
    }
    let texts: Vec<String> = sections.iter().map(|section| args.form.section(section)).collect();
    print(&texts.join("\n"))?;
    Ok(Exit::Done)
}

fn write(folder: &std::path::Path, sections: &[&Section]) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let mut files = 0;
    for table in sections.iter().flat_map(|section| &section.tables) {
        for form in Form::ALL {
            let path = folder.join(format!("{}.{}", table.id, form.extension()));
            std::fs::write(&path, form.table(table))
                .with_context(|| format!("cannot write {}", path.display()))?;
            files += 1;
        }
    }
    print(&format!("{files} files in {}\n", folder.display()))?;
    Ok(Exit::Done)
}
