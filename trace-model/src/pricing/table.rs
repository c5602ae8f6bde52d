//! The price table: its format, its checks, and the look-up of a model.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize};

use super::name;

/// The built-in table's text.
const BUILTIN: &str = include_str!("../../data/prices.json");

/// Why a price table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PricingError {
    /// Not JSON, or not of the table's format.
    #[error("the price table does not have the format of trace-model/data/prices.json: {0}")]
    Format(#[from] serde_json::Error),
    /// A date that is not `YYYY-MM-DD`.
    #[error("{place} of the price table is `{value}`: write a date as YYYY-MM-DD")]
    Date {
        /// The field.
        place: String,
        /// The value found.
        value: String,
    },
    /// Two models answer to one name.
    #[error("the price table names `{0}` twice: remove one of the entries or aliases")]
    Duplicate(String),
    /// A name or alias that can never be found.
    #[error("the price table's name `{written}` is looked up as `{bare}`: write that instead")]
    Decorated {
        /// The name in the table.
        written: String,
        /// The name that is looked up.
        bare: String,
    },
    /// A model without prices, or whose periods are not in order.
    #[error(
        "the rates of `{0}` in the price table are empty or not in order of their `from` dates \
         (only the first may lack one): put the oldest first"
    )]
    Rates(String),
    /// A source that the table does not describe.
    #[error(
        "`{model}` cites source `{source_id}`, which the price table's `sources` lacks: add it"
    )]
    UnknownSource {
        /// The model.
        model: String,
        /// The source that it cites.
        source_id: String,
    },
}

/// Where a price was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The page's title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// When and in which state it was read, and what is taken from it.
    #[serde(default)]
    pub note: String,
}

/// The higher price of long requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongContext {
    /// Input, cache reads and cache writes together strictly above this many tokens.
    pub above: u64,
    /// Multiplies input, cache read and cache write prices.
    #[serde(deserialize_with = "exact")]
    pub input: Decimal,
    /// Multiplies the output price.
    #[serde(deserialize_with = "exact")]
    pub output: Decimal,
}

/// A model's prices in US dollars per million tokens, from a day on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// The first day they are in force (`YYYY-MM-DD`, UTC); none: from the beginning.
    #[serde(default)]
    pub from: Option<String>,
    /// Uncached input.
    #[serde(deserialize_with = "exact")]
    pub input: Decimal,
    /// Output.
    #[serde(deserialize_with = "exact")]
    pub output: Decimal,
    /// Cache writes kept for 5 minutes.
    #[serde(default, deserialize_with = "exact_if_any")]
    pub cache_write_5m: Option<Decimal>,
    /// Cache writes kept for 1 hour.
    #[serde(default, deserialize_with = "exact_if_any")]
    pub cache_write_1h: Option<Decimal>,
    /// Cache reads.
    #[serde(default, deserialize_with = "exact_if_any")]
    pub cache_read: Option<Decimal>,
    /// The long-context tier, if there is one.
    #[serde(default)]
    pub long_context: Option<LongContext>,
    /// Multiplier of fast mode, if it is offered.
    #[serde(default, deserialize_with = "exact_if_any")]
    pub fast: Option<Decimal>,
    /// Multiplier of Bedrock's geographic and in-region endpoints over its global one, if it is known.
    #[serde(default, deserialize_with = "exact_if_any")]
    pub regional: Option<Decimal>,
    /// Multipliers by `inference_geo`, other than the global default.
    #[serde(default, deserialize_with = "exact_by_key")]
    pub geo: BTreeMap<String, Decimal>,
}

/// One model's entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPrice {
    /// The vendor's name, undecorated.
    pub name: String,
    /// Other names, undecorated.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Keys of the table's sources.
    #[serde(default)]
    pub sources: Vec<String>,
    /// What a reader of the price should know.
    #[serde(default)]
    pub note: String,
    /// Its prices, oldest first.
    pub rates: Vec<Rates>,
}

impl ModelPrice {
    /// The rates in force on a day, given as `YYYY-MM-DD` or a longer RFC 3339 timestamp in UTC; without
    /// a day, the newest. A day before the first rates gets the first.
    pub fn rates_on(&self, date: Option<&str>) -> Option<&Rates> {
        let Some(day) = date.and_then(day) else { return self.rates.last() };
        let in_force = |r: &&Rates| r.from.as_deref().is_none_or(|from| from <= day);
        self.rates.iter().rev().find(in_force).or(self.rates.first())
    }
}

/// A table of prices, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawTable", into = "RawTable")]
pub struct PriceTable {
    raw: RawTable,
    /// Index of a model by each of its names.
    names: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    date: String,
    #[serde(default)]
    about: String,
    #[serde(default, deserialize_with = "exact_if_any")]
    batch: Option<Decimal>,
    #[serde(default, deserialize_with = "exact_if_any")]
    web_search_per_1000: Option<Decimal>,
    #[serde(default)]
    sources: BTreeMap<String, Source>,
    models: Vec<ModelPrice>,
}

