//! What a client states in the end: the sums of a `result` record, and what they have above the calls.

use std::collections::BTreeMap;

use super::tokens::Tokens;

/// What the `result` records state so far.
#[derive(Debug, Default)]
pub(crate) struct StatedSums {
    by_model: BTreeMap<String, Tokens>,
    pub(crate) cost: Option<String>,
}

impl StatedSums {
    /// A `result` record states what the process used of `model`.
    pub(crate) fn model(&mut self, model: &str, used: Tokens) {
        let known = self.by_model.entry(model.to_owned()).or_default();
        *known = known.largest(used);
    }

    /// Adds to `by_model` what is stated above it; returns the sum added.
    pub(crate) fn unattributed(self, by_model: &mut BTreeMap<String, Tokens>) -> Tokens {
        let mut all = Tokens::default();
        for (model, stated) in self.by_model {
            // Calls carry the bare name; the stated one may tell the size of the context.
            let bare = model.trim_end_matches("[1m]");
            let counted = by_model.get(bare).copied().unwrap_or_default();
            let above = stated.above(counted);
            if above != Tokens::default() {
                by_model.entry(bare.to_owned()).or_default().add(above);
                all.add(above);
            }
        }
        all
    }
}
