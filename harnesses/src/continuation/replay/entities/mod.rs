//! Entities: what a call uses that can be looked for in a text, each a kind and a text. By the rules of
//! `docs/METHODOLOGY.md`, section "Replay".

mod branch;
mod command;
mod path;
mod reference;
mod uses;
mod words;

pub(super) use command::stripped;
pub(super) use path::Folder;
pub(super) use uses::{Entity, EntityKind};
pub(super) use uses::{Use, paths_of, uses};
