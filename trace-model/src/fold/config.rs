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

/// A configuration in a binary snapshot: as the JSON that it is elsewhere, because prices are read from text.
pub(super) mod as_text {
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::FoldConfig;

    pub(crate) fn serialize<S: Serializer>(
        config: &FoldConfig,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return config.serialize(serializer);
        }
        serializer.serialize_str(&serde_json::to_string(config).map_err(S::Error::custom)?)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<FoldConfig, D::Error> {
        if deserializer.is_human_readable() {
            return FoldConfig::deserialize(deserializer);
        }
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
