//! Where a run is cut: decided as its items arrive.

use super::items::{Item, ItemKind};

/// Why a run is cut at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CutKind {
    /// A person wrote, after enough calls.
    Turn,
    /// The context was compacted.
    Compaction,
    /// So many calls were made.
    Calls,
}

impl CutKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 3] = [Self::Turn, Self::Compaction, Self::Calls];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Compaction => "compaction",
            Self::Calls => "calls",
        }
    }
}

/// A place between two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cut {
    /// How many items stand before it.
    pub(super) before: usize,
    /// Why the run is cut here.
    pub(super) kind: CutKind,
}

/// How runs are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutRules {
    /// The fewest calls between two `turn` cuts.
    pub min_calls: usize,
    /// Calls from one `calls` cut to the next.
    pub every: usize,
    /// Calls after a cut whose entities are looked for.
    pub window: usize,
}

impl Default for CutRules {
    fn default() -> Self {
        Self { min_calls: 30, every: 50, window: 30 }
    }
}

/// Finds the cuts of a run.
#[derive(Clone, Debug)]
pub(super) struct Cutter {
    rules: CutRules,
    items: usize,
    calls: usize,
    calls_at_turn: usize,
    compacted: bool,
}

impl Cutter {
    pub(super) fn new(rules: CutRules) -> Self {
        Self { rules, items: 0, calls: 0, calls_at_turn: 0, compacted: false }
    }

    /// The context was compacted here.
    pub(super) fn compaction(&mut self) {
        self.compacted = self.calls > 0;
    }

    /// The cuts before the next item.
    pub(super) fn before(&mut self, item: &Item) -> Vec<Cut> {
        let mut kinds = Vec::new();
        if item.is_prompt && self.calls - self.calls_at_turn >= self.rules.min_calls {
            self.calls_at_turn = self.calls;
            kinds.push(CutKind::Turn);
        }
        if std::mem::take(&mut self.compacted) {
            kinds.push(CutKind::Compaction);
        }
        let is_call = item.kind == ItemKind::Call;
        if is_call && self.calls > 0 && self.calls.is_multiple_of(self.rules.every.max(1)) {
            kinds.push(CutKind::Calls);
        }
        let before = self.items;
        self.items += 1;
        self.calls += usize::from(is_call);
        kinds.into_iter().map(|kind| Cut { before, kind }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuation::replay::items::tests::{call, prompt, said};

    /// The cuts of a run in which `c` is a call, `p` a prompt, `s` something said and `!` a compaction.
    fn cuts(run: &str) -> Vec<(usize, &'static str)> {
        let rules = CutRules { min_calls: 2, every: 3, window: 2 };
        let (mut cutter, mut found) = (Cutter::new(rules), Vec::new());
        for step in run.chars() {
            let item = match step {
                'c' => call("{}"),
                'p' => prompt("go"),
                's' => said("so"),
                _ => {
                    cutter.compaction();
                    continue;
                }
            };
            found.extend(cutter.before(&item).into_iter().map(|it| (it.before, it.kind.name())));
        }
        found
    }

    #[test]
    fn prompts_cut_after_enough_calls() {
        assert_eq!(cuts("pcpcpp"), [(4, "turn")]);
        assert_eq!(cuts("ccpcpcp"), [(2, "turn"), (5, "calls"), (6, "turn")]);
    }

    #[test]
    fn compactions_cut_before_the_next_item_once() {
        assert_eq!(cuts("!p!c"), []);
        assert_eq!(cuts("pc!!s!"), [(2, "compaction")]);
        assert_eq!(cuts("pcc!p"), [(3, "turn"), (3, "compaction")]);
    }

    #[test]
    fn calls_cut_before_every_so_many_and_one() {
        assert_eq!(cuts("cccsc"), [(4, "calls")]);
        assert_eq!(cuts("ccccccc"), [(3, "calls"), (6, "calls")]);
    }
}
