//! The stamp by which a text names the code that compiled it.

use std::fmt;

use serde::Serialize;

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
