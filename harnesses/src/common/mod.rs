//! What all instruments share: flags, progress, and how a run ends.

mod args;
mod outcome;
mod program;
mod progress;

pub use args::{CommonArgs, defaults};
pub use outcome::{Verdict, deliver};
pub(crate) use outcome::{price_date, print, today};
pub use program::program;
pub use progress::{Reporter, Stage};
