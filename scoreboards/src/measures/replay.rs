//! Replay's names: written by the instrument, read by whoever reads its scoreboards.

use super::access;
use super::define::{aggregates, label_values, labels, measures};
use super::key::{Count, Kind as _, MeasureKey};
use crate::row::Row;

label_values! {
    /// What a row is about: the values of [`WHAT`].
    What of WHAT {
        /// A context in one size, over the cuts of a run.
        Context = "context",
        /// The same by kind of entity, in one size.
        Kinds = "kinds",
        /// A section of a view in its own size.
        Section = "section",
        /// An arm of CONTINUE.
        Arm = "arm",
    }
}

labels! {
    /// What the row is about.
    WHAT = "what";
    /// The run: the cluster of every interval.
    RUN = "run";
    /// The corpus of the run.
    CORPUS = "corpus";
    /// Why the run is cut: `turn`, `compaction`, `calls`.
    CUT = "cut";
    /// The context, the view, or the arm.
    CONTEXT = "context";
    /// The characters that a context may have, or `own`.
    SIZE = "size";
    /// The section of a view.
    SECTION = "section";
}

measures! {
    /// Cuts at which there is such a context.
    CUTS: Count = "cuts";
    /// Characters of the contexts at them, in all.
    CHARACTERS: Count = "characters";
    /// Tokens of them, in all, estimated.
    ESTIMATED_TOKENS: Tokens = "estimated_tokens";
    /// Entities that only the past could tell.
    NEEDED: Count = "needed";
    /// Of these, those that the context holds.
    NEEDED_HELD: Count = "needed_held";
    /// Of these, those that no other section holds.
    NEEDED_UNIQUE: Count = "needed_unique";
    /// Entities that are used next, shown again or not.
    USED: Count = "used";
    /// Of these, those that the context holds.
    USED_HELD: Count = "used_held";
    /// Of these, those that no other section holds.
    USED_UNIQUE: Count = "used_unique";
    /// Dollars of an arm's calls before the cuts, in all, simulated.
    DOLLARS: Dollars = "simulated_dollars";
}

/// How many entities of a kind are asked for: the headline's at that kind of cut.
#[must_use]
pub fn of_kind(kind: &str) -> MeasureKey<Count> {
    MeasureKey::numbered(kind.replace(' ', "_"))
}

/// How many of them the context holds.
#[must_use]
pub fn of_kind_held(kind: &str) -> MeasureKey<Count> {
    MeasureKey::numbered(format!("{}{HELD}", kind.replace(' ', "_")))
}

/// What the names of [`of_kind_held`] end with.
const HELD: &str = "_held";

aggregates! {
    /// The share held of what only the past could tell.
    NEEDED_RECALL = "recall of needed";
    /// The share held of what is used next.
    USED_RECALL = "recall of used next";
    /// Mean characters of a context.
    MEAN_CHARACTERS = "mean characters";
    /// Mean tokens of a context, estimated.
    MEAN_TOKENS = "mean tokens (estimated)";
    /// Mean dollars of an arm's calls before a cut, simulated.
    MEAN_DOLLARS = "mean dollars (simulated)";
    /// The share of what only the past could tell that one section holds.
    NEEDED_UNIQUE_RECALL = "recall of needed, no other section's";
}

/// The names of a row that this schema does not define, or not as a measure of that kind.
#[must_use]
pub fn undefined(row: &Row) -> Vec<String> {
    let of_kinds = row.is(&WHAT, What::Kinds.name());
    let kind = |name: &str| {
        let defined = MEASURES.iter().find(|it| it.name == name).map(|it| it.kind);
        defined.or_else(|| of_kinds.then_some(Count::NAME))
    };
    access::undefined(row, LABELS, kind)
}
