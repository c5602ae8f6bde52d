//! The page of a run: compiled from its state in named units, so that a live page receives only
//! those that changed. Used by the static page, the server and the benchmarks.

mod alerts;
mod ask;
mod cards;
mod chart;
mod compiler;
mod document;
mod episode;
mod facts;
mod files;
mod handover;
mod mark;
mod now;
mod progress;
mod renderer;
mod standing;
mod subject;
mod units;

pub(crate) use alerts::with_fault;
pub(crate) use ask::standing;
pub use compiler::Compiler;
pub(crate) use document::{Layout, RUN, frame, help, search};
pub use document::{Shell, document, policy};
pub(crate) use now::speaker;
pub(crate) use progress::Progress;
pub use renderer::renderer;
pub(crate) use standing::episodes;
pub use subject::Subject;
pub use units::{Unit, Units};
