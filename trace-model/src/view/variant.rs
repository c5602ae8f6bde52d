//! The worker view with a part left out, to measure what that part is worth. Each variant is a
//! renderer of its own, so that what was measured with one is never pooled with another.

/// A variant of the worker view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// The worker view itself.
    Worker,
    /// Without the aggregates' coverage (requirement 11): statistics stand alone, with neither how many values
    /// they are over nor up to which reading, and the first line does not say how far the view goes. A worker
    /// can't tell whether what it has just read is in them.
    Unstamped,
    /// Without aggregates: a worker adds up the facts that are shown itself.
    WithoutAggregates,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Worker, Self::Unstamped, Self::WithoutAggregates];

    /// The renderer's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Worker => "worker",
            Self::Unstamped => "worker-unstamped",
            Self::WithoutAggregates => "worker-without-aggregates",
        }
    }

    pub(super) fn states_coverage(self) -> bool {
        self != Self::Unstamped
    }

    pub(super) fn has_aggregates(self) -> bool {
        self != Self::WithoutAggregates
    }
}
