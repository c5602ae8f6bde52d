//! `flatlog`: the run as one line an event.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use trace_model::adapter::claude_code::run::role;
use trace_model::event::Record;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::Followed;
use trace_model::run::{RunError, check};
use trace_model::view::flatlog::{FlatLog, renderer};

use super::view::Compiled;
use crate::errors::Outcome;

/// Arguments of `flatlog`.
#[derive(Debug, Args)]
#[command(after_help = "\
One line an event of the main thread, in the order of the transcript; subagents' transcripts are not
read. The last line says which renderer compiled the log, and what it covers.")]
pub(crate) struct FlatlogArgs {
    /// The session's transcript
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object: session, renderer, events covered, text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &FlatlogArgs) -> anyhow::Result<Outcome> {
    check(&args.file)?;
    let mut log = FlatLog::default();
    let mut file = Followed::from_start(&args.file, role(&args.file, None));
    let mut state = RunState::new(FoldConfig::default());
    let mut take = |record: &Record<'_>| {
        state.apply(record);
        log.push(record, &state);
    };
    file.poll(&mut take)?;
    file.finish(&mut take);
    let stats = file.reader().stats();
    if stats.known_records == 0 {
        bail!(RunError::NotATranscript(args.file.clone()));
    }
    let compiled = Compiled {
        session: args.file.to_string_lossy().into_owned(),
        renderer: renderer(),
        events: stats.events,
        text: log.finish(),
    };
    compiled.print(args.json)?;
    Ok(Outcome::Done)
}
