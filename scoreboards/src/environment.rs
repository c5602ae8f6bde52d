//! Reads the environment section off the running program. It names no host and no user.

use crate::provenance::Environment;

impl Environment {
    /// This machine and build.
    pub fn current() -> Self {
        let cpus = std::thread::available_parallelism().map_or(0, |n| n.get() as u64);
        Self {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpus,
            rustc: env!("SCOREBOARDS_RUSTC").to_owned(),
            package: env!("CARGO_PKG_VERSION").to_owned(),
            build: if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned(),
        }
    }
}
