//! Summary of a cell: estimate, interval, sample size, and comparison with another cell.
//!
//! All statistics are `ground-truth`'s; what cannot be computed says why ([`Bounds::None`]), and is
//! never a conventional 0 or 1. Tables, figures and the comparison over time use this.

mod answers;
mod bounds;
mod compare;
mod runs;

pub use answers::{AnswerSummary, summarize_answers};
pub use bounds::{BOOTSTRAP, Bounds, decimal, float};
pub use compare::{Comparison, Settings, Verdict, adjust, compare_answers, compare_runs};
pub use runs::{CostPer, RunSummary, mean_dollars, mean_tokens, summarize, summarize_cell};
