//! The calls in flight, and the tool names as small numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A tool's number; see [`Tools`].
pub(super) type ToolId = u32;

/// Tool names, numbered in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tools {
    ids: BTreeMap<String, ToolId>,
    names: Vec<String>,
}

impl Tools {
    /// The number of a name. From `max` distinct names on, every new one shares a number.
    pub(super) fn id(&mut self, name: &str, max: usize) -> ToolId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = ToolId::try_from(self.names.len().min(max)).unwrap_or(ToolId::MAX);
        if self.names.len() < max {
            self.ids.insert(name.to_owned(), id);
            self.names.push(name.to_owned());
        }
        id
    }

    /// The name of a number.
    pub(super) fn name(&self, id: ToolId) -> &str {
        usize::try_from(id)
            .ok()
            .and_then(|i| self.names.get(i))
            .map_or("other tools", String::as_str)
    }
}

/// A call that can still be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InFlight {
    pub(super) seq: u64,
    pub(super) thread: u32,
    pub(super) tool: ToolId,
    pub(super) input: u64,
    pub(super) waits: bool,
    pub(super) writes: bool,
    /// The call's number in its thread's flood window.
    pub(super) ordinal: u64,
}

/// The calls in flight by the hash of their id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Calls {
    open: BTreeMap<u64, InFlight>,
    /// Of these, those that wait for no person.
    working: usize,
}

impl Calls {
    /// Remembers a call. Beyond `max` the older half is forgotten: each call then pays for its own
    /// forgetting only.
    pub(super) fn open(&mut self, call: u64, flight: InFlight, max: usize) {
        self.close(call);
        if self.open.len() >= max.max(1) {
            self.forget_older_half();
        }
        self.working += usize::from(!flight.waits);
        self.open.insert(call, flight);
    }

    /// Takes a call out, if it is in flight.
    pub(super) fn close(&mut self, call: u64) -> Option<InFlight> {
        let flight = self.open.remove(&call)?;
        self.working -= usize::from(!flight.waits);
        Some(flight)
    }

    /// Is a call in flight that waits for no person?
    pub(super) fn working(&self) -> bool {
        self.working > 0
    }

    /// The oldest call in flight that waits for no person.
    pub(super) fn oldest_working(&self) -> Option<&InFlight> {
        self.open.values().filter(|f| !f.waits).min_by_key(|f| f.seq)
    }

    fn forget_older_half(&mut self) {
        let mut seqs: Vec<u64> = self.open.values().map(|f| f.seq).collect();
        let middle = seqs.len() / 2;
        let (_, cut, _) = seqs.select_nth_unstable(middle);
        let cut = *cut;
        self.open.retain(|_, f| f.seq > cut);
        self.working = self.open.values().filter(|f| !f.waits).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(seq: u64, waits: bool) -> InFlight {
        InFlight { seq, thread: 0, tool: 0, input: 0, waits, writes: false, ordinal: 0 }
    }

    #[test]
    fn tools_beyond_the_bound_share_a_number() {
        let mut tools = Tools::default();
        assert_eq!([tools.id("a", 2), tools.id("b", 2), tools.id("a", 2)], [0, 1, 0]);
        assert_eq!([tools.id("c", 2), tools.id("d", 2)], [2, 2]);
        assert_eq!([tools.name(1), tools.name(2)], ["b", "other tools"]);
    }

    #[test]
    fn forgetting_keeps_the_newer_calls_and_the_count() {
        let mut calls = Calls::default();
        for i in 0..9 {
            calls.open(100 - i, flight(i, i % 2 == 0), 8);
        }
        assert_eq!(calls.open.len(), 4);
        assert_eq!(calls.oldest_working().map(|f| f.seq), Some(5));
        assert_eq!(calls.working, 2);
    }

    #[test]
    fn a_call_with_a_known_id_replaces_it() {
        let mut calls = Calls::default();
        calls.open(1, flight(1, false), 8);
        calls.open(1, flight(2, true), 8);
        assert!(!calls.working());
        assert_eq!(calls.close(1).map(|f| f.seq), Some(2));
        assert_eq!(calls.close(1), None);
    }
}
