//! The command: runs, reports, rescores, or says what it would do.

use super::args::{ComprehendArgs, ComprehendCommand};
use super::print::deliver_with_tables;
use super::run::{run, set_up};
use super::{dry_run, graders, model_reader, stored};
use crate::common::{Reporter, Verdict, print, today};

/// Runs COMPREHEND, saves and prints its scoreboard; with `--dry-run` says what it would do; or grades or
/// prints a run that was made before.
///
/// # Errors
/// If an input cannot be read, a model cannot be asked, or the scoreboard cannot be saved.
pub fn command(args: &ComprehendArgs) -> anyhow::Result<Verdict> {
    match &args.command {
        Some(ComprehendCommand::Rescore(args)) => stored::rescore(args)?,
        Some(ComprehendCommand::Report(args)) => stored::report(args)?,
        Some(ComprehendCommand::Graders(args)) => return graders::command(args),
        None if args.dry_run => describe(args)?,
        None => {
            let progress = Reporter::new(args.common.quiet);
            let board = run(args, &progress)?;
            deliver_with_tables(&board, &args.common, &progress)?;
        }
    }
    Ok(Verdict::Holds)
}

fn describe(args: &ComprehendArgs) -> anyhow::Result<()> {
    let setup = set_up(args, &args.conditions(), &Reporter::new(args.common.quiet))?;
    print(&match &setup.reader {
        None => dry_run::describe(&setup.runs, args.common.json)?,
        Some(reader) => {
            let pricing = args.model.pricing(Some(today(&args.common).to_string()))?;
            model_reader::describe(&setup, reader, &pricing, args.common.json)?
        }
    })
}
