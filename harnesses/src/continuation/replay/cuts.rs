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
