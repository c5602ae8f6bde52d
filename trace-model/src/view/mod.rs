//! Text compiled from a run: the worker views from its state, the flat log from its events.
//!
//! Each renderer has a name, a version and a fingerprint, and stamps what it writes with them and
//! with what it covers. The fingerprint is the hash of what the renderer makes of a fixed reference
//! run: if it changes, the version has to.

mod budget;
mod choice;
pub mod flatlog;
pub mod handover;
mod reference;
mod renderer;
mod variant;
mod words;
pub mod worker;

pub use budget::Budget;
pub use choice::{Version, WorkerView};
pub use renderer::Renderer;
pub use variant::Variant;

/// The small transcript by which renderers are fingerprinted: it has a bit of everything that they
/// show.
pub fn reference_transcript() -> &'static [u8] {
    reference::TRANSCRIPT
}

/// The fingerprint of a renderer that writes this for the reference run.
pub fn fingerprint(output: &str) -> String {
    reference::fingerprint(output)
}

/// All renderers of this crate.
pub fn renderers() -> Vec<Renderer> {
    WorkerView::all().map(WorkerView::renderer).chain([flatlog::renderer()]).collect()
}

#[cfg(test)]
mod tests;
