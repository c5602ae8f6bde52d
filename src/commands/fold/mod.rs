//! `fold`: what each run did, used and cost.

mod report;
mod runs;
mod select;
mod text;

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use cli_support::{Exit, say, say_error};
use trace_model::run::Run;

use crate::commands::options::FoldOptions;
use crate::output::Out;
use crate::progress;
use report::Report;
use runs::Runs;

/// Arguments of `fold`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracefold fold session.jsonl
  tracefold fold ~/.claude/projects                      every session below the folder
  tracefold fold --json *.jsonl | jq .totals.cost_usd
  tracefold fold --save run.snapshot session.jsonl       then, when the file has grown:
  tracefold fold --resume run.snapshot --save run.snapshot

A session is folded together with its subagents' transcripts. A file that cannot be used is named
in one line on standard error; the others are still folded, and the exit status is 2.
docs/DEFINITIONS.md says what each number counts.")]
pub(crate) struct FoldArgs {
    /// Transcripts, or folders to fold every session below
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    files: Vec<PathBuf>,
    /// Print one JSON object per run, one per line
    #[arg(long)]
    json: bool,
    /// Print nothing but results and errors
    #[arg(short, long)]
    quiet: bool,
    /// Write the run's events to FILE, one JSON object per line (single run only)
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Save the state to FILE, to resume from when the transcript has grown (single run only)
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Resume from a saved state instead of rereading the transcript
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["files", "prices", "statistics", "DetectorArgs"]
    )]
    resume: Option<PathBuf>,
    #[command(flatten)]
    options: FoldOptions,
}

pub(crate) fn run(args: &FoldArgs) -> anyhow::Result<Exit> {
    if let Some(snapshot) = &args.resume {
        let (run, note) = runs::resume(snapshot, args.ledger.as_deref(), args.save.as_deref())?;
        tell(args, note);
        print(args, &run, true)?;
        return Ok(Exit::Done);
    }
    let config = args.options.config()?;
    let selection = select::select(&args.files);
    let single = selection.runs() == 1 && selection.failures.is_empty();
    if !single && (args.ledger.is_some() || args.save.is_some()) {
        bail!("--ledger and --save take a single run; name one session's file");
    }
    let mut unusable = !selection.failures.is_empty();
    selection.failures.iter().for_each(say_error);
    let bar = progress::bytes(selection.bytes(), args.quiet);
    let mut first = true;
    let mut runs = Runs::new(&selection, config, args.ledger.as_deref(), args.save.as_deref());
    while let Some((path, result)) = runs.next(&bar) {
        match result {
            Ok((run, note)) => {
                bar.suspend(|| tell(args, note));
                bar.suspend(|| print(args, &run, first))?;
                first = false;
            }
            Err(error) => {
                unusable = true;
                bar.suspend(|| say_error(&error));
            }
        }
        bar.inc(path.metadata().map_or(0, |file| file.len()));
    }
    bar.finish_and_clear();
    runs.left_out().into_iter().for_each(|note| tell(args, Some(note)));
    Ok(if unusable { Exit::UnusableInput } else { Exit::Done })
}

fn tell(args: &FoldArgs, note: Option<String>) {
    if let Some(note) = note.filter(|_| !args.quiet) {
        say(&format!("note: {note}"));
    }
}

fn print(args: &FoldArgs, run: &Run, first: bool) -> anyhow::Result<()> {
    let report = Report::of(run);
    if args.json {
        return Out::new().json_line(&report);
    }
    let gap = if first { "" } else { "\n" };
    Out::new().text(&format!("{gap}{}", text::render(run, &report)))
}
