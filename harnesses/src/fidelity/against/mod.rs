//! FIDELITY against another program: the fold's fields beside what that program says about the same
//! transcripts, each disagreement with its place.
//!
//! Fold and oracle are both written from `docs/DEFINITIONS.md`; where that page is wrong about the world, they
//! still agree. A program whose authors never saw the page gives an independent opinion. It gets the paths of
//! session files and prints a line of JSON for each; `docs/FORMAT.md` describes the protocol, [`reply`] reads
//! it. A difference is not necessarily a fault of either: `docs/METHODOLOGY.md` explains each one.

mod compare;
mod disagreement;
mod error;
mod places;
mod program;
mod reply;
mod report;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use trace_model::fold::FoldConfig;

use self::error::AgainstError;
use self::reply::{ReplyContent, SessionReply};
use self::report::{Report, RunReport};
use super::fields::fold_fields;
use crate::common::{CommonArgs, Reporter, Verdict, print};
use crate::folding::fold;
use crate::inputs::{Input, InputArgs, RunInput};
use cli_support::parallel;

/// Arguments of the comparison with another program.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Another program")]
pub struct AgainstArgs {
    /// Only compare the fold with this program over --transcripts; it gets the paths of session files and
    /// prints a JSON line for each (docs/FORMAT.md). Writes no scoreboard
    #[arg(
        long,
        value_name = "PROGRAM",
        requires = "transcripts",
        conflicts_with_all = [
            "profile", "seeds", "pathology", "pathology_seeds", "out", "seed", "date",
        ]
    )]
    pub against: Option<PathBuf>,
    /// Time limit for the program, in seconds per batch of up to 64 session files
    #[arg(long, value_name = "SECONDS", default_value = "600", requires = "against")]
    pub against_timeout: NonZeroU32,
    /// Disagreements to print; their total is always printed
    #[arg(long, value_name = "N", default_value_t = 50, requires = "against")]
    pub disagreements: usize,
}

/// Session files per invocation of the program: far below what a command line can hold.
const BATCH: usize = 64;

/// Compares the fold with `program` over the named transcripts and prints the result.
///
/// # Errors
/// If a transcript cannot be read, or if the program cannot be run, fails, takes too long, or prints anything
/// other than replies. A disagreement is not an error: it is the verdict.
pub(super) fn command(
    program: &Path,
    args: &AgainstArgs,
    inputs: &InputArgs,
    common: &CommonArgs,
) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(common.quiet);
    let (named, remarks) = inputs.named()?;
    for remark in remarks {
        progress.say(&remark);
    }
    let sessions: Vec<PathBuf> = named.into_iter().filter_map(session).collect();
    let said = statements(program, &sessions, args, common.jobs())?;
    let pairs: Vec<_> = sessions.iter().zip(&said).collect();
    let stage = progress.stage("against", pairs.len());
    let runs = parallel::try_map(&pairs, common.jobs(), |(session, statement)| {
        let compared = run(program, session, statement)?;
        stage.done(&session.display().to_string());
        Ok(compared)
    })?;
    drop(stage);
    let mut report = Report::new(program, &runs);
    if report.compared() == 0 {
        return Err(AgainstError::NothingInCommon {
            program: program.to_owned(),
            stated: report.not_compared(),
            skipped: report.skipped(),
        }
        .into());
    }
    print(&if common.json {
        report.json(args.disagreements)?
    } else {
        report.text(args.disagreements)
    })?;
    Ok(report.verdict())
}

fn session(input: Input) -> Option<PathBuf> {
    match input {
        Input::Transcript(path) => Some(path),
        Input::Generated(_) | Input::Probe => None,
    }
}

/// What the program says of each session, in the sessions' order.
fn statements(
    program: &Path,
    sessions: &[PathBuf],
    args: &AgainstArgs,
    jobs: usize,
) -> anyhow::Result<Vec<SessionReply>> {
    let each = sessions.len().div_ceil(jobs.max(1)).clamp(1, BATCH);
    let batches: Vec<&[PathBuf]> = sessions.chunks(each).collect();
    let limit = Duration::from_secs(args.against_timeout.get().into());
    let said = parallel::try_map(&batches, jobs, |batch| {
        let printed = program::run(program, batch, limit)?;
        Ok(reply::read(program, batch, &printed)?)
    })?;
    Ok(said.into_iter().flatten().collect())
}

fn run(program: &Path, session: &Path, statement: &SessionReply) -> anyhow::Result<RunReport> {
    let outcome = match &statement.said {
        ReplyContent::Skipped(reason) => Err(reason.clone()),
        ReplyContent::Fields(stated) => {
            let input = RunInput::load(&Input::Transcript(session.to_owned()))?;
            let ours = fold_fields(&fold(&input.files.transcripts(), FoldConfig::default()));
            let mut compared =
                compare::compare(&ours, stated).map_err(|(field, why)| AgainstError::Field {
                    program: program.to_owned(),
                    run: session.to_owned(),
                    field,
                    why,
                })?;
            places::locate(&mut compared.disagreements, stated, session, &input.files)?;
            Ok(compared)
        }
    };
    Ok(RunReport { session: session.to_owned(), by: statement.by.clone(), outcome })
}
