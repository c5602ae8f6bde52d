//! The recount of Codex CLI's rollout files, by `docs/formats/codex.md` and by nothing else.
//!
//! `record` reads the records of a file and tells what is replayed, `ledger` makes events of them, `person`,
//! `results`, `tasks` and `usage` read what those hold, [`recount`], [`timeline`] and [`past`] put it together. What the
//! page does not mention is as for every format: `calls`, `facts`, `turns` of the parent module.

mod ledger;
mod past;
mod person;
mod record;
mod recount;
mod results;
mod tasks;
mod threads;
mod timeline;
mod usage;

pub(super) use past::past;
pub(super) use record::is_record;
pub(super) use recount::recount;
pub(super) use threads::{is_rollout, of_run};
pub(super) use timeline::timeline;
