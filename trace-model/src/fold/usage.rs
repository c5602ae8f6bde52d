//! API calls and what they used: each counted once, at the largest numbers that any of its records
//! states, whichever order the records come in.
//!
//! Every change is a revision: what the call contributed before is taken back, what it contributes
//! now is added, so that totals are right after every record.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::collections::{DigestMap, sorted_map};
use super::names::Names;
use crate::event::{ApiReport, RawUsage};
use crate::ids::{Digest64, Millis};
use crate::pricing::{CallUsage, PriceTable, Priced};

/// Input tokens above which a request counts as long, whatever its price.
const LONG_CONTEXT: u64 = 200_000;

/// The name under which calls are grouped whose records name no model.
const UNKNOWN_MODEL: &str = "unknown";

/// Tokens by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Neither read from nor written to the cache.
    pub input: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// Written to the cache, in all.
    pub cache_creation: u64,
    /// Of those, for five minutes.
    pub cache_creation_5m: u64,
    /// Of those, for an hour.
    pub cache_creation_1h: u64,
    /// Read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    fn of(raw: &RawUsage) -> Self {
        let stated = raw.cache_5m + raw.cache_1h;
        let cache_creation = raw.cache_creation.max(stated);
        Self {
            input: raw.input,
            output: raw.output,
            cache_creation,
            cache_creation_5m: cache_creation - raw.cache_1h,
            cache_creation_1h: raw.cache_1h,
            cache_read: raw.cache_read,
        }
    }

    /// All classes together.
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_creation + self.cache_read
    }

    fn change(&mut self, sign: Sign, by: &Self) {
        sign.count(&mut self.input, by.input);
        sign.count(&mut self.output, by.output);
        sign.count(&mut self.cache_creation, by.cache_creation);
        sign.count(&mut self.cache_creation_5m, by.cache_creation_5m);
        sign.count(&mut self.cache_creation_1h, by.cache_creation_1h);
        sign.count(&mut self.cache_read, by.cache_read);
    }
}

/// Whether a contribution is given or taken back.
#[derive(Clone, Copy)]
enum Sign {
    Give,
    TakeBack,
}

impl Sign {
    fn count(self, total: &mut u64, by: u64) {
        *total = match self {
            Self::Give => total.saturating_add(by),
            Self::TakeBack => total.saturating_sub(by),
        };
    }

    fn dollars(self, total: &mut Decimal, by: Decimal) {
        *total = match self {
            Self::Give => total.saturating_add(by),
            Self::TakeBack => total.saturating_sub(by),
        };
    }
}

/// What a set of calls used and cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// API calls.
    pub calls: u64,
    /// Their tokens.
    pub tokens: Tokens,
    /// What the priced ones cost, in US dollars.
    pub dollars: Decimal,
    /// Calls without a price.
    pub unpriced_calls: u64,
    /// Their tokens.
    pub unpriced_tokens: u64,
    /// Calls in fast mode.
    pub fast_calls: u64,
    /// Calls whose input, cached or not, is above 200,000 tokens.
    pub over_200k_calls: u64,
    /// Web searches that the provider ran.
    pub web_searches: u64,
    /// Web pages that the provider fetched.
    pub web_fetches: u64,
    /// Cost in units of each call's own input price: see [`crate::pricing::relative_units`].
    pub input_price_units: Decimal,
}

impl Spending {
    fn change(&mut self, sign: Sign, by: &Contribution) {
        sign.count(&mut self.calls, 1);
        self.tokens.change(sign, &by.tokens);
        match by.dollars {
            Some(dollars) => sign.dollars(&mut self.dollars, dollars),
            None => {
                sign.count(&mut self.unpriced_calls, 1);
                sign.count(&mut self.unpriced_tokens, by.tokens.total());
            }
        }
        sign.count(&mut self.fast_calls, by.fast.into());
        sign.count(&mut self.over_200k_calls, by.is_long().into());
        sign.count(&mut self.web_searches, by.web_searches);
        sign.count(&mut self.web_fetches, by.web_fetches);
        sign.dollars(&mut self.input_price_units, by.input_price_units);
    }
}

/// What one call adds to the totals.
struct Contribution {
    tokens: Tokens,
    dollars: Option<Decimal>,
    fast: bool,
    web_searches: u64,
    web_fetches: u64,
    input_price_units: Decimal,
}

impl Contribution {
    fn is_long(&self) -> bool {
        self.tokens.input + self.tokens.cache_read + self.tokens.cache_creation > LONG_CONTEXT
    }
}

/// A call as the records so far describe it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CallSlot {
    usage: RawUsage,
    model: Option<u32>,
    speed: Option<u32>,
    service_tier: Option<u32>,
    inference_geo: Option<u32>,
    /// The day of the first record that states a time.
    date: Option<u32>,
    /// The request that it answers; none while no record has named one.
    request: Option<Digest64>,
    /// Whether every record of it so far stands in a side chain.
    sidechain_only: bool,
    /// The message whose calls it is one of, if it has a message id.
    message: Option<u32>,
    /// The cost that an old client wrote itself.
    recorded_cost: Option<Decimal>,
    /// Slots of the further calls that its usage lists.
    iterations: Vec<u32>,
    /// What it costs at these numbers.
    cost: CallCost,
}

