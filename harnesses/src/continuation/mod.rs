//! CONTINUE: which context policy (arm) lets a worker finish a long task, and at what price.
//!
//! A worker acts on a simulated filesystem, one call a step, shown only what the arm shows of its past.
//! The worker `mechanical` needs no model: it decides from its context's text alone, so it succeeds
//! exactly where the arm keeps what the task needs. `docs/CONTINUE.md` says what each number means.

mod args;
pub mod arms;
mod board;
mod command;
mod comparisons;
pub mod context;
pub mod counting;
pub mod grid;
pub mod helper;
mod history;
mod instructions;
mod lookup;
pub mod mechanical;
pub mod model;
pub mod protocol;
pub mod replay;
pub mod reply;
mod rows;
pub mod run;
mod tables;
pub mod tokens;
pub mod worker;

pub use args::{
    ArmsArgs, ContinueArgs, ContinueCommand, ExecutionArgs, GridArgs, RunArgs, SettingsArgs,
    TablesArgs, WorkerArgs,
};
pub use command::{command, fresh_grid_board, grid_board};
pub use tables::tables;
