//! `fold`: what each run did, used and cost.

mod report;
mod runs;
mod select;
mod text;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use cli_support::{Exit, say, say_error};
use trace_model::adapter::Heads;
use trace_model::run::Run;

use crate::commands::one_run;
use crate::commands::options::{FoldOptions, Jobs};
use crate::output::{Out, json_line};
use crate::progress;
use report::Report;
use runs::{Folded, Runs};

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
    jobs: Jobs,
    #[command(flatten)]
    options: FoldOptions,
}

pub(crate) fn run(args: &FoldArgs) -> anyhow::Result<Exit> {
    if let Some(snapshot) = &args.resume {
        let (run, note) = runs::resume(snapshot, args.ledger.as_deref(), args.save.as_deref())?;
        tell(args, note);
        Out::new().text(&printed(args, &run)?)?;
        return Ok(Exit::Done);
    }
    let config = args.options.config()?;
    let heads = Heads::of_one_look();
    let selection = select::select(&args.files, &heads);
    let single = selection.runs() == 1 && selection.failures.is_empty();
    if !single && (args.ledger.is_some() || args.save.is_some()) {
        bail!("--ledger and --save take a single run; name one session's file");
    }
    let mut unusable = !selection.failures.is_empty();
    selection.failures.iter().for_each(say_error);
    let bar = progress::bytes(selection.bytes(), args.quiet);
    let mut first = true;
    let mut runs = Runs::new(&selection);
    let fold = |path: &Path| {
        progress::at(&bar, path);
        let config = config.clone();
        let run =
            one_run::fold(path, config, &heads, args.ledger.as_deref(), args.save.as_deref())?;
        Folded::of(&run, printed(args, &run))
    };
    runs.each(args.jobs.threads(), fold, |path, result| {
        match result {
            Ok((text, note)) => bar.suspend(|| {
                tell(args, note);
                let gap = if std::mem::take(&mut first) || args.json { "" } else { "\n" };
                Out::new().text(&format!("{gap}{text}"))
            })?,
            Err(error) => {
                unusable = true;
                bar.suspend(|| say_error(&error));
            }
        }
        bar.inc(path.metadata().map_or(0, |file| file.len()));
        Ok(())
    })?;
    bar.finish_and_clear();
    runs.left_out(&heads).into_iter().for_each(|note| tell(args, Some(note)));
    Ok(if unusable { Exit::UnusableInput } else { Exit::Done })
}

fn tell(args: &FoldArgs, note: Option<String>) {
    if let Some(note) = note.filter(|_| !args.quiet) {
        say(&format!("note: {note}"));
    }
}

/// What is printed of a run.
fn printed(args: &FoldArgs, run: &Run) -> anyhow::Result<String> {
    let report = Report::of(run);
    if args.json { json_line(&report) } else { Ok(text::render(run, &report)) }
}
