//! Pages that follow their runs, served on this machine alone: what changes is told to the browser as
//! it happens.

mod follow;
mod guard;
mod publish;
mod serve;
mod site;

pub use follow::{Follow, follow};
pub use publish::{Kind, Published, Publisher};
pub use serve::{LiveError, Served, serve};
pub use site::{Page, Site};

/// The time, as the machine's clock has it. The one place where the observer looks at a clock.
pub fn clock() -> trace_model::ids::Millis {
    trace_model::ids::Millis(jiff::Timestamp::now().as_millisecond())
}
