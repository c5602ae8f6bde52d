//! The one way from a record to the state, whatever the record was read from.

use crate::event::Record;
use crate::fold::{FactSource, RunState};
use crate::ledger::LedgerFile;

/// Looks on while a run is folded: for what a reader of the run needs and the fold does not keep.
pub trait FoldObserver {
    /// The record is about to be folded in; it is in the run's file with this index, 0 being the session's.
    fn before(&mut self, _state: &RunState, _record: &Record<'_>, _file: u32) {}
    /// The record was folded in.
    fn after(&mut self, _state: &RunState, _record: &Record<'_>, _file: u32) {}
}

/// Nobody looks on.
impl FoldObserver for () {}

/// Where records go: into the ledger, if one is kept, and into the state.
pub(super) struct Sink<'a, O> {
    pub(super) state: &'a mut RunState,
    pub(super) ledger: Option<&'a mut LedgerFile>,
    pub(super) extracted: &'a dyn FactSource,
    pub(super) observer: &'a mut O,
}

impl<O: FoldObserver> Sink<'_, O> {
    /// Takes in a record of the run's file of this index.
    pub(super) fn take(&mut self, record: &Record<'_>, file: u32) {
        if let Some(ledger) = &mut self.ledger {
            ledger.append(record, file);
        }
        self.observer.before(self.state, record, file);
        self.state.apply_with(record, self.extracted);
        self.observer.after(self.state, record, file);
    }
}
