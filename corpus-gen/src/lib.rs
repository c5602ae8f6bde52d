//! Seeded generators: sessions for COMPREHEND, pathology traces for DETECT and workbench tasks for
//! CONTINUE, each with the truth about itself.
//!
//! Everything is a function of (profile, seed), tasks of (family, horizon, seed), byte for byte, on
//! every platform: all chance comes from [`rng::Draw`], only integers are drawn and printed, nothing
//! depends on a clock, a locale or the order of a map. What is counted, and how, is the
//! documentation's page on definitions.
//!
//! ```
//! use corpus_gen::{Profile, session};
//!
//! let run = session(Profile::Paper, 201);
//! assert_eq!(run.name, "paper-201");
//! assert!(run.truth.tool_calls >= 80);
//! ```

pub mod cli;
pub mod generate;
pub mod manifest;
pub mod pathology;
pub mod plan;
pub mod rng;
pub mod run;
pub mod seeds;
pub mod tasks;
pub mod truth;
pub mod verify;

mod clock;
mod json;
mod named;
mod profile;
mod session;
mod text;
mod transcript;
mod varied;
mod world;

pub use generate::{GenerateError, Progress, generate_to};
pub use manifest::{GENERATOR_VERSION, Manifest, ManifestError, default_manifest};
pub use pathology::labels::{Instance, Kind, Labels, NearMiss, Set};
pub use pathology::trace;
pub use plan::{
    Plan, Source, default_session_seeds, default_trace_seeds, pathology, pathology_of, sessions,
};
pub use profile::Profile;
pub use run::GeneratedRun;
pub use seeds::{Seeds, SeedsError};
pub use session::driver::session;
pub use truth::{KeyFacts, MainThread, Shapes, Tokens, TrackedValue, Truth};
pub use verify::{Difference, verify};
