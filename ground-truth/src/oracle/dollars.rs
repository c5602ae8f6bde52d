//! What the calls of a run cost at given prices.
//!
//! The prices are an input, by exact model name as written in the transcript: which price belongs to
//! which name is decided by whoever compares, so that the oracle shares no price table with the fold.
//! Each call is priced by its final values, and a call is either priced as a whole or unpriced.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::api_call::{ApiCall, Unattributed};
use super::fields::FieldValue;
use super::recount::Recount;

/// Dollars per million tokens, by class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Input.
    pub input: Decimal,
    /// Output.
    pub output: Decimal,
    /// Cache reads; none: a call that has any has no known price. So with the other two.
    pub cache_read: Option<Decimal>,
    /// Cache writes for five minutes.
    pub cache_write_5m: Option<Decimal>,
    /// Cache writes for an hour.
    pub cache_write_1h: Option<Decimal>,
}

/// The rates of a call whose context is above a threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongContext {
    /// Tokens of input, cache read and cache creation together; the rates hold strictly above it.
    pub threshold: u64,
    /// The rates of all tokens of such a call.
    pub rates: Rates,
}

/// The prices of one model from a day on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceLine {
    /// The first day, as `YYYY-MM-DD`; none: from the beginning.
    pub from: Option<String>,
    /// The rates of an ordinary call.
    pub rates: Rates,
    /// What a fast call's tokens cost more, at any context; none: fast calls have no known price.
    pub fast_multiplier: Option<Decimal>,
    /// What a call of service tier `batch` costs; none: such calls have no known price.
    pub batch_multiplier: Option<Decimal>,
    /// What a call with an `inference_geo` other than none, empty, `global` or `not_available` costs, by
    /// its value; a call with a value that is not here has no known price.
    pub geo_multipliers: BTreeMap<String, Decimal>,
    /// What a call through a geographic or in-region endpoint of Amazon Bedrock costs; none: such calls have
    /// no known price.
    pub regional_multiplier: Option<Decimal>,
    /// Dollars per thousand web searches. Not multiplied by anything.
    pub web_search_per_thousand: Decimal,
    /// The long-context tier, where the model has one.
    pub long_context: Option<LongContext>,
}

/// Prices by the model's name exactly as written, in any order. A model that is absent, or has no line
/// for the day of a call, has no known price.
pub type PriceTable = BTreeMap<String, Vec<PriceLine>>;

/// What a run cost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dollars {
    /// The exact price of the calls that have one, and of what is unattributed.
    pub dollars: Decimal,
    /// The number of calls that have a price.
    pub priced_calls: u64,
    /// The number of calls that have none.
    pub unpriced_calls: u64,
    /// Their tokens of all classes, and the unattributed ones that have no price.
    pub unpriced_tokens: u64,
}

/// The names of the fields that [`Dollars::fields`] gives.
pub const DOLLAR_FIELD_NAMES: &[&str] =
    &["dollars", "priced_calls", "unpriced_calls", "unpriced_tokens"];

impl Dollars {
    /// The fields by name. Dollars are text without trailing zeros.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<String, FieldValue> {
        let dollars = FieldValue::Text(self.dollars.normalize().to_string());
        BTreeMap::from([
            ("dollars".to_owned(), dollars),
            ("priced_calls".to_owned(), FieldValue::Int(self.priced_calls)),
            ("unpriced_calls".to_owned(), FieldValue::Int(self.unpriced_calls)),
            ("unpriced_tokens".to_owned(), FieldValue::Int(self.unpriced_tokens)),
        ])
    }
}

/// Prices every call of a run, and what is unattributed, which adds to the dollars and to the unpriced tokens but
/// is no call.
#[must_use]
pub fn dollars(recount: &Recount, prices: &PriceTable) -> Dollars {
    let beside: Vec<ApiCall> = recount.unattributed.iter().map(Unattributed::as_call).collect();
    let all: Vec<ApiCall> = recount.api_calls.iter().chain(&beside).cloned().collect();
    let is_priced = |call: &&ApiCall| price_in(call, prices).is_some();
    let priced_calls = recount.api_calls.iter().filter(is_priced).count();
    let unpriced = all.iter().filter(|call| !is_priced(call));
    Dollars {
        dollars: total_price(&all, prices),
        priced_calls: priced_calls as u64,
        unpriced_calls: (recount.api_calls.len() - priced_calls) as u64,
        unpriced_tokens: unpriced.map(|call| call.tokens.total()).sum(),
    }
}

