//! The page for people: what a run is doing, without reading its trace. Static, live, and over many
//! sessions; in a browser and in a terminal.
//!
//! Everything is compiled from a run's state and from a [`track::Track`], which looks on while the run is
//! folded. Time is an input: a page shows the run as of the given time. Used by the `tracefold` command alone.

mod fault;
pub mod fleet;
pub mod live;
pub mod mask;
pub mod page;
pub mod session;
pub mod text;
pub mod track;
pub mod tui;
