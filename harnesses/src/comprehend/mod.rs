//! COMPREHEND: how well a reader answers questions about runs from what a condition shows of them.
//!
//! Two readers need no model: `mechanical` parses the text, so that its score is what the condition
//! contains; `blind` is shown nothing and is the floor. `docs/METHODOLOGY.md` says what each number means.

mod args;
mod asked;
mod blind;
mod board;
mod conditions;
mod measure;
pub mod mechanical;
mod plan;
mod rows;
mod tables;

use std::collections::BTreeMap;

use anyhow::bail;
use scoreboards::{Scoreboard, ShowOptions};

pub use args::{ComprehendArgs, READERS};
pub use asked::Asked;
pub use conditions::{CONDITIONS, Caps, Compile, Condition, Context, Subject};
pub use tables::tables;

use crate::common::{Reporter, Verdict, deliver, parallel, print};
use crate::inputs::Input;
use blind::Constants;
use measure::{Measured, Plan};

/// Asks the chosen questions about the chosen runs.
///
/// # Errors
/// If an input cannot be read, or there is none.
pub fn run(args: &ComprehendArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    run_with(args, &CONDITIONS, progress)
}

/// The same with other conditions than the built-in ones.
///
/// # Errors
/// As for [`run`].
pub fn run_with(
    args: &ComprehendArgs,
    conditions: &[Condition],
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let (plan, runs, remarks) = measure_all(args, conditions, progress)?;
    let stage = progress.stage("blind", 1);
    let constants = Constants::find(&runs, args.common.jobs())?;
    drop(stage);
    let rows = rows::rows(&runs, &constants);
    board::build(args, &plan, &runs, rows, remarks)
}

fn measure_all(
    args: &ComprehendArgs,
    conditions: &[Condition],
    progress: &Reporter,
) -> anyhow::Result<(Plan, Vec<Measured>, Vec<String>)> {
    let plan = Plan {
        packs: args.packs()?,
        question_seed: args.question_seed,
        conditions: args.conditions(conditions),
        caps: args.caps(),
        mechanical: args.is_mechanical() && !args.dry_run,
    };
    let chosen = args.inputs();
    let (named, remarks) = chosen.named()?;
    let inputs: Vec<Input> =
        chosen.sessions().into_iter().map(Input::Generated).chain(named).collect();
    if inputs.is_empty() {
        bail!("there is no run to ask about; choose a --profile, or name --transcripts");
    }
    let stage = progress.stage("comprehend", inputs.len());
    let measured = parallel::map(&inputs, args.common.jobs(), |input| {
        let measured = measure::run(input, &plan)?;
        stage.done(&measured.name);
        Ok((measured, input))
    })?;
    drop(stage);
    let mut by_name = BTreeMap::new();
    for (measured, input) in measured {
        if let Input::Transcript(path) = input {
            progress.say(&format!("{} is {}", measured.name, path.display()));
        }
        // Equal files are one run.
        by_name.entry(measured.name.clone()).or_insert(measured);
    }
    Ok((plan, by_name.into_values().collect(), remarks))
}

/// A scoreboard for people: what it comes to, and the tables.
#[must_use]
pub fn text(board: &Scoreboard) -> String {
    scoreboards::show(board, shown(board)) + &tables(board)
}

/// What the readers score in all, and how much the conditions show: the rest is in the tables.
fn shown(board: &Scoreboard) -> ShowOptions {
    let is_total = |over: &scoreboards::Group| {
        !over.0.contains_key("question") && !over.0.contains_key("corpus")
    };
    let totals = board.aggregates.iter().take_while(|it| is_total(&it.spec.over));
    ShowOptions { max_aggregates: totals.count(), ..ShowOptions::default() }
}

/// Runs COMPREHEND, saves and prints its scoreboard; or with `--dry-run` says what it would do.
///
/// # Errors
/// If an input cannot be read or the scoreboard cannot be saved.
pub fn command(args: &ComprehendArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    if args.dry_run {
        let (_, runs, _) = measure_all(args, &CONDITIONS, &progress)?;
        print(&plan::describe(&runs, args.common.json)?)?;
        return Ok(Verdict::Holds);
    }
    let board = run(args, &progress)?;
    deliver(&board, &args.common, &progress, shown(&board))?;
    if !args.common.json {
        print(&tables(&board))?;
    }
    Ok(Verdict::Holds)
}
