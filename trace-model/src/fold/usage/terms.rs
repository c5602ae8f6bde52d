//! What a call's price depends on besides its tokens, and the cost that results.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::fold::names::Names;

/// The place of a call among all.
pub(super) type CallIndex = u32;

/// The place of terms among all.
pub(super) type TermsIndex = u32;

/// What prices depend on besides tokens. Few calls of a run differ in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Terms {
    pub(super) model: Option<u32>,
    pub(super) speed: Option<u32>,
    pub(super) service_tier: Option<u32>,
    pub(super) inference_geo: Option<u32>,
    /// The day of the first record that states a time.
    pub(super) date: Option<u32>,
}

/// What a call costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct CallCost {
    pub(super) dollars: Option<Decimal>,
    pub(super) input_price_units: Decimal,
    /// The name of the reason for which it has no price.
    pub(super) unpriced: Option<u32>,
}

impl Terms {
    pub(super) fn name(name: Option<u32>, names: &Names) -> Option<&str> {
        name.map(|name| names.get(name))
    }
}
