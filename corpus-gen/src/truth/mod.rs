//! What a generated run is known to hold, counted while it is written: never by reading it again. The
//! definitions are those of the page on definitions in the documentation. [`Truth`] is for whoever
//! compares; `tally` is what the writer of records feeds.

pub(crate) mod background;
pub(crate) mod facts;
mod run;
pub(crate) mod stated;
pub(crate) mod sum;
pub(crate) mod tally;
mod tokens;
pub(crate) mod tracked;
pub(crate) mod turns;

pub use facts::KeyFacts;
pub use run::{Dangling, MainThread, Shapes, Truth};
pub use tokens::{CacheWrites, Tokens};
pub use tracked::TrackedValue;
