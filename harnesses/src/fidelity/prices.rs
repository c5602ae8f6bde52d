//! The trace model's prices in the oracle's form. Which entry belongs to a model's name is looked up
//! here, so that oracle and fold share no code; the oracle then prices each call by itself.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use ground_truth::oracle::{self, PriceLine, Recount, Scale, Scales};
use rust_decimal::Decimal;
use trace_model::fold::Estimates;
use trace_model::pricing::{self, PriceTable};

/// The scales of the estimates of the models of a run. Which belongs to a model's name is looked up here,
/// like its prices.
pub(super) fn scales(recount: &Recount) -> Scales {
    let scale = |model: &str| {
        let (hundredths, is_claude) = Estimates::scale_of(model);
        Scale { hundredths, is_claude }
    };
    let models = recount.api_calls.iter().filter_map(|call| call.model.as_ref());
    Scales {
        by_model: models.map(|model| (model.clone(), scale(model))).collect(),
        other: scale("unknown"),
    }
}

/// What the table says of all models.
struct Common {
    batch: Option<Decimal>,
    web_search_per_thousand: Decimal,
}

/// The prices of the models of a run.
pub(super) fn for_oracle(
    table: &PriceTable,
    recount: &Recount,
) -> anyhow::Result<oracle::PriceTable> {
    let common = common(table)?;
    let names: BTreeSet<&String> =
        (recount.api_calls.iter().filter_map(|call| call.model.as_ref()))
            .chain(recount.unattributed.iter().map(|beside| &beside.model))
            .collect();
    let lines = names.into_iter().filter_map(|name| {
        let model = table.find(name)?;
        Some((
            name.clone(),
            model.rates.iter().enumerate().map(|(i, r)| line(r, i, &common)).collect(),
        ))
    });
    Ok(lines.collect::<BTreeMap<_, _>>())
}

fn common(table: &PriceTable) -> anyhow::Result<Common> {
    let json = serde_json::to_value(table).context("the price table cannot be written as JSON")?;
    let number = |name: &str| json.get(name)?.as_str()?.parse().ok();
    Ok(Common {
        batch: number("batch"),
        web_search_per_thousand: number("web_search_per_1000").unwrap_or_default(),
    })
}

fn line(rates: &pricing::Rates, at: usize, common: &Common) -> PriceLine {
    PriceLine {
        // The first rates hold for whatever came before them too.
        from: rates.from.clone().filter(|_| at > 0),
        rates: scaled(rates, Decimal::ONE, Decimal::ONE),
        fast_multiplier: rates.fast,
        batch_multiplier: common.batch,
        geo_multipliers: rates.geo.clone(),
        regional_multiplier: rates.regional,
        web_search_per_thousand: common.web_search_per_thousand,
        long_context: rates.long_context.as_ref().map(|tier| oracle::LongContext {
            threshold: tier.above,
            rates: scaled(rates, tier.input, tier.output),
        }),
    }
}

fn scaled(rates: &pricing::Rates, input: Decimal, output: Decimal) -> oracle::Rates {
    let read = |rate: Option<Decimal>| rate.map(|rate| rate * input);
    oracle::Rates {
        input: rates.input * input,
        output: rates.output * output,
        cache_read: read(rates.cache_read),
        cache_write_5m: read(rates.cache_write_5m),
        cache_write_1h: read(rates.cache_write_1h),
    }
}
