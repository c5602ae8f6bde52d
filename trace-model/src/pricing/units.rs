//! The relative cost of a call, for models with and without a price.

use rust_decimal::Decimal;

use super::table::Rates;
use super::usage::CallUsage;

/// Every published Claude price has output at five times input.
const OUTPUT_TO_INPUT: Decimal = Decimal::from_parts(5, 0, 0, false, 0);
const CACHE_WRITE_5M: Decimal = Decimal::from_parts(125, 0, 0, false, 2);
const CACHE_WRITE_1H: Decimal = Decimal::from_parts(2, 0, 0, false, 0);
const CACHE_READ: Decimal = Decimal::from_parts(1, 0, 0, false, 1);

/// The call's cost in units of the model's own price of an input token:
/// `input + 1.25 x 5m writes + 2 x 1h writes + 0.1 x reads + ratio x output`.
///
/// The ratio is output price over input price of `rates`, and 5 without them (or where input is
/// free). The cache multipliers are the vendor's standard ones for every model, so that runs of
/// different models compare; tier, speed and geography are left out. Saturates at
/// [`Decimal::MAX`].
pub fn relative_units(usage: &CallUsage<'_>, rates: Option<&Rates>) -> Decimal {
    let ratio =
        rates.and_then(|rates| rates.output.checked_div(rates.input)).unwrap_or(OUTPUT_TO_INPUT);
    [
        (usage.input, Decimal::ONE),
        (usage.cache_write_5m, CACHE_WRITE_5M),
        (usage.cache_write_1h, CACHE_WRITE_1H),
        (usage.cache_read, CACHE_READ),
        (usage.output, ratio),
    ]
    .into_iter()
    .map(|(tokens, weight)| Decimal::from(tokens).saturating_mul(weight))
    .fold(Decimal::ZERO, Decimal::saturating_add)
    .normalize()
}

#[cfg(test)]
mod tests {
    use super::super::PriceTable;
    use super::*;

    #[test]
    fn weights_are_those_documented() {
        let usage = CallUsage {
            input: 100,
            output: 10,
            cache_read: 1_000,
            cache_write_5m: 40,
            cache_write_1h: 30,
            ..CallUsage::default()
        };
        // 100 + 50 + 60 + 100 + 50.
        assert_eq!(relative_units(&usage, None), Decimal::from(360));
        let odd = CallUsage { cache_read: 1, ..CallUsage::default() };
        assert_eq!(relative_units(&odd, None), Decimal::new(1, 1));
    }

    #[test]
    fn the_ratio_is_the_models_own() {
        let table = PriceTable::from_json(
            r#"{"date": "2026-01-01", "models": [
                {"name": "a", "rates": [{"input": 2, "output": 15}]},
                {"name": "free", "rates": [{"input": 0, "output": 0}]}]}"#,
        )
        .unwrap();
        let usage = CallUsage { output: 2, ..CallUsage::default() };
        let units = |model: &str| relative_units(&usage, table.find(model).unwrap().rates_on(None));
        assert_eq!(units("a"), Decimal::from(15));
        assert_eq!(units("free"), Decimal::from(10));
    }
}
