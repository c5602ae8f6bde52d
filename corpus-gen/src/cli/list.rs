//! `list`.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};

use clap::Args;
use cli_support::Exit;

use super::print::unless_closed;
use crate::manifest::default_manifest;

/// Arguments of `list`.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// Print the whole manifest as JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists the default corpus.
pub(super) fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let manifest = default_manifest()?;
    if args.json {
        unless_closed(stdout().write_all(&manifest.to_bytes()))?;
        return Ok(Exit::Done);
    }
    let header = ["run", "bytes", "lines", "events", "tool calls", "instances"];
    let mut text = row(header.map(str::to_owned));
    for run in &manifest.runs {
        let events: u64 = run.events_by_kind.values().sum();
        let numbers = [run.transcript_bytes, run.lines, events, run.tool_calls, run.instances];
        let [bytes, lines, events, calls, instances] = numbers.map(|number| number.to_string());
        text.push_str(&row([run.name.clone(), bytes, lines, events, calls, instances]));
    }
    let bytes: u64 = manifest.runs.iter().flat_map(|run| &run.files).map(|file| file.bytes).sum();
    let _ = writeln!(text, "{} runs, {bytes} bytes in all", manifest.runs.len()); // a String takes it
    unless_closed(stdout().write_all(text.as_bytes()))?;
    Ok(Exit::Done)
}

fn row(cells: [String; 6]) -> String {
    let [name, size, lines, events, tools, labelled] = cells;
    format!("{name:<14}{size:>12}{lines:>8}{events:>8}{tools:>12}{labelled:>11}\n")
}
