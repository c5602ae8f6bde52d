//! Replay: what a run's calls went on to use of what stood before a cut, from the raw records.
//!
//! `docs/METHODOLOGY.md`, "Replay", written down rule by rule and as naively as possible. It shares no code with the
//! harnesses' implementation, and a test compares the two. Each part can be read beside the page: `normal` the normal
//! form, `entity`, `command`, `branch`, `address`, `words`, `path` and `call` the entities, `holds` and `held` the
//! search, `place` the cuts, `cuts` what is needed. The items come from the oracle.

mod address;
mod branch;
mod call;
mod command;
mod cuts;
mod entity;
mod held;
mod holds;
mod normal;
mod path;
mod place;
mod words;

pub use cuts::{Cut, cuts, entities_of_calls, item_texts};
pub use entity::{Entity, Kind};
pub use holds::holds;
pub use normal::normal_form;
pub use place::CutKind;
