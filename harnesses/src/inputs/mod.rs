//! What the instruments measure over: generated sessions and pathology traces, the probe, and
//! transcripts that are named on the command line.

mod args;
mod choice;
mod corpora;
mod input;
mod load;
mod probe;
mod transcripts;

pub use args::InputArgs;
pub use choice::Choice;
pub(crate) use corpora::{Identity, corpora};
pub use input::Input;
pub(crate) use input::TRANSCRIPTS;
pub(crate) use load::{Files, RunInput};
pub(crate) use probe::Probe;
