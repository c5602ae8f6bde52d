//! `flatlog`: the run as one line per event.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use cli_support::Exit;
use trace_model::fold::FoldConfig;
use trace_model::run::{Run, RunError};
use trace_model::view::flatlog::{FlatLog, renderer};

use super::view::Compiled;

/// Arguments of `flatlog`.
#[derive(Debug, Args)]
#[command(after_help = "\
One line per event of the main thread, in transcript order; subagents' transcripts are not read.
The last line names the renderer and what the log covers.")]
pub(crate) struct FlatlogArgs {
    /// Session transcript
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object with session, renderer, events covered, and text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &FlatlogArgs) -> anyhow::Result<Exit> {
    let mut log = FlatLog::default();
    let mut run = Run::open(&args.file, FoldConfig::default())?;
    run.poll_with(&mut log)?;
    run.finish_with(&mut log);
    let (known, events) = run
        .readings()
        .next()
        .map_or((0, 0), |(_, session)| (session.known_records, session.events));
    if known == 0 {
        bail!(RunError::NotATranscript(args.file.clone()));
    }
    let compiled = Compiled {
        session: args.file.to_string_lossy().into_owned(),
        renderer: renderer(),
        events,
        text: log.finish(),
    };
    compiled.print(args.json)?;
    Ok(Exit::Done)
}
