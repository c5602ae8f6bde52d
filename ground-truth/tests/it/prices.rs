//! Tables of prices with one line.

use std::collections::BTreeMap;

use ground_truth::oracle::{PriceLine, PriceTable, Rates};
use rust_decimal::Decimal;

/// The prices of one model, whose calls have nothing but tokens.
pub(crate) fn table(model: &str, rates: Rates) -> PriceTable {
    let line = PriceLine {
        from: None,
        rates,
        fast_multiplier: None,
        batch_multiplier: None,
        geo_multipliers: BTreeMap::new(),
        regional_multiplier: None,
        web_search_per_thousand: Decimal::ZERO,
        long_context: None,
    };
    PriceTable::from([(model.to_owned(), vec![line])])
}
