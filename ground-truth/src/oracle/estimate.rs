//! Output that a client never stated, and its estimate.
//!
//! `docs/DEFINITIONS.md`, "Output that was never stated". The scales are an input, by exact model name as written
//! in the transcript, as the prices are: which scale belongs to which name is decided by whoever compares.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::api_call::{ApiCall, Unattributed};
use super::dollars::{PriceTable, total_price};
use super::fields::FieldValue;
use super::recount::Recount;

/// The scale of a model's estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scale {
    /// In hundredths.
    pub hundredths: u64,
    /// Whether the model's bare name starts with `claude-`, so that its signatures say how much was thought.
    pub is_claude: bool,
}

/// The scales by the model's name exactly as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scales {
    /// Of the models of the run.
    pub by_model: BTreeMap<String, Scale>,
    /// Of a call without a model, or with one that is not there.
    pub other: Scale,
}

/// A run's output with the estimates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number of calls with unfinished usage.
    pub unfinished_usage: u64,
    /// The output tokens of all calls, and the unattributed ones, with the estimates.
    pub estimated_output_tokens: u64,
    /// The dollars with those numbers.
    pub estimated_usd: Decimal,
    /// Whether that is a lower bound itself.
    pub estimate_is_lower_bound: bool,
}

/// The names of the fields that [`Estimate::fields`] gives.
pub const ESTIMATE_FIELD_NAMES: &[&str] =
    &["estimate_is_lower_bound", "estimated_output_tokens", "estimated_usd", "unfinished_usage"];

impl Estimate {
    /// Every field by its name: exactly those of [`ESTIMATE_FIELD_NAMES`]. What is true is 1, else 0.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<String, FieldValue> {
        let usd = FieldValue::Text(self.estimated_usd.normalize().to_string());
        let bound = u64::from(self.estimate_is_lower_bound);
        BTreeMap::from([
            ("estimate_is_lower_bound".to_owned(), FieldValue::Int(bound)),
            ("estimated_output_tokens".to_owned(), FieldValue::Int(self.estimated_output_tokens)),
            ("estimated_usd".to_owned(), usd),
            ("unfinished_usage".to_owned(), FieldValue::Int(self.unfinished_usage)),
        ])
    }
}

/// Estimates the output of a run.
#[must_use]
pub fn estimate(recount: &Recount, scales: &Scales, prices: &PriceTable) -> Estimate {
    let unfinished: Vec<Option<u64>> =
        recount.api_calls.iter().map(|call| estimate_of(call, scales)).collect();
    let estimated = recount.api_calls.iter().zip(&unfinished).map(|(call, estimate)| {
        let mut call = call.clone();
        call.tokens.output = call.tokens.output.max(estimate.unwrap_or(0));
        call
    });
    let beside = recount.unattributed.iter().map(Unattributed::as_call);
    let all: Vec<ApiCall> = estimated.chain(beside).collect();
    let is_bound = |(call, estimate): (&ApiCall, &Option<u64>)| {
        estimate.is_some() && call.unstated.as_ref().is_some_and(|it| it.is_lower_bound)
    };
    Estimate {
        unfinished_usage: unfinished.iter().flatten().count() as u64,
        estimated_output_tokens: all.iter().map(|call| call.tokens.output).sum(),
        estimated_usd: total_price(&all, prices),
        estimate_is_lower_bound: recount.api_calls.iter().zip(&unfinished).any(is_bound),
    }
}

/// The estimate of a call, if it has unfinished usage: if "four times that number is less than three times its
/// estimate from text".
fn estimate_of(call: &ApiCall, scales: &Scales) -> Option<u64> {
    let unstated = call.unstated.as_ref()?;
    let named = call.model.as_ref().and_then(|model| scales.by_model.get(model));
    let scale = named.unwrap_or(&scales.other);
    let in_tokens = |thousandths: u64| (thousandths * scale.hundredths).div_ceil(100_000);
    let withheld = if scale.is_claude { unstated.withheld } else { 0 };
    let is_unfinished = 4 * call.tokens.output < 3 * in_tokens(unstated.text);
    is_unfinished.then(|| in_tokens(unstated.text + withheld))
}
