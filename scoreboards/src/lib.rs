//! The scoreboard: the versioned file in which an instrument keeps what it measured.
//!
//! A scoreboard holds rows (one an item), the aggregates declared over them, and the provenance that
//! both need to be read years later. Every aggregate says how it is computed, so [`verify`] can
//! recompute all of them from the rows, with the code that [`ScoreboardBuilder::finish`] computed
//! them with. The file's schema is described in `docs/FORMAT.md`.
//!
//! Harnesses build and save scoreboards; commands show, verify and compare them; reports read them. The names
//! that all of them share are in [`measures`]; what prints tables takes [`Lookup`] and [`Table`].
//! This crate knows nothing of transcripts, generators or instruments beyond their names.

mod aggregate;
mod builder;
mod compare;
mod environment;
mod evaluate;
mod hash;
mod lookup;
pub mod measures;
mod portable;
mod provenance;
mod row;
mod schema;
mod show;
mod store;
mod tables;
mod terminal;
mod value;
mod verify;

pub use aggregate::{Aggregate, AggregateSpec, Condition, Group, IntervalSpec, Method, PoolAxis};
pub use builder::{BuildError, ScoreboardBuilder};
pub use compare::{
    AggregateDelta, BoardRef, Comparison, Named, Paired, ProvenanceDifference, compare,
};
pub use evaluate::{AggregateError, evaluate};
pub use ground_truth::stats::{BootstrapKind, IntervalMethod};
pub use jiff::civil::Date;
pub use lookup::Lookup;
pub use portable::portable_command;
pub use provenance::{
    Answerer, Corpus, Environment, Instrument, Provenance, Renderer, Role, Spend,
};
pub use row::{Measure, Row};
pub use rust_decimal::Decimal;
pub use schema::{SCHEMA, Scoreboard};
pub use show::{ShowOptions, show};
pub use store::{LoadError, Saved, StoreError, file_name, load, save, to_json};
pub use tables::{Column, Table};
pub use terminal::{escape, table};
pub use value::{Estimate, IntervalOutcome, NotComputable, Undefined, Value};
pub use verify::{
    FileReport, FolderError, FolderReport, Problem, verify, verify_file, verify_folder,
};
