//! Pages that follow their runs, served on this machine alone: what changes is told to the browser as
//! it happens.

mod clock;
mod follow;
mod guard;
mod publish;
mod serve;
mod site;

pub use clock::clock;
pub use follow::{Follow, follow};
pub use publish::{Published, Publisher};
pub use serve::{LiveError, Served, serve};
pub use site::{Page, Site};
