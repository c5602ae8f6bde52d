//! The price of one API call.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::dollars::Dollars;
use super::name::{self, Platform};
use super::table::{ModelPrice, PriceTable, Rates, day};
use super::units::relative_units;
use super::usage::CallUsage;

/// What a price takes for granted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumptions {
    /// The model's prices have changed and the call has no date: the newest were taken.
    pub undated: bool,
    /// The name is that of a partner's platform, which sets its own prices: the vendor's were taken,
    /// with the platform's multiplier where the name says which endpoint it was.
    pub partner_platform: bool,
}

/// The list by which calls of a model are priced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceList {
    /// The vendor's own.
    FirstParty,
    /// The vendor's own, which a platform's global endpoint shares.
    GlobalEndpoint,
    /// The vendor's own, times the platform's multiplier of geographic and in-region endpoints.
    RegionalEndpoint(Decimal),
    /// The vendor's own, though the call was a platform's whose endpoint does not show: there, a regional one
    /// may cost that many times as much.
    UnknownEndpoint(Option<Decimal>),
}

impl fmt::Display for PriceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstParty => f.write_str("first-party list"),
            Self::GlobalEndpoint => f.write_str("first-party list, Bedrock's global endpoint"),
            Self::RegionalEndpoint(by) => write!(
                f,
                "first-party list x {}, Bedrock's geographic or in-region endpoint",
                by.normalize()
            ),
            Self::UnknownEndpoint(None) => {
                f.write_str("first-party list, the platform's own price is not known")
            }
            Self::UnknownEndpoint(Some(by)) => write!(
                f,
                "first-party list, a regional endpoint of the platform would be x {}",
                by.normalize()
            ),
        }
    }
}

/// What a call cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Tokens and fees.
    pub dollars: Dollars,
    /// The long-context tier applied.
    pub long_context: bool,
    /// What was taken for granted.
    pub assumptions: Assumptions,
}

/// A class of things that are paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenClass {
    /// Cache reads.
    CacheRead,
    /// 5-minute cache writes.
    CacheWrite5m,
    /// 1-hour cache writes.
    CacheWrite1h,
    /// Web searches.
    WebSearch,
}

/// Why a call has no price.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnpricedReason {
    /// The table does not have the model.
    UnknownModel,
    /// No published price for this service tier.
    UnknownServiceTier(String),
    /// No published price for this speed of the model.
    UnknownSpeed(String),
    /// No published price for this geography of the model.
    UnknownGeo(String),
    /// No published price for the model on a geographic or in-region endpoint.
    UnknownRegional,
    /// Fast mode is not offered in batches.
    FastInBatch,
    /// The model's entry lacks a price that the call needs.
    MissingRate(TokenClass),
    /// The amount is beyond what can be represented.
    TooLarge,
}

impl fmt::Display for UnpricedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownModel => f.write_str("the price table does not have the model"),
            Self::UnknownServiceTier(tier) => write!(f, "service tier `{tier}` has no known price"),
            Self::UnknownSpeed(speed) => {
                write!(f, "speed `{speed}` of the model has no known price")
            }
            Self::UnknownGeo(geo) => write!(f, "geography `{geo}` of the model has no known price"),
            Self::UnknownRegional => {
                f.write_str("a regional endpoint of the model has no known price")
            }
            Self::FastInBatch => f.write_str("fast mode in a batch has no known price"),
            Self::MissingRate(class) => {
                let what = match class {
                    TokenClass::CacheRead => "cache reads",
                    TokenClass::CacheWrite5m => "5-minute cache writes",
                    TokenClass::CacheWrite1h => "1-hour cache writes",
                    TokenClass::WebSearch => "web searches",
                };
                write!(f, "{what} of the model have no known price")
            }
            Self::TooLarge => f.write_str("the amount is too large"),
        }
    }
}

/// A price, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priced {
    /// It is known what the call cost.
    Cost(Cost),
    /// It is not.
    Unpriced {
        /// Why.
        reason: UnpricedReason,
    },
}

