//! Tool flood: many calls of one or two tools, most of which bring nothing new.
//!
//! A call brings something new if its tool and input, or its result, were not in the window when they came.
//! While it is unanswered it has the benefit of the doubt. So a hundred different reads are not a flood, nor is
//! polling with changing results.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, Scope};
use super::calls::{ToolId, Tools};
use super::config::AnomalyKind;

/// What is known of a call's result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Answer {
    Pending,
    /// Ended without a result.
    Nothing,
    New(u64),
    Seen(u64),
}

/// One call of the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    seq: u64,
    tool: ToolId,
    input: u64,
    new_input: bool,
    answer: Answer,
}

impl Entry {
    fn stale(&self) -> bool {
        !self.new_input && matches!(self.answer, Answer::Nothing | Answer::Seen(_))
    }
}

/// How often each key is in the window.
type Counts = BTreeMap<u64, u32>;

/// Counts a key; was it new?
fn count(counts: &mut Counts, key: u64) -> bool {
    let n = counts.entry(key).or_insert(0);
    *n += 1;
    *n == 1
}

fn uncount(counts: &mut Counts, key: u64) {
    if let Some(n) = counts.get_mut(&key) {
        *n -= 1;
        if *n == 0 {
            counts.remove(&key);
        }
    }
}

/// The flood detector of one thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Flood {
    window: VecDeque<Entry>,
    /// Calls so far.
    calls: u64,
    tools: Counts,
    inputs: Counts,
    results: Counts,
    stale: usize,
    active: Option<Anomaly>,
}

