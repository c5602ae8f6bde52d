//! `config`: the settings in force, and where each comes from.

use clap::Args;
use cli_support::Exit;
use scoreboards::{escape, table};
use serde::Serialize;

use super::options::FoldOptions;
use crate::output::Out;

/// Arguments of `config`.
#[derive(Debug, Args)]
#[command(after_help = "\
Settings are read from $XDG_CONFIG_HOME/tracefold/tracefold.toml (by default in ~/.config), then
from tracefold.toml in the current folder, then from flags; the last one wins.
TRACEFOLD_CONFIG=FILE reads only that file, an empty TRACEFOLD_CONFIG none. The instruments
(suite, detect, fidelity, comprehend, continue) read no settings file: they measure what their
command line says.

  prices = \"prices.json\"                     # relative to this file
  [detectors.loop]
  raise = 4
  [homes]
  claude-code = [\"~/.claude/projects\"]")]
pub(crate) struct ConfigArgs {
    /// Print a JSON list of objects with key, values, origin, and where the setting was made
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: FoldOptions,
}

#[derive(Serialize)]
struct Row {
    key: String,
    /// Empty for what is built in or not set.
    values: Vec<String>,
    /// `default`, `file` or `flag`.
    origin: &'static str,
    /// The file and line, or the flag; none of a default.
    set_at: Option<String>,
}

pub(crate) fn run(args: &ConfigArgs) -> anyhow::Result<Exit> {
    let settings = args.options.settings()?;
    // A price table that cannot be read is an error here too.
    settings.fold_config()?;
    let rows = settings.rows().into_iter().map(|(key, values, origin)| Row {
        key,
        values,
        origin: origin.name(),
        set_at: (origin.name() != "default").then(|| origin.to_string()),
    });
    let rows: Vec<Row> = rows.collect();
    if args.json {
        Out::new().json(&rows)?;
        return Ok(Exit::Done);
    }
    let lines = rows.iter().map(|row| {
        let value =
            if row.values.is_empty() { "built in".to_owned() } else { row.values.join(", ") };
        let origin = row.set_at.as_deref().unwrap_or(row.origin);
        vec![row.key.clone(), escape(&value), escape(origin)]
    });
    let text = table(&["setting", "value", "from"], &[], lines.collect());
    Out::new().text(&format!("{text}\n"))?;
    Ok(Exit::Done)
}