impl Priced {
    /// The dollars, if known.
    pub fn dollars(&self) -> Option<Dollars> {
        match self {
            Self::Cost(cost) => Some(cost.dollars),
            Self::Unpriced { .. } => None,
        }
    }
}

/// What a call cost, in dollars and in relative units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// In dollars, if there is a price.
    pub priced: Priced,
    /// In units of the model's own price of an input token.
    pub input_price_units: Decimal,
}

impl PriceTable {
    /// What a call of a model cost, its name as the transcript has it.
    pub fn price(&self, model_as_written: &str, usage: &CallUsage<'_>) -> Priced {
        self.quote(model_as_written, usage).priced
    }

    /// The same, with the cost in units of the model's input price: see [`relative_units`].
    pub fn quote(&self, model_as_written: &str, usage: &CallUsage<'_>) -> Quote {
        self.quote_named(&name::normalise(model_as_written), usage)
    }

    /// The same for a name that is looked up again and again.
    pub(crate) fn quote_named(&self, name: &name::Name, usage: &CallUsage<'_>) -> Quote {
        let model = self.find_bare(&name.bare);
        let rates = model.and_then(|model| model.rates_on(usage.date));
        let cost = match (model, rates) {
            (Some(model), Some(rates)) => self.cost(name, model, rates, usage),
            _ => Err(UnpricedReason::UnknownModel),
        };
        let priced = match cost {
            Ok(cost) => Priced::Cost(cost),
            Err(reason) => Priced::Unpriced { reason },
        };
        Quote { priced, input_price_units: relative_units(usage, rates) }
    }

    /// The list by which a model's calls are priced at the newest rates; none where it has no price.
    pub fn list_of(&self, model_as_written: &str) -> Option<PriceList> {
        let name = name::normalise(model_as_written);
        let rates = self.find_bare(&name.bare)?.rates_on(None)?;
        let dearer = rates.regional.filter(|by| *by != Decimal::ONE);
        Some(match name.platform {
            Platform::Vendor => PriceList::FirstParty,
            Platform::BedrockGlobal => PriceList::GlobalEndpoint,
            Platform::BedrockRegional => PriceList::RegionalEndpoint(rates.regional?),
            Platform::Partner => PriceList::UnknownEndpoint(dearer),
        })
    }

    fn cost(
        &self,
        name: &name::Name,
        model: &ModelPrice,
        rates: &Rates,
        usage: &CallUsage<'_>,
    ) -> Result<Cost, UnpricedReason> {
        let fast = fast_multiplier(rates, usage.speed)?;
        let batch = self.batch_multiplier(usage.service_tier)?;
        let geo = match name.platform {
            // Such a name says where the call was served: what else says so says it again.
            Platform::BedrockGlobal => None,
            Platform::BedrockRegional => Some(regional_multiplier(rates)?),
            Platform::Vendor | Platform::Partner => geo_multiplier(rates, usage.inference_geo)?,
        };
        if fast.is_some() && batch.is_some() {
            return Err(UnpricedReason::FastInBatch);
        }
        let tier = rates
            .long_context
            .as_ref()
            .filter(|tier| fast.is_none() && !usage.is_sum && usage.context() > tier.above);
        let (input, output) = tokens_at(rates, usage)?;
        let amount = match tier {
            Some(tier) => sum([times(input, tier.input)?, times(output, tier.output)?])?,
            None => sum([input, output])?,
        };
        let mut amount = times(amount, PER_MILLION)?;
        for multiplier in [fast, batch, geo].into_iter().flatten() {
            amount = times(amount, multiplier)?;
        }
        Ok(Cost {
            dollars: Dollars::new(sum([amount, self.search_fee(usage.web_search_requests)?])?),
            long_context: tier.is_some(),
            assumptions: Assumptions {
                undated: usage.date.and_then(day).is_none() && model.rates.len() > 1,
                partner_platform: name.platform != Platform::Vendor,
            },
        })
    }

