//! The fold: one deterministic pass from records to [`RunState`], in memory bounded by the state.
//!
//! It keeps no events. What it counts, and what each count means, is defined in `docs/DEFINITIONS.md`; an
//! oracle that shares no code with it checks every field.

mod calls;
mod collections;
mod config;
mod conversation;
mod episodes;
mod facts;
mod files;
mod handover;
mod identity;
mod input;
mod lineage;
mod names;
mod recent;
mod state;
mod tasks;
mod thread;
mod turns;
mod usage;

pub use calls::{OpenCall, ToolTally};
pub use config::FoldConfig;
pub use conversation::{Conversation, Moment, Prompt};
pub use episodes::{Episode, EpisodeStatus};
pub(crate) use facts::is_value;
pub use facts::{
    Aggregate, ExtractedFact, FactConfig, FactInForce, FactSource, NotANumber, Number, ShownFact,
    Statistic, Total, source_name,
};
pub use files::{FileUse, Uses};
pub use handover::{
    Answer, CallAt, Handover, Instruction, Launch, Plan, Refusal, SlowCall, Todo, TurnWork,
};
pub use identity::Identity;
pub(crate) use recent::standing;
pub use recent::{CommandUse, NameSource, Recent, Reference, ReferenceKind, WordUse};
pub use state::{Failure, RunState, Watermark};
pub use tasks::{BackgroundTask, TaskCounts};
pub use turns::RunTurn;
pub use usage::{Calibration, Estimates, Reasoning, Spending, Tokens};

pub use crate::event::TodoStatus;