impl Flood {
    /// Takes in a call and gives its number in the thread, to name it when its result comes.
    pub(super) fn call(
        &mut self,
        thread: u32,
        tool: ToolId,
        input: u64,
        scope: &mut Scope<'_>,
    ) -> u64 {
        let seq = scope.seq;
        // The window's keys are hashes already; mixing in the tool keeps equal inputs of two tools
        // apart. Fibonacci hashing: the golden ratio as a 64-bit fraction.
        let input = input ^ u64::from(tool + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        count(&mut self.tools, u64::from(tool));
        let new_input = count(&mut self.inputs, input);
        self.window.push_back(Entry { seq, tool, input, new_input, answer: Answer::Pending });
        let ordinal = self.calls;
        self.calls += 1;
        while self.window.len() > scope.config.flood_window.max(1) {
            self.evict();
        }
        if let Some(anomaly) = &mut self.active {
            anomaly.count += 1;
            let window = scope.config.flood_window as u64;
            if anomaly.count >= window.saturating_mul(scope.config.flood_escalate_windows) {
                anomaly.escalate(seq);
            }
        }
        self.judge(thread, scope);
        ordinal
    }

    /// Takes in the result of a call, or that it ended without one.
    pub(super) fn answer(
        &mut self,
        thread: u32,
        ordinal: u64,
        result: Option<u64>,
        scope: &mut Scope<'_>,
    ) {
        let oldest = self.calls - self.window.len() as u64;
        let index = ordinal.checked_sub(oldest).and_then(|i| usize::try_from(i).ok());
        let Some(entry) = index.and_then(|i| self.window.get_mut(i)) else { return };
        entry.answer = match result {
            None => Answer::Nothing,
            Some(hash) if count(&mut self.results, hash) => Answer::New(hash),
            Some(hash) => Answer::Seen(hash),
        };
        self.stale += usize::from(entry.stale());
        self.judge(thread, scope);
    }

    /// Resets, as after a user turn.
    pub(super) fn reset(&mut self, scope: &mut Scope<'_>) {
        scope.clear(self.active.take());
        *self = Self { calls: self.calls, ..Self::default() };
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &Anomaly> {
        self.active.iter()
    }

    fn evict(&mut self) {
        let Some(entry) = self.window.pop_front() else { return };
        self.stale -= usize::from(entry.stale());
        uncount(&mut self.tools, u64::from(entry.tool));
        uncount(&mut self.inputs, entry.input);
        if let Answer::New(hash) | Answer::Seen(hash) = entry.answer {
            uncount(&mut self.results, hash);
        }
    }

    fn judge(&mut self, thread: u32, scope: &mut Scope<'_>) {
        let mostly_stale = (self.window.len() - self.stale) * 2 < self.window.len();
        if !mostly_stale {
            scope.clear(self.active.take());
            return;
        }
        if self.active.is_some() || self.window.len() < scope.config.flood_window {
            return;
        }
        let concentration = self.concentration(scope.tools, scope.config.flood_concentration);
        let Some(subject) = concentration else { return };
        let first_seq = self.window.front().map_or(scope.seq, |e| e.seq);
        let count = self.window.len() as u64;
        self.active =
            Some(scope.raise(AnomalyKind::ToolFlood, Some(thread), subject, first_seq, count));
    }

    /// The one or two tools that make up `at_least` of the window, if there are such. Looks at every
    /// tool of the window, and is only asked when most of the window is stale.
    fn concentration(&self, tools: &Tools, at_least: usize) -> Option<String> {
        let mut by_count: Vec<(u32, u64)> = self.tools.iter().map(|(t, n)| (*n, *t)).collect();
        by_count.sort_unstable_by_key(|(n, tool)| (std::cmp::Reverse(*n), *tool));
        let mut total = 0;
        let mut names = Vec::new();
        for (n, tool) in by_count.into_iter().take(2) {
            total += n as usize;
            names.push(tools.name(ToolId::try_from(tool).unwrap_or(ToolId::MAX)));
            if total >= at_least {
                return Some(names.join(" and "));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::feed::Feed;
    use super::super::{AnomalyKind, DetectorConfig, OutcomeKind::*};

    /// A window too short for floods separates loops from them.
    fn feed() -> Feed {
        Feed::new(DetectorConfig { loop_window: 1, ..DetectorConfig::default() })
    }

    /// Calls of a tool over `inputs` inputs in turn, each with one result of its own.
    fn rounds(f: &mut Feed, tool: &str, inputs: u64, calls: u64) -> u64 {
        let mut last = 0;
        for i in 0..calls {
            last = f.call(tool, i % inputs, Succeeded, i % inputs).outcome;
        }
        last
    }

    #[test]
    fn fifty_stale_calls_raise_and_three_windows_escalate() {
        let mut f = feed();
        let first = f.call("Grep", 0, Succeeded, 0);
        rounds(&mut f, "Grep", 20, 48);
        assert!(f.active().is_empty(), "49 calls are no flood");
        let fiftieth = rounds(&mut f, "Grep", 20, 1) - 1;
        let a = f.only_active();
        assert_eq!((a.kind, a.subject.as_str()), (AnomalyKind::ToolFlood, "Grep"));
        assert_eq!((a.first_seq, a.raised_at, a.count), (first.call, fiftieth, 50));
        rounds(&mut f, "Grep", 20, 99);
        assert_eq!((f.only_active().count, f.only_active().escalated_at), (149, None));
        rounds(&mut f, "Grep", 20, 1);
        assert!(f.only_active().escalated_at.is_some());
        assert_eq!(
            f.only_active().message(),
            "150 calls, nearly all of Grep, most of which brought nothing new"
        );
    }

    #[test]
    fn half_new_is_no_flood_one_less_is() {
        let mut f = feed();
        rounds(&mut f, "Grep", 25, 50);
        assert!(f.active().is_empty());
        let mut f = feed();
        rounds(&mut f, "Grep", 24, 50);
        assert_eq!(f.active().len(), 1);
    }

    #[test]
    fn forty_calls_of_two_tools_are_needed() {
        // 20 Grep, 20 Read, 10 others, all stale after their first round.
        let mut f = feed();
        for i in 0..10 {
            for tool in ["Grep", "Grep", "Read", "Read"] {
                f.call(tool, 1, Succeeded, 1);
            }
            f.call(["A", "B", "C"][i % 3], 1, Succeeded, 1);
        }
        assert_eq!(f.only_active().subject, "Grep and Read");
        // One of the forty goes to a third tool.
        let mut f = feed();
        for i in 0..10 {
            for tool in ["Grep", "Grep", "Read", if i == 5 { "A" } else { "Read" }] {
                f.call(tool, 1, Succeeded, 1);
            }
            f.call(["A", "B", "C"][i % 3], 1, Succeeded, 1);
        }
        assert!(f.active().is_empty());
    }

    #[test]
    fn a_hundred_different_reads_are_no_flood() {
        let mut f = feed();
        for i in 0..100 {
            f.call("Read", i, Succeeded, 0);
        }
        assert!(f.active().is_empty());
    }

    #[test]
    fn polling_with_changing_results_is_no_flood() {
        let mut f = feed();
        for i in 0..200 {
            f.call("BashOutput", 1, Succeeded, i);
        }
        assert!(f.active().is_empty());
    }

    #[test]
    fn unanswered_calls_have_the_benefit_of_the_doubt() {
        let mut f = feed();
        let calls: Vec<u64> = (0..50).map(|_| f.issue("Grep", 1)).collect();
        assert!(f.active().is_empty());
        for call in &calls[..26] {
            f.answer(*call, Succeeded, 1);
        }
        assert!(f.active().is_empty(), "the first is new: 25 stale");
        f.answer(calls[26], Succeeded, 1);
        assert_eq!(f.active().len(), 1);
    }

    #[test]
    fn it_clears_when_half_is_new_again() {
        let mut f = feed();
        rounds(&mut f, "Grep", 1, 50);
        for i in 0..24 {
            f.call("Read", 100 + i, Succeeded, 100 + i);
        }
        assert_eq!(f.active().len(), 1);
        f.call("Read", 200, Succeeded, 200);
        assert!(f.active().is_empty());
        assert_eq!(f.cleared().len(), 1);
    }

    #[test]
    fn a_user_turn_clears_it_and_starts_a_new_window() {
        let mut f = feed();
        rounds(&mut f, "Grep", 1, 60);
        f.user_turn();
        assert!(f.active().is_empty());
        rounds(&mut f, "Grep", 1, 49);
        assert!(f.active().is_empty());
        rounds(&mut f, "Grep", 1, 1);
        assert_eq!(f.active().len(), 1);
    }
}
