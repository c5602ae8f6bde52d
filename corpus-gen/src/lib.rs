//! Seeded generators: sessions for COMPREHEND and pathology traces for DETECT, each with the truth
//! about itself.
//!
//! Everything is a function of (profile, seed), byte for byte, on every platform: all chance comes from
//! [`rng::Draw`], only integers are drawn and printed, nothing depends on a clock, a locale or the
//! order of a map. What is counted, and how, is the documentation's page on definitions.
//!
//! ```
//! use corpus_gen::{Profile, session};
//!
//! let run = session(Profile::Paper, 201);
//! assert_eq!(run.name, "paper-201");
//! assert!(run.truth.tool_calls >= 80);
//! ```

pub mod rng;
pub mod run;
pub mod seeds;
pub mod truth;

mod clock;
mod json;
pub mod pathology;
mod profile;
mod session;
mod text;
mod transcript;
mod world;

pub use profile::Profile;
pub use run::GeneratedRun;
pub use seeds::Seeds;
pub use session::driver::session;
pub use truth::Truth;
