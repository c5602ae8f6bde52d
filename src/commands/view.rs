//! `view`: what a worker that takes over the run would be shown.

use std::path::PathBuf;

use clap::Args;
use cli_support::Exit;
use serde::Serialize;
use trace_model::view::{Renderer, worker};

use super::one_run;
use super::options::FoldOptions;
use crate::output::Out;

/// Arguments of `view`.
#[derive(Debug, Args)]
#[command(after_help = "\
The first line names the renderer and the events that the view covers. A truncated list says how
many of how many it shows.")]
pub(crate) struct ViewArgs {
    /// Session transcript; its subagents' transcripts are read too
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object with session, renderer, events covered, and text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: FoldOptions,
}

/// A text compiled from a run, with what compiled it.
#[derive(Serialize)]
pub(super) struct Compiled {
    pub(super) session: String,
    pub(super) renderer: Renderer,
    /// Events of the run that the text covers.
    pub(super) events: u64,
    pub(super) text: String,
}

impl Compiled {
    /// Prints the text alone, or the whole as JSON.
    pub(super) fn print(&self, json: bool) -> anyhow::Result<()> {
        let mut out = Out::new();
        if json { out.json_line(self) } else { out.text(&self.text) }
    }
}

pub(crate) fn run(args: &ViewArgs) -> anyhow::Result<Exit> {
    let run = one_run::fold(&args.file, args.options.config()?, None, None)?;
    let compiled = Compiled {
        session: args.file.to_string_lossy().into_owned(),
        renderer: worker::renderer(),
        events: run.state().observed().events,
        text: worker::compile(run.state(), &worker::WorkerViewConfig::default()),
    };
    compiled.print(args.json)?;
    Ok(Exit::Done)
}
