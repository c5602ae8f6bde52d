//! What a client states in the end: the sums of each model, and what they have above the calls.
//!
//! `docs/DEFINITIONS.md`, "API calls and tokens", "What a client states in the end".

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use super::api_call::{ApiCall, Tokens, Unattributed};
use super::date::day;
use super::json::Node;
use super::ledger::{Ledger, Record};
use super::parse::Kind;

/// The end of a model's name that is left out of comparisons.
const LONG_CONTEXT_NAME: &str = "[1m]";

/// The numbers that a `result` record states of a model.
#[derive(Debug, Clone, Copy, Default)]
struct StatedUsage {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_creation: u64,
    web_search: u64,
}

impl StatedUsage {
    fn of(model: &Node) -> Self {
        Self {
            input: model.count("inputTokens"),
            output: model.count("outputTokens"),
            cache_read: model.count("cacheReadInputTokens"),
            cache_creation: model.count("cacheCreationInputTokens"),
            web_search: model.count("webSearchRequests"),
        }
    }

    fn of_call(call: &ApiCall) -> Self {
        Self {
            input: call.tokens.input,
            output: call.tokens.output,
            cache_read: call.tokens.cache_read,
            cache_creation: call.tokens.cache_creation,
            web_search: call.web_search_requests,
        }
    }

    fn with(self, other: Self, number: fn(u64, u64) -> u64) -> Self {
        Self {
            input: number(self.input, other.input),
            output: number(self.output, other.output),
            cache_read: number(self.cache_read, other.cache_read),
            cache_creation: number(self.cache_creation, other.cache_creation),
            web_search: number(self.web_search, other.web_search),
        }
    }

    fn is_nothing(self) -> bool {
        self.input + self.output + self.cache_read + self.cache_creation + self.web_search == 0
    }
}

/// What is unattributed, by model, for the models of which anything is.
pub(super) fn unattributed(ledger: &Ledger, calls: &[ApiCall]) -> Vec<Unattributed> {
    let mut models: BTreeMap<String, (StatedUsage, String, Option<String>)> = BTreeMap::new();
    for record in results(ledger) {
        for (model, (name, used)) in stated_by(record) {
            let date = record.timestamp().and_then(|time| day(&time));
            let entry = models.entry(model).or_insert_with(|| (StatedUsage::default(), name, date));
            entry.0 = entry.0.with(used, u64::max);
        }
    }
    let above = |(model, (stated, name, date)): (String, (StatedUsage, String, Option<String>))| {
        let of_model = calls.iter().filter(|call| call.model.as_deref().map(plain) == Some(&model));
        let attributed = of_model
            .map(StatedUsage::of_call)
            .fold(StatedUsage::default(), |sum, call| sum.with(call, |a, b| a + b));
        let rest = stated.with(attributed, u64::saturating_sub);
        let tokens = Tokens {
            input: rest.input,
            output: rest.output,
            cache_creation: rest.cache_creation,
            cache_creation_5m: rest.cache_creation,
            cache_creation_1h: 0,
            cache_read: rest.cache_read,
        };
        (!rest.is_nothing()).then(|| Unattributed {
            model: name_of_calls(ledger, calls, &model).unwrap_or(name),
            date,
            tokens,
            web_search_requests: rest.web_search,
        })
    };
    models.into_iter().filter_map(above).collect()
}

/// The `result` records.
fn results(ledger: &Ledger) -> impl Iterator<Item = &Record> {
    ledger.records.iter().filter(|record| record.is("result"))
}

/// What one record states, by the models' names without the end that is left out: the first name as written,
/// and the numbers, added up where the record names a model with and without that end.
fn stated_by(record: &Record) -> BTreeMap<String, (String, StatedUsage)> {
    let usage = record.node().get("modelUsage").and_then(|usage| usage.fields());
    let mut models: BTreeMap<String, (String, StatedUsage)> = BTreeMap::new();
    for (name, model) in usage.unwrap_or_default() {
        if model.is_object() {
            let entry = models.entry(plain(name).to_owned());
            let (_, sum) = entry.or_insert_with(|| (name.to_owned(), StatedUsage::default()));
            *sum = sum.with(StatedUsage::of(&model), |a, b| a + b);
        }
    }
    models
}

/// The models that `result` records name, without the end that is left out.
pub(super) fn named_models(ledger: &Ledger) -> BTreeSet<String> {
    results(ledger).flat_map(|record| stated_by(record).into_keys()).collect()
}

pub(super) fn plain(model: &str) -> &str {
    model.strip_suffix(LONG_CONTEXT_NAME).unwrap_or(model)
}

/// The name of a model's calls as written. Where they have both, it is the one that the ledger has first.
fn name_of_calls(ledger: &Ledger, calls: &[ApiCall], model: &str) -> Option<String> {
    let names: BTreeSet<&str> = calls
        .iter()
        .filter_map(|call| call.model.as_deref())
        .filter(|name| plain(name) == model)
        .collect();
    let mut reported = ledger.records.iter().filter_map(Record::reported_model);
    let first = reported.find(|name| names.contains(name.as_str()));
    first.or_else(|| names.first().map(|name| (*name).to_owned()))
}

/// "`total_cost_usd` of the last `result` record that has one", without zeros at its end.
pub(super) fn cost(ledger: &Ledger) -> Option<String> {
    let stated = |record: &Record| match &record.node().get("total_cost_usd")?.value().kind {
        Kind::Number(written) => Some(written.clone()),
        _ => None,
    };
    let written = results(ledger).filter_map(stated).last()?;
    let number = if written.contains(['e', 'E']) {
        Decimal::from_scientific(&written)
    } else {
        Decimal::from_str_exact(&written)
    };
    Some(number.map_or(written, |number| number.normalize().to_string()))
}