impl PriceTable {
    /// The table that comes with the program.
    pub fn builtin() -> Self {
        static TABLE: LazyLock<PriceTable> = LazyLock::new(|| {
            PriceTable::from_json(BUILTIN).expect("the built-in price table is tested")
        });
        TABLE.clone()
    }

    /// A table of one's own, in the format of `data/prices.json`; prices are strings or numbers.
    pub fn from_json(text: &str) -> Result<Self, PricingError> {
        serde_json::from_str::<RawTable>(text)?.try_into()
    }

    /// The day as of which it was compiled, `YYYY-MM-DD`.
    pub fn date(&self) -> &str {
        &self.raw.date
    }

    /// Where the prices were published, by key.
    pub fn sources(&self) -> &BTreeMap<String, Source> {
        &self.raw.sources
    }

    /// All models.
    pub fn models(&self) -> &[ModelPrice] {
        &self.raw.models
    }

    /// The entry of a model whose name is written in any of the usual ways.
    pub fn find(&self, model_as_written: &str) -> Option<&ModelPrice> {
        self.find_bare(&name::normalise(model_as_written).bare)
    }

    pub(super) fn find_bare(&self, bare: &str) -> Option<&ModelPrice> {
        self.names.get(bare).and_then(|i| self.raw.models.get(*i))
    }

    /// What batch requests are multiplied with, if it is known.
    pub(super) fn batch(&self) -> Option<Decimal> {
        self.raw.batch
    }

    /// Dollars per 1,000 web searches, if known.
    pub(super) fn web_search_per_1000(&self) -> Option<Decimal> {
        self.raw.web_search_per_1000
    }
}

impl From<PriceTable> for RawTable {
    fn from(table: PriceTable) -> Self {
        table.raw
    }
}

impl TryFrom<RawTable> for PriceTable {
    type Error = PricingError;

    fn try_from(raw: RawTable) -> Result<Self, PricingError> {
        check_date("`date`", &raw.date)?;
        let mut names = BTreeMap::new();
        for (i, model) in raw.models.iter().enumerate() {
            check_model(model, &raw.sources)?;
            for written in std::iter::once(&model.name).chain(&model.aliases) {
                let bare = name::normalise(written).bare;
                if bare != *written {
                    return Err(PricingError::Decorated { written: written.clone(), bare });
                }
                if names.insert(bare, i).is_some() {
                    return Err(PricingError::Duplicate(written.clone()));
                }
            }
        }
        Ok(Self { raw, names })
    }
}

fn check_model(model: &ModelPrice, sources: &BTreeMap<String, Source>) -> Result<(), PricingError> {
    for rates in &model.rates {
        if let Some(from) = &rates.from {
            check_date(&format!("a `from` of `{}`", model.name), from)?;
        }
    }
    let in_order = model.rates.windows(2).all(|w| w[1].from.is_some() && w[0].from < w[1].from);
    if model.rates.is_empty() || !in_order {
        return Err(PricingError::Rates(model.name.clone()));
    }
    match model.sources.iter().find(|s| !sources.contains_key(*s)) {
        Some(source) => Err(PricingError::UnknownSource {
            model: model.name.clone(),
            source_id: source.clone(),
        }),
        None => Ok(()),
    }
}

/// The day of a timestamp, if it starts with one.
pub(super) fn day(timestamp: &str) -> Option<&str> {
    let day = timestamp.get(..10)?;
    let shaped = day.bytes().enumerate().all(|(i, b)| match i {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    });
    shaped.then_some(day)
}

fn check_date(place: &str, value: &str) -> Result<(), PricingError> {
    if day(value) == Some(value) {
        return Ok(());
    }
    Err(PricingError::Date { place: place.to_owned(), value: value.to_owned() })
}

/// A price or multiplier: a string or a number, not negative, taken digit by digit.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawNumber {
    Text(String),
    Number(serde_json::Number),
}

impl RawNumber {
    fn exact<E: serde::de::Error>(self) -> Result<Decimal, E> {
        let text = match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        };
        Decimal::from_str_exact(&text)
            .ok()
            .filter(|d| !d.is_sign_negative())
            .ok_or_else(|| E::custom(format!("`{text}` is no price: write digits like \"3.75\"")))
    }
}

fn exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    RawNumber::deserialize(deserializer)?.exact()
}

fn exact_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    Option::<RawNumber>::deserialize(deserializer)?.map(RawNumber::exact).transpose()
}

