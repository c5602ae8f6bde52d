//! The calls of a run, and where their replies are: what a run's folder keeps of them beside the cassette,
//! which holds each reply once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::{CallKey, Called, Cassette, CassetteError, Pricing, RunFolder};

/// The calls of a run, and where their replies are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::comprehend) struct Calls {
    /// The cassette's folder, absolute; none if it is in the run's folder, which may be moved.
    pub(super) cassette: Option<PathBuf>,
    /// By which prices the replies are paid.
    pub(super) pricing: Pricing,
    /// What each call is recorded under, by the call's own key.
    pub(super) recorded_as: BTreeMap<String, CallKey>,
}

impl Calls {
    /// The cassette's folder, for a run in `folder`.
    pub(super) fn cassette(&self, folder: &RunFolder) -> PathBuf {
        self.cassette.clone().unwrap_or_else(|| folder.cassette())
    }

    /// The calls that have a reply.
    ///
    /// # Errors
    /// If the cassette cannot be read.
    pub(super) fn replies(
        &self,
        cassette: &Cassette,
    ) -> Result<BTreeMap<String, Called>, CassetteError> {
        let mut replies = BTreeMap::new();
        for (id, key) in &self.recorded_as {
            if let Some(found) = cassette.load(*key)? {
                replies.insert(id.clone(), self.pricing.replay(found));
            }
        }
        Ok(replies)
    }
}
