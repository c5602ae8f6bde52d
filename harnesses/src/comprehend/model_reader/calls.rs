//! The calls of a run, and where their replies are: what a run's folder keeps of them beside the cassette,
//! which holds each reply once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::model::{CallKey, Called, Cassette, CassetteError, Pricing, RunFolder};

/// The calls of a run, and where their replies are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::comprehend) struct Calls {
    /// The cassette's folder, absolute; none if it is in the run's folder, which may be moved.
    cassette: Option<PathBuf>,
    /// By which prices the replies are paid.
    pricing: Pricing,
    /// What each call is recorded under, by the call's own key.
    recorded_as: BTreeMap<String, CallKey>,
}

impl Calls {
    /// Calls that are recorded under these keys, in `cassette` if the user named one.
    ///
    /// # Errors
    /// If the cassette's path cannot be made absolute.
    pub(super) fn new(
        recorded_as: BTreeMap<String, CallKey>,
        pricing: Pricing,
        cassette: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let cassette = cassette.map(std::path::absolute).transpose();
        let cassette = cassette.context("cannot make the path of --cassette absolute")?;
        Ok(Self { cassette, pricing, recorded_as })
    }

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
