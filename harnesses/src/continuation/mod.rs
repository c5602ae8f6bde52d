//! CONTINUE: which context policy (arm) lets a worker finish a long task, and at what price.
//!
//! A worker acts on a simulated filesystem, one call a step, shown only what the arm shows of its past.
//! The worker `mechanical` needs no model: it decides from its context's text alone, so it succeeds
//! exactly where the arm keeps what the task needs. `docs/CONTINUE.md` says what each number means.

mod args;
pub mod arms;
mod board;
pub mod context;
pub mod grid;
mod history;
mod instructions;
pub mod mechanical;
pub mod protocol;
pub mod reply;
mod rows;
pub mod run;
mod shape;
mod tables;
pub mod tokens;
pub mod worker;

use std::collections::BTreeMap;

use scoreboards::{Scoreboard, ShowOptions};

pub use args::{ArmsArgs, ContinueArgs, ContinueCommand, GridArgs, RunArgs, TablesArgs};
pub use tables::tables;

use crate::common::{CommonArgs, Reporter, Verdict, deliver, print};
use arms::ARMS;
use grid::{Asked, Cell, cells, run_cells};
use worker::{MechanicalWorkers, Workers};

/// Runs CONTINUE.
///
/// # Errors
/// If the arguments ask for nothing that can be done, or results cannot be written.
pub fn command(args: &ContinueArgs) -> anyhow::Result<Verdict> {
    match &args.command {
        None => run_few(&args.run),
        Some(ContinueCommand::Run(args)) => run_few(args),
        Some(ContinueCommand::Grid(args)) => run_grid(args),
        Some(ContinueCommand::Tables(args)) => {
            print(&tables(&scoreboards::load(&args.file)?))?;
            Ok(Verdict::Holds)
        }
        Some(ContinueCommand::Arms(_)) => {
            let rows = ARMS.iter().map(|arm| vec![arm.name.to_owned(), arm.about.to_owned()]);
            print(&(scoreboards::table(&["arm", "shows"], &[], rows.collect()) + "\n"))?;
            Ok(Verdict::Holds)
        }
    }
}

fn run_grid(args: &GridArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let board = grid_board(args, &progress)?;
    deliver(&board, &args.common, &progress, ShowOptions { max_aggregates: 0, max_rows: 0 })?;
    if !args.common.json {
        print(&tables(&board))?;
    }
    Ok(Verdict::Holds)
}

/// Runs a grid, or what is left of it, and gives the scoreboard of all its rows.
///
/// # Errors
/// If stored rows come from another protocol, or results cannot be written.
pub fn grid_board(args: &GridArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    let (asked, rules) = args.settings.mechanical(&args.common)?;
    let asked = Asked { record: args.record.clone(), ..asked };
    let workers = MechanicalWorkers { priced: asked.priced.clone(), cache: rules };
    let all: Vec<_> = ARMS.iter().collect();
    let arms = if args.arms.is_empty() { &all } else { &args.arms };
    let (cells, left_out) = cells(arms, &args.families, &args.horizons, args.seeds.as_slice());
    measure(&args.common, &asked, &workers, &cells, left_out, progress)
}

fn measure(
    common: &CommonArgs,
    asked: &Asked,
    workers: &dyn Workers,
    cells: &[Cell],
    remarks: Vec<String>,
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let rows = run_cells(cells, asked, workers, progress, &|_, _| Ok(()))?;
    let runs: BTreeMap<_, _> = cells.iter().copied().zip(rows).collect();
    board::build(common, asked, &runs, remarks)
}

fn run_few(args: &RunArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let (asked, rules) = args.settings.mechanical(&args.common)?;
    let record = args.record.clone();
    let record = record.unwrap_or_else(|| args.common.out.join("continue/transcripts"));
    let asked = Asked { record: Some(record), ..asked };
    let workers = MechanicalWorkers { priced: asked.priced.clone(), cache: rules };
    let (cells, left_out) =
        cells(&args.arms, &[args.family], &[args.horizon], args.seeds.as_slice());
    let board = measure(&args.common, &asked, &workers, &cells, left_out, &progress)?;
    if args.common.json {
        print(&scoreboards::to_json(&board)?)?;
    } else {
        print(&tables(&board))?;
    }
    Ok(Verdict::Holds)
}