fn exact_by_key<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Decimal>, D::Error> {
    let written = BTreeMap::<String, RawNumber>::deserialize(deserializer)?;
    written.into_iter().map(|(key, value)| Ok((key, value.exact()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(models: &str) -> Result<PriceTable, PricingError> {
        PriceTable::from_json(&format!(r#"{{"date": "2026-01-01", "models": [{models}]}}"#))
    }

    #[test]
    fn every_built_in_price_has_a_source_and_output_at_five_times_input() {
        let table = PriceTable::builtin();
        assert!(table.models().len() > 20);
        for model in table.models() {
            assert!(!model.sources.is_empty(), "{}", model.name);
            for rates in &model.rates {
                assert_eq!(rates.output, rates.input * Decimal::from(5), "{}", model.name);
            }
        }
    }

    #[test]
    fn built_in_cache_prices_are_the_published_multiples() {
        for model in PriceTable::builtin().models() {
            for rates in &model.rates {
                if matches!(model.name.as_str(), "claude-3-haiku" | "claude-3-sonnet") {
                    continue;
                }
                let multiple = |price: Option<Decimal>| price.map(|p| p / rates.input);
                assert_eq!(multiple(rates.cache_write_5m), Some(Decimal::new(125, 2)));
                assert_eq!(multiple(rates.cache_write_1h), Some(Decimal::TWO));
                let read = multiple(rates.cache_read);
                assert!(
                    [Decimal::new(1, 1), Decimal::new(5, 2), Decimal::new(25, 3)]
                        .map(Some)
                        .contains(&read),
                    "{}: {read:?}",
                    model.name
                );
            }
        }
    }

    #[test]
    fn names_match_as_a_whole() {
        let table = PriceTable::builtin();
        let found = |name: &str| table.find(name).map(|m| m.name.as_str().to_owned());
        assert_eq!(found("claude-opus-4-1-20250805").as_deref(), Some("claude-opus-4-1"));
        assert_eq!(found("claude-opus-4-20250514").as_deref(), Some("claude-opus-4"));
        assert_eq!(found("claude-opus-4-0").as_deref(), Some("claude-opus-4"));
        assert_eq!(
            found("us.anthropic.claude-opus-4-6-v1[1m]").as_deref(),
            Some("claude-opus-4-6")
        );
        for unknown in
            ["claude-opus-4-12", "claude-opus", "claude-opus-4-1-x", "claude", "", "opus"]
        {
            assert_eq!(found(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn rates_change_on_their_first_day() {
        let table = PriceTable::builtin();
        let opus = table.find("claude-opus-4-6").unwrap();
        let premium = |date| opus.rates_on(date).unwrap().long_context.is_some();
        assert!(premium(Some("2026-03-12T23:59:59Z")));
        assert!(!premium(Some("2026-03-13")));
        assert!(!premium(Some("2026-03-13T00:00:00.000Z")));
        assert!(!premium(None));
        assert!(!premium(Some("no date at all")));
    }

    #[test]
    fn a_table_of_ones_own_takes_numbers_and_strings() {
        let table = table(
            r#"{"name": "glm-demo", "rates": [{"input": 0.3, "output": "1.20", "fast": 2}]}"#,
        )
        .unwrap();
        let rates = table.find("glm-demo[1m]").unwrap().rates_on(None).unwrap();
        assert_eq!(rates.input, Decimal::new(3, 1));
        assert_eq!(rates.fast, Some(Decimal::TWO));
        assert_eq!(rates.cache_read, None);
    }

    #[test]
    fn faults_are_named() {
        let rate = r#""rates": [{"input": 1, "output": 2}]"#;
        for (models, message) in [
            (
                format!(r#"{{"name": "a", {rate}}}, {{"name": "b", "aliases": ["a"], {rate}}}"#),
                "names `a` twice",
            ),
            (r#"{"name": "a", "rates": []}"#.into(), "rates of `a`"),
            (
                r#"{"name": "a", "rates": [{"input": 1, "output": 2}, {"input": 1, "output": 2}]}"#
                    .into(),
                "rates of `a`",
            ),
            (r#"{"name": "a", "rates": [{"input": -1, "output": 2}]}"#.into(), "`-1` is no price"),
            (
                r#"{"name": "a", "rates": [{"input": "$1", "output": 2}]}"#.into(),
                "`$1` is no price",
            ),
            (
                r#"{"name": "a", "rates": [{"from": "May 2026", "input": 1, "output": 2}]}"#.into(),
                "YYYY-MM-DD",
            ),
            (format!(r#"{{"name": "a-20250101", {rate}}}"#), "looked up as `a`"),
            (format!(r#"{{"name": "a", "sources": ["s"], {rate}}}"#), "source `s`"),
            (format!(r#"{{"name": "a", "typo": 1, {rate}}}"#), "typo"),
        ] {
            let error = table(&models).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn it_survives_serialization() {
        let table = PriceTable::builtin();
        let text = serde_json::to_string(&table).unwrap();
        assert_eq!(PriceTable::from_json(&text).unwrap(), table);
        assert_eq!(serde_json::from_str::<PriceTable>(&text).unwrap(), table);
    }
}
