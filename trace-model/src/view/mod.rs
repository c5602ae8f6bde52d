//! Text compiled from a run: the worker view from its state, the flat log from its events.
//!
//! Each renderer has a name, a version and a fingerprint, and stamps what it writes with them and
//! with what it covers. The fingerprint is the hash of what the renderer makes of a fixed reference
//! run: if it changes, the version has to.

pub mod flatlog;
mod reference;
mod variant;
pub mod worker;

use std::fmt;

use serde::Serialize;

pub use variant::Variant;

/// Which code compiled a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Renderer {
    /// Its name.
    pub name: &'static str,
    /// Its version: higher whenever any byte of its output changes.
    pub version: u32,
    /// The first 16 hexadecimal digits of the SHA-256 of its output for the reference run.
    pub fingerprint: String,
}

impl fmt::Display for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} (fingerprint {})", self.name, self.version, self.fingerprint)
    }
}

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
    let variants = Variant::ALL.into_iter().map(Variant::renderer);
    variants.chain([flatlog::renderer()]).collect()
}

#[cfg(test)]
mod tests;
