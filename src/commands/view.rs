//! `view`: what a worker that takes over the run would be shown.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use trace_model::view::{Renderer, worker};

use super::one_run;
use super::options::FoldOptions;
use crate::errors::Outcome;
use crate::output::Out;

/// Arguments of `view`.
#[derive(Debug, Args)]
#[command(after_help = "\
The first line says which renderer compiled the view, and which events it covers. Every list that is
cut says how many of how many it shows.")]
pub(crate) struct ViewArgs {
    /// The session's transcript; its subagents' are read too
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object: session, renderer, events covered, text
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

pub(crate) fn run(args: &ViewArgs) -> anyhow::Result<Outcome> {
    let run = one_run::fold(&args.file, args.options.config()?, None, None)?;
    let compiled = Compiled {
        session: args.file.to_string_lossy().into_owned(),
        renderer: worker::renderer(),
        events: run.state().observed().events,
        text: worker::compile(run.state(), &worker::WorkerViewConfig::default()),
    };
    compiled.print(args.json)?;
    Ok(Outcome::Done)
}
