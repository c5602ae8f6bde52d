//! API calls and what they used: each counted once, at the largest numbers that any of its records
//! states, whichever order the records come in.
//!
//! Every change is a revision: what the call contributed before is taken back, what it contributes
//! now is given, so that totals are right after every record.

mod slots;
mod totals;

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::names::Names;
use crate::event::ApiReport;
use crate::ids::Millis;
use crate::pricing::{CallUsage, PriceTable, Priced};

use slots::{CallCost, Place, Slots, Terms};
use totals::{Contribution, Sign};
pub use totals::{Spending, Tokens};

/// The name under which calls are grouped whose records name no model.
const UNKNOWN_MODEL: &str = "unknown";

/// What else a report's record says.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallRecord<'a> {
    /// The record's own id.
    pub(super) uuid: Option<&'a str>,
    /// Whether it stands in a side chain.
    pub(super) sidechain: bool,
    /// When it was written.
    pub(super) time: Option<Millis>,
}

/// All API calls of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct UsageLedger {
    names: Names,
    slots: Slots,
    total: Spending,
    by_model: BTreeMap<u32, Spending>,
    /// Tokens by the name of the reason for which they have no price.
    unpriced: BTreeMap<u32, u64>,
    naive: Tokens,
    recorded_dollars: Decimal,
    recorded_calls: u64,
}

impl UsageLedger {
    /// Takes in what a record says of its call; returns by how much dollars and tokens changed.
    pub(super) fn observe(
        &mut self,
        report: &ApiReport<'_>,
        of: &CallRecord<'_>,
        prices: &PriceTable,
    ) -> (Decimal, i128) {
        let before = (self.total.dollars, i128::from(self.total.tokens.total()));
        self.naive.change(Sign::Give, &Tokens::of(&report.usage));
        let (call, is_new) = self.slots.find_or_add(report, of.uuid);
        if is_new || self.says_more(call, report, of) {
            let affected = self.affected(call, of.sidechain);
            for other in affected.iter().filter(|other| !is_new || **other != call) {
                self.change(*other, Sign::TakeBack);
            }
            self.revise(call, report, of);
            self.price(call, prices);
            for other in affected {
                self.change(other, Sign::Give);
            }
        }
        (self.total.dollars - before.0, i128::from(self.total.tokens.total()) - before.1)
    }

    /// Totals over all counted calls.
    pub(super) fn total(&self) -> &Spending {
        &self.total
    }

    /// Totals by model name as written, in order of the name.
    pub(super) fn by_model(&self) -> BTreeMap<&str, &Spending> {
        let named = self.by_model.iter().filter(|(_, spending)| spending.calls > 0);
        named.map(|(model, spending)| (self.names.get(*model), spending)).collect()
    }

    /// Tokens without a price, by the reason.
    pub(super) fn unpriced(&self) -> BTreeMap<&str, u64> {
        let some = self.unpriced.iter().filter(|(_, tokens)| **tokens > 0);
        some.map(|(reason, tokens)| (self.names.get(*reason), *tokens)).collect()
    }

    /// The plain sum over all records.
    pub(super) fn naive(&self) -> &Tokens {
        &self.naive
    }

    /// By what factor the plain sum exceeds the counted tokens (those of iterations left out);
    /// numerator and denominator.
    pub(super) fn inflation(&self) -> (u64, u64) {
        let counted = self.slots.with_iterations().filter(|(call, _)| self.slots.counts(*call));
        let further: u64 = counted
            .flat_map(|(_, further)| further)
            .map(|call| Tokens::of(&self.slots.get(*call).usage).total())
            .sum();
        (self.naive.total(), self.total.tokens.total() - further)
    }

    /// What clients wrote as the cost themselves, and for how many calls.
    pub(super) fn recorded(&self) -> (Decimal, u64) {
        (self.recorded_dollars, self.recorded_calls)
    }

    /// Whether a report changes anything of a known call. Most do not: they repeat it.
    fn says_more(&mut self, call: Place, report: &ApiReport<'_>, of: &CallRecord<'_>) -> bool {
        let slot = *self.slots.get(call);
        slot.usage.max(report.usage) != slot.usage
            || (slot.sidechain_only && !of.sidechain)
            || self.revised_terms(call, report, of) != self.slots.terms(call)
            || report.recorded_cost.is_some()
            || !report.iterations.is_empty()
    }

    /// The calls whose counting the record may change: with the first record of a message outside
    /// side chains, all calls of that message.
    fn affected(&self, call: Place, sidechain: bool) -> Vec<Place> {
        let of_message = if sidechain { None } else { self.slots.all_in_sidechains(call) };
        of_message.unwrap_or_else(|| vec![call])
    }

