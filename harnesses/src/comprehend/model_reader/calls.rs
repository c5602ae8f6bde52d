//! The calls of a run, and where their replies are: what a run's folder keeps of them beside the cassette,
//! which holds each reply once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::model::{CallKey, Called, Cassette, CassetteMode, Pricing, RunFolder, Runner};

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
    /// Calls that a runner is to make, and the cassette that the user named.
    ///
    /// # Errors
    /// If the cassette's path cannot be made absolute.
    pub(super) fn new(
        recorded_as: BTreeMap<String, CallKey>,
        runner: &Runner,
        cassette: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let cassette = cassette.map(std::path::absolute).transpose();
        let cassette = cassette.context("cannot make the path of --cassette absolute")?;
        Ok(Self { cassette, pricing: runner.pricing().clone(), recorded_as })
    }

    /// The folder of the replies of a run in `folder`.
    pub(super) fn cassette(&self, folder: &RunFolder) -> PathBuf {
        self.cassette.clone().unwrap_or_else(|| folder.cassette())
    }

    /// The calls that have a reply in the cassette of a runner.
    ///
    /// # Errors
    /// If the cassette cannot be read.
    pub(super) fn replies(&self, runner: &Runner) -> anyhow::Result<BTreeMap<String, Called>> {
        self.found(|key| Ok(runner.recorded(key)?))
    }

    /// The same in the cassette on disk, for a run in `folder` that is over.
    ///
    /// # Errors
    /// If there is no cassette, or it cannot be read.
    pub(super) fn stored(&self, folder: &RunFolder) -> anyhow::Result<BTreeMap<String, Called>> {
        let path = self.cassette(folder);
        let cassette = Cassette::open(&path, CassetteMode::Strict).with_context(|| {
            format!("the replies of {} are in {}", folder.path().display(), path.display())
        })?;
        self.found(|key| Ok(cassette.load(key)?.map(|found| self.pricing.replay(found))))
    }

    fn found(
        &self,
        find: impl Fn(CallKey) -> anyhow::Result<Option<Called>>,
    ) -> anyhow::Result<BTreeMap<String, Called>> {
        let calls = self.recorded_as.iter();
        let found = calls.map(|(id, key)| Ok(find(*key)?.map(|called| (id.clone(), called))));
        found.filter_map(Result::transpose).collect()
    }
}
