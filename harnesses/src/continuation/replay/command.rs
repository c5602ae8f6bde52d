//! Replay as a command.

use std::collections::BTreeSet;

use anyhow::bail;
use scoreboards::{Saved, Scoreboard, ShowOptions};

use super::args::ReplayArgs;
use super::board;
use super::measure::{Plan, SessionResult, measure, measure_floor};
use super::tables::{Measured, tables};
use crate::common::{Reporter, Verdict, deliver, print};
use crate::inputs::{Input, RunInput};
use cli_support::parallel;

/// What replay found.
#[derive(Debug)]
pub struct Replayed {
    /// The counts.
    pub board: Scoreboard,
    /// What they come to, to be printed.
    pub tables: String,
}

/// Runs replay: saves its scoreboard and prints its tables.
///
/// # Errors
/// If an input cannot be read, there is none, or results cannot be written.
pub fn command(args: &ReplayArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let Replayed { board, tables } = run(args, &progress)?;
    if args.common.json {
        deliver(&board, &args.common, &progress, ShowOptions::default())?;
        return Ok(Verdict::Holds);
    }
    let saved = scoreboards::save(&args.common.out.join("scoreboards"), &board)?;
    print(&tables)?;
    progress.say(&match &saved {
        Saved::Written(path) => format!("saved {}", path.display()),
        Saved::AlreadyThere(path) => format!("{} is there already, and equal", path.display()),
    });
    Ok(Verdict::Holds)
}

/// Measures the runs.
///
/// # Errors
/// If an input cannot be read, or there is none.
pub fn run(args: &ReplayArgs, progress: &Reporter) -> anyhow::Result<Replayed> {
    let plan = args.plan()?;
    let (runs, remarks) = measured(args, &plan, progress)?;
    let tables = tables(Measured { runs: &runs, plan: &plan, seed: args.common.seed });
    Ok(Replayed { board: board::build(&args.common, &plan, &runs, remarks)?, tables })
}

fn measured(
    args: &ReplayArgs,
    plan: &Plan,
    progress: &Reporter,
) -> anyhow::Result<(Vec<SessionResult>, Vec<String>)> {
    let chosen = args.inputs();
    let (named, remarks) = chosen.named()?;
    for remark in &remarks {
        progress.say(remark);
    }
    let inputs: Vec<Input> =
        chosen.sessions().into_iter().map(Input::Generated).chain(named).collect();
    if inputs.is_empty() {
        bail!("no runs to cut; choose a --profile, or name --transcripts");
    }
    let stage = progress.stage("replay", inputs.len());
    let mut runs = parallel::try_map(&inputs, args.common.jobs(), |input| {
        let run = measure(&RunInput::load(input)?, plan)?;
        stage.done(&run.name);
        Ok(run)
    })?;
    drop(stage);
    // Equal files are one run.
    let mut met = BTreeSet::new();
    runs.retain(|run| met.insert(run.name.clone()));
    measure_floor(&mut runs, plan);
    Ok((runs, remarks))
}
