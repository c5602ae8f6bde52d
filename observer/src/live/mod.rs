//! Live pages, served on this machine only: changes are streamed to the browser as they happen.

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