    /// None where nothing is to be multiplied.
    fn batch_multiplier(&self, tier: Option<&str>) -> Result<Option<Decimal>, UnpricedReason> {
        let unknown = |tier: &str| UnpricedReason::UnknownServiceTier(tier.to_owned());
        match tier {
            None | Some("" | "standard" | "default") => Ok(None),
            Some("batch") => self.batch().map(Some).ok_or_else(|| unknown("batch")),
            Some(other) => Err(unknown(other)),
        }
    }

    fn search_fee(&self, searches: u64) -> Result<Decimal, UnpricedReason> {
        if searches == 0 {
            return Ok(Decimal::ZERO);
        }
        let per_1000 =
            self.web_search_per_1000().ok_or(UnpricedReason::MissingRate(TokenClass::WebSearch))?;
        times(times(Decimal::from(searches), per_1000)?, PER_THOUSAND)
    }
}

const PER_THOUSAND: Decimal = Decimal::from_parts(1, 0, 0, false, 3);
const PER_MILLION: Decimal = Decimal::from_parts(1, 0, 0, false, 6);

fn fast_multiplier(rates: &Rates, speed: Option<&str>) -> Result<Option<Decimal>, UnpricedReason> {
    let unknown = |speed: &str| UnpricedReason::UnknownSpeed(speed.to_owned());
    match speed {
        None | Some("" | "standard") => Ok(None),
        Some("fast") => rates.fast.map(Some).ok_or_else(|| unknown("fast")),
        Some(other) => Err(unknown(other)),
    }
}

fn geo_multiplier(rates: &Rates, geo: Option<&str>) -> Result<Option<Decimal>, UnpricedReason> {
    match geo {
        None | Some("" | "global" | "not_available") => Ok(None),
        Some(geo) => match rates.geo.get(geo) {
            Some(multiplier) => Ok(Some(*multiplier)),
            None => Err(UnpricedReason::UnknownGeo(geo.to_owned())),
        },
    }
}

fn regional_multiplier(rates: &Rates) -> Result<Decimal, UnpricedReason> {
    rates.regional.ok_or(UnpricedReason::UnknownRegional)
}

/// Tokens times prices per million, what was read and what was written by the model.
fn tokens_at(rates: &Rates, usage: &CallUsage<'_>) -> Result<(Decimal, Decimal), UnpricedReason> {
    let cached = |tokens: u64, rate: Option<Decimal>, class| match (tokens, rate) {
        (0, _) => Ok(Decimal::ZERO),
        (_, Some(rate)) => times(Decimal::from(tokens), rate),
        (_, None) => Err(UnpricedReason::MissingRate(class)),
    };
    let input = sum([
        times(Decimal::from(usage.input), rates.input)?,
        cached(usage.cache_read, rates.cache_read, TokenClass::CacheRead)?,
        cached(usage.cache_write_5m, rates.cache_write_5m, TokenClass::CacheWrite5m)?,
        cached(usage.cache_write_1h, rates.cache_write_1h, TokenClass::CacheWrite1h)?,
    ])?;
    Ok((input, times(Decimal::from(usage.output), rates.output)?))
}

fn times(a: Decimal, b: Decimal) -> Result<Decimal, UnpricedReason> {
    a.checked_mul(b).ok_or(UnpricedReason::TooLarge)
}

