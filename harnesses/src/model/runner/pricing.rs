//! What calls cost, and the maximum cost of a call before it is made.

use trace_model::pricing::{
    Assumptions, CallUsage, Cost, Dollars, PriceTable, Priced, UnpricedReason,
};

use serde::{Deserialize, Serialize};

use super::super::called::{AnswerSource, Called};
use super::super::cassette::Recording;
use super::super::completion::Completion;
use super::super::request::{CacheTtl, Request};
use crate::usage::TokenUsage;

/// The prices of calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pricing {
    table: PriceTable,
    free: bool,
    date: Option<String>,
}

impl Pricing {
    /// The prices of a table on a day (`YYYY-MM-DD`); without a day, its newest.
    #[must_use]
    pub fn new(table: PriceTable, date: Option<String>) -> Self {
        Self { table, free: false, date }
    }

    /// Calls cost nothing: a local server.
    #[must_use]
    pub fn free() -> Self {
        Self { table: PriceTable::builtin(), free: true, date: None }
    }

    /// Whether calls cost nothing because the user said so.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// The table's date.
    #[must_use]
    pub fn table_date(&self) -> &str {
        self.table.date()
    }

    /// What tokens of a model cost.
    #[must_use]
    pub fn of(&self, model: &str, usage: &TokenUsage) -> Priced {
        if self.free {
            let assumptions = Assumptions::default();
            return Priced::Cost(Cost { dollars: Dollars::ZERO, long_context: false, assumptions });
        }
        self.table.price(model, &usage.for_pricing(self.date.as_deref()))
    }

    /// What an answer cost, and the name whose price was taken: the returned one where the table has it,
    /// otherwise the one asked for, whose dated form the returned one mostly is. No price where the
    /// provider did not say what was used, unless everything is free.
    pub(super) fn of_answer(
        &self,
        asked: &str,
        completion: &Completion,
    ) -> (Option<Priced>, String) {
        let usage = match &completion.usage {
            Some(usage) => *usage,
            None if self.free => TokenUsage::default(),
            None => return (None, asked.to_owned()),
        };
        if let Some(returned) = &completion.model_returned {
            let priced = self.of(returned, &usage);
            if !is_unknown_model(&priced) {
                return (Some(priced), returned.clone());
            }
        }
        (Some(self.of(asked, &usage)), asked.to_owned())
    }

    /// A recorded call, priced as if it were made now; nothing is spent.
    #[must_use]
    pub fn replay(&self, (recording, completion): (Recording, Completion)) -> Called {
        let (priced, priced_as) = self.of_answer(&recording.request.model, &completion);
        let (spent, served) = (Dollars::ZERO, AnswerSource::Cassette);
        Called { completion, attempts: recording.attempts, priced, priced_as, spent, served }
    }

    /// Maximum cost of an attempt: one token per byte of input, at the most expensive class that the request
    /// can make it, and as much output as is allowed.
    pub fn most(&self, request: &Request, input: u64) -> Result<Dollars, UnpricedReason> {
        if self.free {
            return Ok(Dollars::ZERO);
        }
        let plain = CallUsage {
            output: u64::from(request.max_output_tokens.get()),
            date: self.date.as_deref(),
            ..CallUsage::default()
        };
        let asks = |ttl| request.blocks().any(|block| block.cache == Some(ttl));
        let mut usages = vec![CallUsage { input, ..plain }];
        if asks(CacheTtl::FiveMinutes) {
            usages.push(CallUsage { cache_write_5m: input, ..plain });
        }
        if asks(CacheTtl::OneHour) {
            usages.push(CallUsage { cache_write_1h: input, ..plain });
        }
        usages.iter().try_fold(Dollars::ZERO, |most, usage| {
            match self.table.price(&request.model, usage) {
                Priced::Cost(cost) => Ok(most.max(cost.dollars)),
                Priced::Unpriced { reason } => Err(reason),
            }
        })
    }
}

fn is_unknown_model(priced: &Priced) -> bool {
    matches!(priced, Priced::Unpriced { reason: UnpricedReason::UnknownModel })
}
