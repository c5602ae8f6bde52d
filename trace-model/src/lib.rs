//! The trace model: an agent's transcript as typed events, folded into run state, compiled into views.
//!
//! Bytes become [`event::Record`]s in [`reader`] (through an [`adapter`] per agent), records are
//! folded into a [`fold::RunState`], and [`view`] compiles text from that state. The crate knows
//! nothing of the corpus generator or of the oracle that checks it.

pub mod adapter;
pub mod derived;
pub mod detect;
pub mod event;
pub mod extract;
pub mod fold;
pub mod ids;
mod json;
pub mod ledger;
mod marks;
pub mod pricing;
pub mod reader;
pub mod redact;
pub mod run;
pub mod settings;
pub mod text;
pub mod totals;
pub mod view;
pub mod walk;
pub mod whole;
