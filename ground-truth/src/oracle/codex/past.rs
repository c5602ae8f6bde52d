//! The main thread's items of a rollout file, for replay.

use super::super::event::Event;
use super::super::past::{ItemKind, Past, of_events};
use super::super::run_files::RunFiles;
use super::ledger::{Ledger, is_persons};
use super::person::prompts;
use super::record::Record;

/// The items of a rollout file. "A Codex run has no summary items."
pub(crate) fn past(run: &RunFiles) -> Past {
    let ledger = Ledger::of(run);
    let message = |event: &Event| {
        if is_persons(&ledger.records[event.record]) { ItemKind::Put } else { ItemKind::Said }
    };
    let prompts: Vec<usize> = prompts(&ledger).into_iter().map(|it| it.record).collect();
    let mut own = ledger.records.iter().filter(|record| record.in_main() && record.is_own());
    let folder = own.find_map(folder);
    of_events(&ledger.events, &prompts, folder, message)
}

/// `session_meta.payload.cwd` or `turn_context.payload.cwd`.
fn folder(record: &Record) -> Option<String> {
    let states = matches!(record.kind().as_str(), "session_meta" | "turn_context");
    record.id("cwd").filter(|_| states)
}
