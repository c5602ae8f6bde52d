//! The paper's numeric claims, each recomputed from released data or from one of our runs.
//!
//! A claim is data (`data/claims.toml`): what it says, where, its figure and rounding, and the
//! operation that recomputes it. Operations combine runs or released parts; none returns a released
//! number as it is, so a figure is never compared with itself. Commands and pages print the verdicts.

mod claim;
mod context;
mod evaluate;
mod failure;
mod figure;
mod judge;
mod operation;
mod print;

pub use claim::{Claim, ClaimsError, carried, parse};
pub use context::Context;
pub use figure::{Figure, FigureError, Rounding};
pub use judge::{Judged, Verdict, judge};
pub use operation::{Basis, Operation};
pub use print::{as_table, counts};
