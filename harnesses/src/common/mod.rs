//! What all instruments share: flags, progress, parallel work, and how a run ends.

mod args;
mod outcome;
pub mod parallel;
mod progress;

pub use args::{CommonArgs, defaults};
pub use outcome::{Verdict, deliver, exit};
pub(crate) use outcome::{price_date, print, today};
pub use progress::{Reporter, Stage};
