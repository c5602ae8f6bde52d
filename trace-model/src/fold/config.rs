//! The configuration of a fold: prices, thresholds, statistics. Part of the state, so that a saved state
//! resumes under the same rules.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::facts::FactConfig;
use crate::detect::DetectorConfig;
use crate::pricing::PriceTable;

/// The configuration of a fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldConfig {
    /// What models cost.
    pub prices: Arc<PriceTable>,
    /// Thresholds of the detectors.
    pub detectors: DetectorConfig,
    /// Which facts to keep.
    pub facts: FactConfig,
}

impl Default for FoldConfig {
    fn default() -> Self {
        Self {
            prices: Arc::new(PriceTable::builtin()),
            detectors: DetectorConfig::default(),
            facts: FactConfig::default(),
        }
    }
}