fn sum<const N: usize>(amounts: [Decimal; N]) -> Result<Decimal, UnpricedReason> {
    amounts
        .into_iter()
        .try_fold(Decimal::ZERO, Decimal::checked_add)
        .ok_or(UnpricedReason::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1_000_000;

    fn price(model: &str, usage: &CallUsage<'_>) -> Priced {
        PriceTable::builtin().price(model, usage)
    }

    /// The dollars as text, or the reason.
    fn dollars(model: &str, usage: &CallUsage<'_>) -> String {
        match price(model, usage) {
            Priced::Cost(cost) => cost.dollars.to_string(),
            Priced::Unpriced { reason } => reason.to_string(),
        }
    }

    #[test]
    fn each_class_has_its_price() {
        let none = CallUsage::default();
        // Opus 4.5: $5, $25, read $0.50, write $6.25 and $10 per million.
        for (usage, expected) in [
            (CallUsage { input: 1_000, ..none }, "$0.005"),
            (CallUsage { output: 1_000, ..none }, "$0.025"),
            (CallUsage { cache_read: 1_000, ..none }, "$0.0005"),
            (CallUsage { cache_write_5m: 1_000, ..none }, "$0.00625"),
            (CallUsage { cache_write_1h: 1_000, ..none }, "$0.01"),
            (CallUsage { web_search_requests: 3, ..none }, "$0.03"),
            (none, "$0"),
            // 7 x 5 + 11 x 25 + 13 x 0.5 + 17 x 6.25 + 19 x 10 = 612.75 millionths.
            (
                CallUsage {
                    input: 7,
                    output: 11,
                    cache_read: 13,
                    cache_write_5m: 17,
                    cache_write_1h: 19,
                    ..none
                },
                "$0.00061275",
            ),
        ] {
            assert_eq!(dollars("claude-opus-4-5-20251101", &usage), expected);
        }
    }

    #[test]
    fn five_minute_and_one_hour_writes_differ() {
        // 200 x 1.25 + 800 x 2 = 1850 millionths at Haiku 4.5's $1.
        let usage = CallUsage { cache_write_5m: 200, cache_write_1h: 800, ..CallUsage::default() };
        assert_eq!(dollars("claude-haiku-4-5", &usage), "$0.00185");
    }

    #[test]
    fn the_long_context_tier_holds_for_the_whole_request_strictly_above() {
        // Sonnet 4.5, 5 + 199,990 read + 5 written = 200,000: standard.
        let at = CallUsage {
            input: 5,
            output: 10,
            cache_read: 199_990,
            cache_write_5m: 5,
            ..CallUsage::default()
        };
        // 5 x 3 + 199990 x 0.3 + 5 x 3.75 + 10 x 15 = 60180.75 millionths.
        assert_eq!(dollars("claude-sonnet-4-5", &at), "$0.06018075");
        let above = CallUsage { cache_write_5m: 6, ..at };
        // (5 x 3 + 199990 x 0.3 + 6 x 3.75) x 2 + 10 x 15 x 1.5 = 120294 millionths.
        assert_eq!(dollars("claude-sonnet-4-5", &above), "$0.120294");
        let Priced::Cost(cost) = price("claude-sonnet-4-5", &above) else { panic!() };
        assert!(cost.long_context);
        // Output does not decide the tier.
        let long_answer = CallUsage { output: 300_000, ..CallUsage::default() };
        assert_eq!(dollars("claude-sonnet-4-5", &long_answer), "$4.5");
        // The threshold is the model's own; Opus 4.5 has none.
        let haiku = CallUsage { input: 100_001, output: 1, ..CallUsage::default() };
        assert_eq!(dollars("claude-haiku-5-5", &haiku), "$0.050003");
        assert_eq!(dollars("claude-opus-4-5", &above), "$0.1003075");
    }

    #[test]
    fn the_price_of_the_day_stands() {
        let usage = CallUsage { input: M, output: M, ..CallUsage::default() };
        let on = |date| CallUsage { date, ..usage };
        assert_eq!(dollars("claude-opus-4-6", &on(Some("2026-03-12T10:00:00Z"))), "$47.5");
        assert_eq!(dollars("claude-opus-4-6", &on(Some("2026-03-13T10:00:00Z"))), "$30");
        let Priced::Cost(cost) = price("claude-opus-4-6", &usage) else { panic!() };
        assert_eq!((cost.dollars.to_string().as_str(), cost.assumptions.undated), ("$30", true));
        let read = |date| CallUsage { cache_read: M, date, ..CallUsage::default() };
        assert_eq!(dollars("claude-sonnet-5-5", &read(Some("2026-10-06"))), "$0.2");
        assert_eq!(dollars("claude-sonnet-5-5", &read(Some("2026-10-07"))), "$0.1");
    }

    #[test]
    fn fast_mode_has_a_multiplier_per_model_and_no_long_context_premium() {
        let fast = CallUsage { input: M, output: M, speed: Some("fast"), ..CallUsage::default() };
        let early = CallUsage { date: Some("2026-03-01"), ..fast };
        assert_eq!(dollars("claude-opus-4-6", &early), "$180");
        assert_eq!(dollars("claude-opus-4-7", &fast), "$180");
        assert_eq!(dollars("claude-opus-4-8", &fast), "$60");
        assert_eq!(
            dollars("claude-sonnet-4-6", &fast),
            "speed `fast` of the model has no known price"
        );
        let odd = CallUsage { speed: Some("turbo"), ..fast };
        assert_eq!(
            dollars("claude-opus-4-7", &odd),
            "speed `turbo` of the model has no known price"
        );
        let standard = CallUsage { speed: Some("standard"), ..fast };
        assert_eq!(dollars("claude-opus-4-7", &standard), "$30");
    }

    #[test]
    fn batch_is_half_price_and_priority_has_none() {
        let tier = |service_tier| CallUsage { input: M, service_tier, ..CallUsage::default() };
        for standard in [None, Some(""), Some("standard"), Some("default")] {
            assert_eq!(dollars("claude-opus-4-5", &tier(standard)), "$5");
        }
        assert_eq!(dollars("claude-opus-4-5", &tier(Some("batch"))), "$2.5");
        assert_eq!(
            price("claude-opus-4-5", &tier(Some("priority"))),
            Priced::Unpriced { reason: UnpricedReason::UnknownServiceTier("priority".into()) }
        );
        let both = CallUsage { speed: Some("fast"), ..tier(Some("batch")) };
        assert_eq!(
            price("claude-opus-4-8", &both),
            Priced::Unpriced { reason: UnpricedReason::FastInBatch }
        );
    }

    #[test]
    fn geography_multiplies_tokens_not_fees() {
        let geo = |inference_geo| CallUsage {
            input: M,
            web_search_requests: 100,
            inference_geo,
            ..CallUsage::default()
        };
        for global in [None, Some(""), Some("global"), Some("not_available")] {
            assert_eq!(dollars("claude-opus-4-7", &geo(global)), "$6");
        }
        assert_eq!(dollars("claude-opus-4-7", &geo(Some("us"))), "$6.5");
        assert_eq!(dollars("claude-opus-4-5", &geo(Some("us"))), "$6");
        assert_eq!(
            dollars("claude-opus-4-7", &geo(Some("eu"))),
            "geography `eu` of the model has no known price"
        );
    }

    #[test]
    fn multipliers_apply_on_top_of_one_another() {
        // Sonnet 4.6 in February, long, in a batch, in the US, with a search:
        // (300,000 x 3 x 2 + 1,000 x 15 x 1.5) x 0.5 x 1.1 = 1,002,375 millionths, and a cent.
        let usage = CallUsage {
            input: 300_000,
            output: 1_000,
            web_search_requests: 1,
            service_tier: Some("batch"),
            inference_geo: Some("us"),
            date: Some("2026-02-20"),
            ..CallUsage::default()
        };
        assert_eq!(dollars("claude-sonnet-4-6", &usage), "$1.012375");
    }

    #[test]
    fn what_has_no_price_says_why() {
        let usage = CallUsage { input: 1, ..CallUsage::default() };
        for model in
            ["claude-demo-1", "glm-demo[1m]", "gpt-5.4", "mimo-v2.5-pro", "claude-opus-4-11"]
        {
            assert_eq!(
                price(model, &usage),
                Priced::Unpriced { reason: UnpricedReason::UnknownModel }
            );
        }
        let cached = CallUsage { cache_read: 1, ..usage };
        assert_eq!(
            dollars("claude-3-sonnet-20240229", &cached),
            "cache reads of the model have no known price"
        );
        assert_eq!(
            price("claude-3-sonnet-20240229", &usage).dollars().unwrap().to_string(),
            "$0.000003"
        );
    }

    #[test]
    fn partner_platforms_are_priced_as_the_vendor_and_marked() {
        let usage = CallUsage { input: M, ..CallUsage::default() };
        let Priced::Cost(cost) = price("us.anthropic.claude-sonnet-4-5-20250929-v1:0", &usage)
        else {
            panic!()
        };
        // Long: 1M x 3 x 2, times 1.1 in a geography.
        assert_eq!(cost.dollars.to_string(), "$6.6");
        assert!(cost.assumptions.partner_platform);
    }

    #[test]
    fn geographic_and_regional_endpoints_cost_more_from_4_5_on() {
        let usage = CallUsage { input: 1_000, output: 1_000, ..CallUsage::default() };
        for (model, expected) in [
            ("global.anthropic.claude-sonnet-4-6", "$0.018"),
            ("us.anthropic.claude-sonnet-4-6", "$0.0198"),
            ("us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "$0.0198"),
            ("anthropic.claude-haiku-4-5-20251001-v1:0", "$0.0066"),
            ("jp.anthropic.claude-opus-4-5-20251101-v1:0", "$0.033"),
            // Older models have one price.
            ("us.anthropic.claude-sonnet-4-20250514-v1:0", "$0.018"),
            ("us.anthropic.claude-opus-4-1-20250805-v1:0", "$0.09"),
            ("eu.anthropic.claude-3-5-sonnet-20240620-v1:0", "$0.018"),
            // Vertex does not say in the name which endpoint it was.
            ("claude-sonnet-4-5@20250929", "$0.018"),
        ] {
            assert_eq!(dollars(model, &usage), expected, "{model}");
        }
        // The place counts once.
        let said_again = CallUsage { inference_geo: Some("us"), ..usage };
        assert_eq!(dollars("us.anthropic.claude-sonnet-4-6", &said_again), "$0.0198");
        assert_eq!(dollars("global.anthropic.claude-sonnet-4-6", &said_again), "$0.018");
        let table = PriceTable::from_json(
            r#"{"date": "2026-01-01", "models": [{"name": "a", "rates": [{"input": 1, "output": 2}]}]}"#,
        )
        .unwrap();
        let reason = UnpricedReason::UnknownRegional;
        assert_eq!(table.price("us.anthropic.a", &usage), Priced::Unpriced { reason });
    }

    #[test]
    fn the_list_that_was_used_is_named() {
        let table = PriceTable::builtin();
        let list = |model| table.list_of(model).map(|list| list.to_string());
        assert_eq!(list("claude-opus-4-5").as_deref(), Some("first-party list"));
        assert_eq!(
            list("us.anthropic.claude-opus-4-5").as_deref(),
            Some("first-party list x 1.1, Bedrock's geographic or in-region endpoint")
        );
        assert_eq!(
            list("claude-opus-4-5@20251101").as_deref(),
            Some("first-party list, a regional endpoint of the platform would be x 1.1")
        );
        assert_eq!(
            list("claude-opus-4-1@20250805").as_deref(),
            Some("first-party list, the platform's own price is not known")
        );
        assert_eq!(list("claude-demo-1"), None);
    }

    #[test]
    fn the_largest_numbers_do_not_overflow_and_absurd_prices_are_refused() {
        let most = CallUsage {
            input: u64::MAX,
            output: u64::MAX,
            cache_read: u64::MAX,
            cache_write_5m: u64::MAX,
            cache_write_1h: u64::MAX,
            web_search_requests: u64::MAX,
            inference_geo: Some("us"),
            service_tier: Some("batch"),
            ..CallUsage::default()
        };
        assert!(price("claude-haiku-5-5", &most).dollars().is_some());
        let table = PriceTable::from_json(
            r#"{"date": "2026-01-01", "models": [{"name": "a", "rates":
               [{"input": "70000000000000000000000000000", "output": 1}]}]}"#,
        )
        .unwrap();
        let reason = UnpricedReason::TooLarge;
        assert_eq!(table.price("a", &most_input()), Priced::Unpriced { reason });
    }

    fn most_input() -> CallUsage<'static> {
        CallUsage { input: u64::MAX, ..CallUsage::default() }
    }
}