/// The exact price of the calls that have one.
pub(super) fn total_price(calls: &[ApiCall], prices: &PriceTable) -> Decimal {
    calls.iter().filter_map(|call| price_in(call, prices)).sum::<Decimal>().normalize()
}

fn price_in(call: &ApiCall, prices: &PriceTable) -> Option<Decimal> {
    price(call, line(call, prices.get(call.model.as_ref()?)?)?)
}

/// The newest line that is not from after the call's day; of an undated call the newest of all.
fn line<'a>(call: &ApiCall, lines: &'a [PriceLine]) -> Option<&'a PriceLine> {
    let is_in_force = |line: &&PriceLine| match (&line.from, &call.date) {
        (Some(from), Some(date)) => from <= date,
        _ => true,
    };
    lines.iter().filter(is_in_force).max_by_key(|line| line.from.as_deref())
}

/// The price of one call, if it has one.
fn price(call: &ApiCall, line: &PriceLine) -> Option<Decimal> {
    let fast = if call.is_fast() { line.fast_multiplier? } else { Decimal::ONE };
    let tier = match call.service_tier.as_deref() {
        None | Some("" | "standard" | "default") => Decimal::ONE,
        Some("batch") => line.batch_multiplier?,
        Some(_) => return None,
    };
    let name = call.model.as_deref().unwrap_or_default().trim().to_lowercase();
    let geo = match (bedrock_place(&name), call.inference_geo.as_deref()) {
        (Some("global."), _) | (None, None | Some("" | "global" | "not_available")) => Decimal::ONE,
        (Some(_), _) => line.regional_multiplier?,
        (None, Some(geo)) => *line.geo_multipliers.get(geo)?,
    };
    let searches = Decimal::from(call.web_search_requests) * line.web_search_per_thousand;
    let per_thousand = Decimal::new(1, 3);
    let per_million = Decimal::new(1, 6);
    Some(tokens(call, line)? * per_million * fast * tier * geo + searches * per_thousand)
}

/// The inference profile in a name of Amazon Bedrock's, empty for none: "`anthropic.` [...] at its start or
/// right after a `.` or `/`. What stands between it (the last, of several) and the last `/` before it, or the
/// start". Absent where the name is not Bedrock's.
fn bedrock_place(model: &str) -> Option<&str> {
    let is_vendor =
        |(at, _): &(usize, &str)| model[..*at].is_empty() || model[..*at].ends_with(['.', '/']);
    let (vendor, _) = model.match_indices("anthropic.").filter(is_vendor).last()?;
    let start = model[..vendor].rfind('/').map_or(0, |slash| slash + 1);
    Some(&model[start..vendor])
}

/// The price of a call's tokens in millionths of a dollar, before multipliers. The long-context tier is
/// decided once for the call and holds for all of its tokens; a fast call never is in it.
fn tokens(call: &ApiCall, line: &PriceLine) -> Option<Decimal> {
    let long = line.long_context.as_ref();
    let long = long
        .filter(|long| !call.is_fast() && !call.is_sum && call.tokens.context() > long.threshold);
    let rates = long.map_or(&line.rates, |long| &long.rates);
    let cache = [
        (call.tokens.cache_read, rates.cache_read),
        (call.tokens.cache_creation_5m, rates.cache_write_5m),
        (call.tokens.cache_creation_1h, rates.cache_write_1h),
    ];
    let uncached = Decimal::from(call.tokens.input) * rates.input
        + Decimal::from(call.tokens.output) * rates.output;
    cache.into_iter().try_fold(uncached, |sum, (tokens, rate)| match (tokens, rate) {
        (0, _) => Some(sum),
        (tokens, rate) => Some(sum + Decimal::from(tokens) * rate?),
    })
}
