//! Facts: the `key = value` lines in tool results, each with its source, and what they add up to.
//!
//! Every fact that is in force is tracked (a digest and, if it is one, its number), so that a file
//! read again is not counted twice and a changed value replaces the old one even when the old one is
//! no longer shown. Only the text of the most recent ones is kept for views. Used by the fold.

mod extracted;
mod number;
mod parse;
mod shown;
mod statistic;
mod store;
mod wide;

pub(super) use extracted::LinesOnly;
pub use extracted::{ExtractedFact, FactSource};
pub use number::{NotANumber, Number, Total};
pub(crate) use parse::is_value;
pub use shown::ShownFact;
pub use statistic::Statistic;
pub use store::aggregates::Aggregate;
pub(super) use store::{Extent, Facts, Reading, SourceRef};
pub use store::{FactConfig, FactInForce, source_name};
