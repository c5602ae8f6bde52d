//! COMPREHEND: how well a reader answers questions about runs from what a condition shows of them.
//!
//! Two readers need no model: `mechanical` parses the text, so that its score is what the condition
//! contains; `blind` is shown nothing and is the floor. A model behind an API is asked through
//! [`model`](crate::model). `docs/METHODOLOGY.md` says what each number means.

mod args;
mod board;
mod command;
mod conditions;
mod constants;
mod crosscheck;
mod dry_run;
mod graders;
pub mod mechanical;
mod model_reader;
mod prepare;
mod print;
mod question;
mod rows;
mod rule_sets;
mod run;
mod setup;
mod stored;
mod tables;

pub use args::{ComprehendArgs, ComprehendCommand, READERS, ReportArgs, RescoreArgs};
pub use command::command;
pub use conditions::{Caps, Compile, Compiled, Condition, Context, Subject};
pub use graders::{GradersArgs, measure as measure_graders};
pub use print::text;
pub use question::ReaderQuestion;
pub use run::{run, run_with};
pub use tables::tables;
