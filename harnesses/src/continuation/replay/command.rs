//! Replay as a command.

use std::collections::BTreeSet;

use anyhow::bail;

use super::args::ReplayArgs;
use super::measure::{Plan, SessionResult, measure, measure_floor};
use super::tables::{Measured, tables};
use crate::common::{Reporter, Verdict, parallel, print};
use crate::inputs::{Input, RunInput};

/// Runs replay.
///
/// # Errors
/// If an input cannot be read, there is none, or results cannot be written.
pub fn command(args: &ReplayArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let plan = args.plan()?;
    let runs = measured(args, &plan, &progress)?;
    print(&tables(Measured { runs: &runs, plan: &plan, seed: args.common.seed }))?;
    Ok(Verdict::Holds)
}

fn measured(
    args: &ReplayArgs,
    plan: &Plan,
    progress: &Reporter,
) -> anyhow::Result<Vec<SessionResult>> {
    let chosen = args.inputs();
    let (named, remarks) = chosen.named()?;
    remarks.iter().for_each(|remark| progress.say(remark));
    let inputs: Vec<Input> =
        chosen.sessions().into_iter().map(Input::Generated).chain(named).collect();
    if inputs.is_empty() {
        bail!("no runs to cut; choose a --profile, or name --transcripts");
    }
    let stage = progress.stage("replay", inputs.len());
    let mut runs = parallel::map(&inputs, args.common.jobs(), |input| {
        let run = measure(&RunInput::load(input)?, plan)?;
        stage.done(&run.name);
        Ok(run)
    })?;
    drop(stage);
    // Equal files are one run.
    let mut met = BTreeSet::new();
    runs.retain(|run| met.insert(run.name.clone()));
    measure_floor(&mut runs, plan);
    Ok(runs)
}