    /// Takes in what the record says.
    fn revise(&mut self, call: Place, report: &ApiReport<'_>, of: &CallRecord<'_>) {
        self.slots.see(call, of.sidechain);
        let terms = self.revised_terms(call, report, of);
        self.slots.set_terms(call, terms);
        let slot = self.slots.get_mut(call);
        slot.usage = slot.usage.max(report.usage);
        if let Some(cost) = report.recorded_cost.as_deref().and_then(parse_cost) {
            self.slots.record_cost(call, cost);
        }
        for (at, iteration) in report.iterations.iter().enumerate() {
            let further = self.slots.iteration(call, at);
            let mut own = self.slots.terms(further);
            self.rename(&mut own.model, iteration.model.as_deref());
            self.rename(&mut own.speed, iteration.speed.as_deref());
            self.rename(&mut own.service_tier, iteration.service_tier.as_deref());
            self.rename(&mut own.inference_geo, iteration.inference_geo.as_deref());
            self.slots.set_terms(further, own);
            let slot = self.slots.get_mut(further);
            slot.usage = slot.usage.max(iteration.usage);
        }
        // Also of those that an earlier record listed: it may have had no time.
        for further in self.slots.iterations(call).to_vec() {
            let own = self.slots.terms(further);
            self.slots.set_terms(further, Terms { date: terms.date, ..own });
        }
    }

    fn revised_terms(&mut self, call: Place, report: &ApiReport<'_>, of: &CallRecord<'_>) -> Terms {
        let mut terms = self.slots.terms(call);
        self.rename(&mut terms.model, report.model.as_deref());
        self.rename(&mut terms.speed, report.speed.as_deref());
        self.rename(&mut terms.service_tier, report.service_tier.as_deref());
        self.rename(&mut terms.inference_geo, report.inference_geo.as_deref());
        if terms.date.is_none() {
            terms.date = of.time.map(|time| self.names.intern(&time.date()));
        }
        terms
    }

    /// Of a name, the one stated last stands.
    fn rename(&mut self, known: &mut Option<u32>, stated: Option<&str>) {
        if let Some(stated) = stated {
            *known = Some(self.names.intern(stated));
        }
    }

    /// Prices a call, and the further ones that it lists, at their numbers.
    fn price(&mut self, call: Place, prices: &PriceTable) {
        for call in std::iter::once(call).chain(self.slots.iterations(call).to_vec()) {
            let terms = self.slots.terms(call);
            let raw = self.slots.get(call).usage;
            let tokens = Tokens::of(&raw);
            let usage = CallUsage {
                input: tokens.input,
                output: tokens.output,
                cache_read: tokens.cache_read,
                cache_write_5m: tokens.cache_creation_5m,
                cache_write_1h: tokens.cache_creation_1h,
                web_search_requests: raw.web_searches,
                speed: Terms::name(terms.speed, &self.names),
                service_tier: Terms::name(terms.service_tier, &self.names),
                inference_geo: Terms::name(terms.inference_geo, &self.names),
                date: Terms::name(terms.date, &self.names),
            };
            let model = Terms::name(terms.model, &self.names).unwrap_or(UNKNOWN_MODEL);
            let quote = prices.quote(model, &usage);
            let (dollars, unpriced) = match quote.priced {
                Priced::Cost(cost) => (Some(cost.dollars.amount()), None),
                Priced::Unpriced { reason } => (None, Some(self.names.intern(&reason.to_string()))),
            };
            let input_price_units = quote.input_price_units;
            self.slots.get_mut(call).cost = CallCost { dollars, input_price_units, unpriced };
        }
    }

    /// Gives a call's contribution to the totals, or takes it back, if the call counts.
    fn change(&mut self, call: Place, sign: Sign) {
        if !self.slots.counts(call) {
            return;
        }
        if let Some(cost) = self.slots.recorded(call) {
            sign.dollars(&mut self.recorded_dollars, cost);
            sign.count(&mut self.recorded_calls, 1);
        }
        for call in std::iter::once(call).chain(self.slots.iterations(call).to_vec()) {
            let slot = self.slots.get(call);
            let terms = self.slots.terms(call);
            let part = Contribution {
                tokens: Tokens::of(&slot.usage),
                dollars: slot.cost.dollars,
                fast: Terms::name(terms.speed, &self.names) == Some("fast"),
                web_searches: slot.usage.web_searches,
                web_fetches: slot.usage.web_fetches,
                input_price_units: slot.cost.input_price_units,
            };
            let unpriced = slot.cost.unpriced;
            let model = terms.model.unwrap_or_else(|| self.names.intern(UNKNOWN_MODEL));
            self.total.change(sign, &part);
            self.by_model.entry(model).or_default().change(sign, &part);
            if let Some(reason) = unpriced {
                let tokens = self.unpriced.entry(reason).or_default();
                sign.count(tokens, part.tokens.total());
            }
        }
    }
}

fn parse_cost(text: &str) -> Option<Decimal> {
    text.parse().or_else(|_| Decimal::from_scientific(text)).ok()
}
