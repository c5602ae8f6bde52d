//! The names that rows, aggregates, tables and reports share, each defined once with its kind and meaning.
//!
//! An instrument's rows carry labels and measures by name, its aggregates have names, and whoever reads a
//! scoreboard looks all of them up by name. Here each name is a constant: one that does not exist does not
//! compile, and a measure is written and read as what it is ([`Count`], [`Flag`], [`Score`], ...). Each
//! instrument that has a schema lists all that it defines, so that a test can hold a scoreboard against it.

mod access;
pub mod comprehend;
mod condition;
pub mod continuation;
mod define;
mod key;
pub mod replay;

pub use key::{
    AggregateKey, Count, Definition, Dollars, Flag, Kind, LabelKey, MeasureKey, Numeric, Score,
    Text, Tokens,
};