/// What a call costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CallCost {
    dollars: Option<Decimal>,
    input_price_units: Decimal,
    /// The name of the reason for which it has no price.
    unpriced: Option<u32>,
}

/// The calls that share a message id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct MessageSlot {
    calls: Vec<u32>,
    seen_outside_sidechain: bool,
}

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
    calls: Vec<CallSlot>,
    messages: Vec<MessageSlot>,
    #[serde(with = "sorted_map")]
    by_message: DigestMap<u32>,
    /// Calls without a message id, by request id or record uuid.
    #[serde(with = "sorted_map")]
    by_other: DigestMap<u32>,
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
        let (slot, is_new) = self.slot(report, of.uuid);
        let revised = self.revised(slot, report, of);
        let touched = self.touched(slot, is_new, of.sidechain);
        if is_new
            || touched.is_some()
            || revised != self.calls[slot as usize]
            || !report.iterations.is_empty()
        {
            let touched = touched.unwrap_or_else(|| vec![slot]);
            for call in touched.iter().filter(|call| !is_new || **call != slot) {
                self.change(*call, Sign::TakeBack);
            }
            self.calls[slot as usize] = revised;
            if let Some(message) = self.calls[slot as usize].message {
                self.messages[message as usize].seen_outside_sidechain |= !of.sidechain;
            }
            self.revise_iterations(slot, report);
            self.price(slot, prices);
            for call in touched {
                self.change(call, Sign::Give);
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
        let further: u64 = self
            .calls
            .iter()
            .filter(|call| self.counts(call))
            .flat_map(|call| &call.iterations)
            .map(|slot| Tokens::of(&self.calls[*slot as usize].usage).total())
            .sum();
        (self.naive.total(), self.total.tokens.total() - further)
    }

    /// What clients wrote as the cost themselves, and for how many calls.
    pub(super) fn recorded(&self) -> (Decimal, u64) {
        (self.recorded_dollars, self.recorded_calls)
    }

    /// The slot of the call that a report belongs to, and whether it is new.
    fn slot(&mut self, report: &ApiReport<'_>, uuid: Option<&str>) -> (u32, bool) {
        let request = report.request_id.as_deref().map(Digest64::of);
        if let Some(message_id) = &report.message_id {
            return self.slot_of_message(Digest64::of(message_id), request);
        }
        let key = request.or_else(|| uuid.map(|uuid| Digest64::of_parts(&["uuid", uuid])));
        match key.and_then(|key| self.by_other.get(&key)) {
            Some(slot) => (*slot, false),
            None => {
                let slot = self.push(request, None);
                if let Some(key) = key {
                    self.by_other.insert(key, slot);
                }
                (slot, true)
            }
        }
    }

    fn slot_of_message(&mut self, id: Digest64, request: Option<Digest64>) -> (u32, bool) {
        let next = index(self.messages.len());
        let message = *self.by_message.entry(id).or_insert(next);
        if message == next {
            self.messages.push(MessageSlot::default());
        }
        let known = &self.messages[message as usize].calls;
        let found = match request {
            None => known.first().copied(),
            Some(_) => known
                .iter()
                .copied()
                .find(|call| self.calls[*call as usize].request == request)
                // A call that no record has named a request of so far is the first to be named.
                .or_else(|| {
                    known.iter().copied().find(|c| self.calls[*c as usize].request.is_none())
                }),
        };
        if let Some(call) = found {
            let slot = &mut self.calls[call as usize];
            slot.request = slot.request.or(request);
            return (call, false);
        }
        let call = self.push(request, Some(message));
        self.messages[message as usize].calls.push(call);
        (call, true)
    }

    fn push(&mut self, request: Option<Digest64>, message: Option<u32>) -> u32 {
        self.calls.push(CallSlot {
            usage: RawUsage::default(),
            model: None,
            speed: None,
            service_tier: None,
            inference_geo: None,
            date: None,
            request,
            sidechain_only: true,
            message,
            recorded_cost: None,
            iterations: Vec::new(),
            cost: CallCost::default(),
        });
        index(self.calls.len() - 1)
    }

    /// The calls whose counting the record may change: those of its message, if it is the first of
    /// them outside a side chain.
    fn touched(&self, slot: u32, is_new: bool, sidechain: bool) -> Option<Vec<u32>> {
        let message = &self.messages[self.calls[slot as usize].message? as usize];
        let first_outside = !sidechain && !message.seen_outside_sidechain;
        (first_outside && !(is_new && message.calls.len() == 1)).then(|| message.calls.clone())
    }

    /// The call as it stands after the record.
    fn revised(&mut self, slot: u32, report: &ApiReport<'_>, of: &CallRecord<'_>) -> CallSlot {
        let mut call = self.calls[slot as usize].clone();
        call.usage = call.usage.max(report.usage);
        call.sidechain_only &= of.sidechain;
        self.rename(&mut call.model, report.model.as_deref());
        self.rename(&mut call.speed, report.speed.as_deref());
        self.rename(&mut call.service_tier, report.service_tier.as_deref());
        self.rename(&mut call.inference_geo, report.inference_geo.as_deref());
        if call.date.is_none() {
            call.date = of.time.map(|time| self.names.intern(&time.date()));
        }
        if let Some(cost) = report.recorded_cost.as_deref().and_then(parse_cost) {
            call.recorded_cost = Some(call.recorded_cost.map_or(cost, |known| known.max(cost)));
        }
        call
    }

    /// Takes in the further calls that the record lists.
    fn revise_iterations(&mut self, slot: u32, report: &ApiReport<'_>) {
        for (at, iteration) in report.iterations.iter().enumerate() {
            if at == self.calls[slot as usize].iterations.len() {
                let further = self.push(None, None);
                self.calls[slot as usize].iterations.push(further);
            }
            let CallSlot { iterations, date, .. } = &self.calls[slot as usize];
            let (further, date) = (iterations[at] as usize, *date);
            let mut call = self.calls[further].clone();
            call.usage = call.usage.max(iteration.usage);
            self.rename(&mut call.model, iteration.model.as_deref());
            self.rename(&mut call.speed, iteration.speed.as_deref());
            self.rename(&mut call.service_tier, iteration.service_tier.as_deref());
            self.rename(&mut call.inference_geo, iteration.inference_geo.as_deref());
            call.date = date;
            self.calls[further] = call;
        }
    }

    /// Of a name, the one stated last stands.
    fn rename(&mut self, known: &mut Option<u32>, stated: Option<&str>) {
        if let Some(stated) = stated {
            *known = Some(self.names.intern(stated));
        }
    }

    fn counts(&self, call: &CallSlot) -> bool {
        call.message.is_none_or(|message| {
            !call.sidechain_only || !self.messages[message as usize].seen_outside_sidechain
        })
    }

    /// Prices a call, and the further ones that it lists, at their numbers.
    fn price(&mut self, slot: u32, prices: &PriceTable) {
        for slot in std::iter::once(slot).chain(self.calls[slot as usize].iterations.clone()) {
            let call = &self.calls[slot as usize];
            let tokens = Tokens::of(&call.usage);
            let name = |name: Option<u32>| name.map(|name| self.names.get(name));
            let usage = CallUsage {
                input: tokens.input,
                output: tokens.output,
                cache_read: tokens.cache_read,
                cache_write_5m: tokens.cache_creation_5m,
                cache_write_1h: tokens.cache_creation_1h,
                web_search_requests: call.usage.web_searches,
                speed: name(call.speed),
                service_tier: name(call.service_tier),
                inference_geo: name(call.inference_geo),
                date: name(call.date),
            };
            let quote = prices.quote(name(call.model).unwrap_or(UNKNOWN_MODEL), &usage);
            let (dollars, unpriced) = match quote.priced {
                Priced::Cost(cost) => (Some(cost.dollars.amount()), None),
                Priced::Unpriced { reason } => (None, Some(self.names.intern(&reason.to_string()))),
            };
            let input_price_units = quote.input_price_units;
            self.calls[slot as usize].cost = CallCost { dollars, input_price_units, unpriced };
        }
    }

    /// Gives a call's contribution to the totals, or takes it back, if the call counts.
    fn change(&mut self, slot: u32, sign: Sign) {
        let call = &self.calls[slot as usize];
        if !self.counts(call) {
            return;
        }
        if let Some(cost) = call.recorded_cost {
            sign.dollars(&mut self.recorded_dollars, cost);
            sign.count(&mut self.recorded_calls, 1);
        }
        let further = call.iterations.clone();
        for slot in std::iter::once(slot).chain(further) {
            let call = &self.calls[slot as usize];
            let part = Contribution {
                tokens: Tokens::of(&call.usage),
                dollars: call.cost.dollars,
                fast: call.speed.is_some_and(|speed| self.names.get(speed) == "fast"),
                web_searches: call.usage.web_searches,
                web_fetches: call.usage.web_fetches,
                input_price_units: call.cost.input_price_units,
            };
            let (model, unpriced) = (call.model, call.cost.unpriced);
            let model = model.unwrap_or_else(|| self.names.intern(UNKNOWN_MODEL));
            self.total.change(sign, &part);
            self.by_model.entry(model).or_default().change(sign, &part);
            if let Some(reason) = unpriced {
                let tokens = self.unpriced.entry(reason).or_default();
                sign.count(tokens, part.tokens.total());
            }
        }
    }
}

/// More calls than fit into the index do not fit into memory either.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn parse_cost(text: &str) -> Option<Decimal> {
    text.parse().or_else(|_| Decimal::from_scientific(text)).ok()
}
