//! The calls in flight, and the tool names as small numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::observation::WaitsFor;

/// A tool's number; see [`Tools`].
pub(super) type ToolId = u32;

/// Tool names, numbered in the order in which they came, and how long calls of each usually take.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tools {
    ids: BTreeMap<String, ToolId>,
    names: Vec<String>,
    durations: BTreeMap<ToolId, Durations>,
}

/// How many answered calls a tool needs before its usual duration means anything.
const USUAL_FROM: u64 = 3;

/// How long a tool's answered calls took, in powers of two of a millisecond: enough to tell a tool of
/// milliseconds from one of minutes, in bounded memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Durations {
    /// Calls by the number of binary digits of their milliseconds.
    by_digits: BTreeMap<u32, u64>,
    calls: u64,
}

impl Durations {
    fn note(&mut self, millis: u64) {
        *self.by_digits.entry(u64::BITS - millis.leading_zeros()).or_default() += 1;
        self.calls += 1;
    }

    /// The time that half of the calls reached, rounded down to a power of two; `None` with too few calls.
    fn usual(&self) -> Option<u64> {
        if self.calls < USUAL_FROM {
            return None;
        }
        let mut seen = 0;
        let digits = self.by_digits.iter().find_map(|(digits, calls)| {
            seen += calls;
            (seen * 2 >= self.calls).then_some(*digits)
        })?;
        Some(if digits == 0 { 0 } else { 1 << (digits - 1) })
    }
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

    /// An answered call of the tool took so long.
    pub(super) fn took(&mut self, id: ToolId, millis: i64) {
        self.durations.entry(id).or_default().note(u64::try_from(millis).unwrap_or(0));
    }

    /// The milliseconds that half of the tool's answered calls took at least; none while they are few.
    pub(super) fn usual_millis(&self, id: ToolId) -> Option<u64> {
        self.durations.get(&id)?.usual()
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
    pub(super) waits_for: WaitsFor,
    pub(super) writes: bool,
    /// When it was issued, as far as times are known.
    pub(super) issued: Option<i64>,
    /// Whether the records show that it runs, or has run and is to be reported.
    pub(super) sign: Sign,
    /// The call's number in its thread's flood window.
    pub(super) ordinal: u64,
}

/// What the records show of a call in flight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sign {
    /// Nothing since it was issued.
    #[default]
    None,
    /// It has started: it wrote progress.
    Running,
    /// The tool has ended; only the result is not written yet.
    Returned,
}

impl InFlight {
    /// Whether its silence means anything: it waits for no other thread, and has not returned.
    fn is_silent(&self) -> bool {
        self.waits_for != WaitsFor::Thread && self.sign != Sign::Returned
    }
}

/// The calls in flight by the hash of their id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Calls {
    open: BTreeMap<u64, InFlight>,
    /// Of these, those whose silence means something.
    silent: usize,
}

impl Calls {
    /// Remembers a call. Beyond `max` the older half is forgotten: each call then pays for its own
    /// forgetting only.
    pub(super) fn open(&mut self, call: u64, flight: InFlight, max: usize) {
        self.close(call);
        if self.open.len() >= max.max(1) {
            self.forget_older_half();
        }
        self.silent += usize::from(flight.is_silent());
        self.open.insert(call, flight);
    }

    /// Takes a call out, if it is in flight.
    pub(super) fn close(&mut self, call: u64) -> Option<InFlight> {
        let flight = self.open.remove(&call)?;
        self.silent -= usize::from(flight.is_silent());
        Some(flight)
    }

    /// The records show this of a call, if it is in flight. It does not start again.
    pub(super) fn show(&mut self, call: u64, sign: Sign) {
        if let Some(flight) = self.open.get_mut(&call)
            && flight.sign != Sign::Returned
        {
            self.silent -= usize::from(flight.is_silent());
            flight.sign = sign;
            self.silent += usize::from(flight.is_silent());
        }
    }

    /// Whether a call is in flight whose silence means something.
    pub(super) fn any_silent(&self) -> bool {
        self.silent > 0
    }

    /// The oldest call in flight of those whose silence means something and that are wanted.
    pub(super) fn oldest_silent(&self, wanted: impl Fn(&InFlight) -> bool) -> Option<&InFlight> {
        let silent = self.open.values().filter(|flight| flight.is_silent() && wanted(flight));
        silent.min_by_key(|flight| flight.seq)
    }

    fn forget_older_half(&mut self) {
        let mut seqs: Vec<u64> = self.open.values().map(|f| f.seq).collect();
        let middle = seqs.len() / 2;
        let (_, cut, _) = seqs.select_nth_unstable(middle);
        let cut = *cut;
        self.open.retain(|_, f| f.seq > cut);
        self.silent = self.open.values().filter(|flight| flight.is_silent()).count();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(seq: u64, waits: bool) -> InFlight {
        let waits_for = if waits { WaitsFor::Thread } else { WaitsFor::Tool };
        InFlight {
            seq,
            thread: 0,
            tool: 0,
            input: 0,
            waits_for,
            writes: false,
            issued: None,
            sign: Sign::None,
            ordinal: 0,
        }
    }

    #[test]
    fn the_usual_duration_is_of_at_least_three_calls() {
        let mut tools = Tools::default();
        let tool = tools.id("a", 2);
        tools.took(tool, 1000);
        tools.took(tool, 3_600_000);
        assert_eq!(tools.usual_millis(tool), None);
        tools.took(tool, 1100);
        assert_eq!(tools.usual_millis(tool), Some(1024));
        for _ in 0..3 {
            tools.took(tool, 0);
        }
        assert_eq!(tools.usual_millis(tool), Some(0));
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
        assert_eq!(calls.oldest_silent(|_| true).map(|f| f.seq), Some(5));
        assert_eq!(calls.silent, 2);
    }

    #[test]
    fn a_call_with_a_known_id_replaces_it() {
        let mut calls = Calls::default();
        calls.open(1, flight(1, false), 8);
        calls.open(1, flight(2, true), 8);
        assert!(!calls.any_silent());
        assert_eq!(calls.close(1).map(|f| f.seq), Some(2));
        assert_eq!(calls.close(1), None);
    }
}
