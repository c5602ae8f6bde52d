//! API calls and what they used: each counted once, at the largest numbers that any of its records
//! states, whichever order the records come in.
//!
//! Every change is a revision: what the call contributed before is taken back, what it contributes
//! now is given, so that totals are right after every record.

mod entries;
mod estimate;
mod models;
mod scales;
mod slots;
mod sums;
mod terms;
mod totals;
mod written;

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::names::Names;
use crate::event::{ApiReport, ClientSums, Iteration, RawUsage};
use crate::ids::{Millis, Seq};
use crate::pricing::{CallUsage, PriceTable, Priced};

use entries::{Covered, Entry, EntryKind, covered};
use estimate::{Addition, Additions};
pub use estimate::{Calibration, Estimates, Reasoning};
use models::Models;
use slots::{OutputStated, Slots};
use sums::{Attributed, StatedModel, StatedSums, Unattributed, unmarked};
use terms::{CallCost, CallIndex, Terms};
use totals::{Contribution, Sign};
pub use totals::{Spending, Tokens};
pub(super) use written::OutputSize;

/// The name under which calls are grouped whose records name no model, and entries without a type.
const UNKNOWN: &str = "unknown";

/// What else a report's record says.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallRecord<'a> {
    /// The record's own id.
    pub(super) uuid: Option<&'a str>,
    /// Whether it is in a side chain.
    pub(super) sidechain: bool,
    /// When it was written.
    pub(super) time: Option<Millis>,
    /// Its first event.
    pub(super) seq: Seq,
}

/// A call of the ledger, to say what was written of its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct LedgerCall {
    call: CallIndex,
    /// Whether its record said something new of it, so that its estimate is to be made again.
    revised: bool,
}

/// By how much dollars and tokens changed.
pub(super) type SpendingChange = (Decimal, i128);

/// All API calls of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct UsageLedger {
    names: Names,
    #[serde(skip)]
    models: Models,
    slots: Slots,
    total: Spending,
    by_model: BTreeMap<u32, Spending>,
    /// What calls used, by the model's unmarked name.
    attributed: BTreeMap<u32, Attributed>,
    /// Tokens by the name of the reason for which they have no price.
    unpriced: BTreeMap<u32, u64>,
    /// Tokens of entries that are separate calls.
    entry_tokens: u64,
    unreconciled: u64,
    /// Entries by the name of their type.
    unknown_entries: BTreeMap<u32, u64>,
    additions: Additions,
    estimates: Estimates,
    sums: StatedSums,
    naive: Tokens,
    recorded_dollars: Decimal,
    recorded_calls: u64,
}

impl UsageLedger {
    /// Takes in what a record says of its call. [`UsageLedger::write`] has to follow.
    pub(super) fn observe(
        &mut self,
        report: &ApiReport<'_>,
        of: &CallRecord<'_>,
        prices: &PriceTable,
    ) -> (LedgerCall, SpendingChange) {
        let before = self.spent();
        self.naive.change(Sign::Give, &Tokens::of(&report.usage));
        let (call, is_new) = self.slots.find_or_add(report, of.uuid);
        let revised = is_new || self.says_more(call, report, of);
        if revised {
            let affected = self.affected(call, of.sidechain);
            for other in affected.iter().filter(|other| !is_new || **other != call) {
                self.change(*other, Sign::TakeBack);
            }
            self.revise(call, report, of);
            self.price(call, prices);
            for other in affected {
                self.change(other, Sign::Give);
            }
            self.attribute(prices);
        }
        (LedgerCall { call, revised }, self.change_since(before))
    }

    /// Adds the size of what a record writes of its call's answer, duplicate events left out.
    pub(super) fn write(&mut self, call: LedgerCall, written: OutputSize, prices: &PriceTable) {
        let LedgerCall { call, revised } = call;
        if !revised && written == OutputSize::default() {
            return;
        }
        self.change_estimate(call, Sign::TakeBack);
        self.slots.get_mut(call).written += written;
        self.estimate(call, prices);
        self.change_estimate(call, Sign::Give);
    }

    /// Takes in what a client says in the end that its process used.
    pub(super) fn state(
        &mut self,
        sums: &ClientSums<'_>,
        time: Option<Millis>,
        prices: &PriceTable,
    ) -> SpendingChange {
        let before = self.spent();
        if let Some(cost) = sums.cost.as_deref().and_then(parse_cost) {
            self.sums.cost = Some(cost);
        }
        let date = time.map(|time| self.names.intern(&time.date()));
        for (model, stated) in &sums.models {
            let base = self.names.intern(unmarked(model));
            let name = self.names.intern(model);
            let is_new = !self.sums.models.contains_key(&base);
            let first = StatedModel { name, date, peak: RawUsage::default(), given: None };
            let known = self.sums.models.entry(base).or_insert(first);
            known.peak = known.peak.max(*stated);
            if is_new {
                self.finish(base);
            }
        }
        self.attribute(prices);
        self.change_since(before)
    }

    fn spent(&self) -> (Decimal, u64) {
        (self.total.dollars, self.total.tokens.total())
    }

    fn change_since(&self, (dollars, tokens): (Decimal, u64)) -> SpendingChange {
        let now = self.spent();
        (now.0 - dollars, i128::from(now.1) - i128::from(tokens))
    }

    /// Totals over all counted calls, and tokens outside any call.
    pub(super) fn total(&self) -> &Spending {
        &self.total
    }

    /// Totals by model name as written, in order of the name.
    pub(super) fn by_model(&self) -> BTreeMap<&str, &Spending> {
        let named = self.by_model.iter().filter(|(_, of)| of.calls > 0 || of.tokens.total() > 0);
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

    /// By what factor the plain sum exceeds the counted tokens (those of iterations and what is in no
    /// call left out); numerator and denominator.
    pub(super) fn inflation(&self) -> (u64, u64) {
        let beside = self.entry_tokens.saturating_add(self.unattributed().0.total());
        (self.naive.total(), self.total.tokens.total().saturating_sub(beside))
    }

    /// What clients wrote as the cost themselves, and for how many calls.
    pub(super) fn recorded(&self) -> (Decimal, u64) {
        (self.recorded_dollars, self.recorded_calls)
    }

    /// Tokens in the totals but in no call, and the cost of the priced ones.
    pub(super) fn unattributed(&self) -> (Tokens, Decimal) {
        let given = self.sums.models.values().filter_map(|model| model.given.as_ref());
        given.fold((Tokens::default(), Decimal::ZERO), |(mut tokens, dollars), given| {
            tokens.change(Sign::Give, &given.part.tokens);
            (tokens, dollars.saturating_add(given.part.dollars.unwrap_or_default()))
        })
    }

    /// The total that a client stated last, in dollars.
    pub(super) fn stated_cost(&self) -> Option<Decimal> {
        self.sums.cost
    }

    /// Calls whose list of requests does not fit their usage.
    pub(super) fn unreconciled(&self) -> u64 {
        self.unreconciled
    }

    /// Where those were read first.
    pub(super) fn unreconciled_at(&self) -> impl Iterator<Item = Seq> {
        let calls = self.slots.entries.calls().filter(|(call, _)| self.slots.counts(*call));
        calls.filter(|(call, _)| self.covered(*call) == Some(Covered::Unknown)).map(|(_, seq)| seq)
    }

    /// Requests of a type that this version does not know, by type.
    pub(super) fn unknown_entries(&self) -> BTreeMap<&str, u64> {
        let some = self.unknown_entries.iter().filter(|(_, entries)| **entries > 0);
        some.map(|(kind, entries)| (self.names.get(*kind), *entries)).collect()
    }

    /// What estimates of unfinished usage add.
    pub(super) fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    /// All counted calls, to calibrate estimates with.
    pub(super) fn calibration(&self) -> impl Iterator<Item = Calibration<'_>> {
        let counted = self.slots.places().filter(|call| self.slots.counts(*call));
        counted.map(|call| {
            let model = Terms::name(self.slots.terms(call).model, &self.names).unwrap_or(UNKNOWN);
            Calibration::of(self.slots.get(call), model)
        })
    }

    /// Whether a report changes anything of a known call. Most do not: they repeat it.
    fn says_more(&mut self, call: CallIndex, report: &ApiReport<'_>, of: &CallRecord<'_>) -> bool {
        let slot = *self.slots.get(call);
        slot.usage.max(report.usage) != slot.usage
            || (slot.sidechain_only && !of.sidechain)
            || (report.stopped && !slot.stopped)
            || output_stated(slot.output, slot.usage.output, report) != slot.output
            || self.revised_terms(call, report, of) != self.slots.terms(call)
            || report.recorded_cost.is_some()
            || report.iterations.iter().any(|iteration| {
                self.slots.entries.get(call, iteration.at).cloned()
                    != Some(self.revised_entry(call, iteration))
            })
    }

    /// The calls whose counting the record may change: with the first record of a message outside
    /// side chains, all calls of that message.
    fn affected(&self, call: CallIndex, sidechain: bool) -> Vec<CallIndex> {
        let of_message = if sidechain { None } else { self.slots.all_in_sidechains(call) };
        of_message.unwrap_or_else(|| vec![call])
    }

    /// Takes in what the record says.
    fn revise(&mut self, call: CallIndex, report: &ApiReport<'_>, of: &CallRecord<'_>) {
        self.slots.see(call, of.sidechain);
        let terms = self.revised_terms(call, report, of);
        self.slots.set_terms(call, terms);
        let slot = self.slots.get_mut(call);
        slot.output = output_stated(slot.output, slot.usage.output, report);
        slot.usage = slot.usage.max(report.usage);
        slot.stopped |= report.stopped;
        if let Some(cost) = report.recorded_cost.as_deref().and_then(parse_cost) {
            self.slots.record_cost(call, cost);
        }
        for iteration in &report.iterations {
            let entry = self.revised_entry(call, iteration);
            self.slots.entries.put(call, entry, of.seq);
        }
    }

    fn revised_terms(
        &mut self,
        call: CallIndex,
        report: &ApiReport<'_>,
        of: &CallRecord<'_>,
    ) -> Terms {
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

    fn revised_entry(&mut self, call: CallIndex, iteration: &Iteration<'_>) -> Entry {
        let known = self.slots.entries.get(call, iteration.at).cloned();
        let mut entry = known.unwrap_or_else(|| Entry {
            at: iteration.at,
            kind: None,
            usage: RawUsage::default(),
            stated: iteration.stated,
            terms: self.slots.intern_terms(Terms::default()),
            cost: None,
        });
        let mut own = self.slots.terms_at(entry.terms);
        self.rename(&mut own.model, iteration.model.as_deref());
        self.rename(&mut own.speed, iteration.speed.as_deref());
        self.rename(&mut own.service_tier, iteration.service_tier.as_deref());
        self.rename(&mut own.inference_geo, iteration.inference_geo.as_deref());
        self.rename(&mut entry.kind, iteration.kind.as_deref());
        entry.terms = self.slots.intern_terms(own);
        entry.usage = entry.usage.max(iteration.usage);
        entry.stated = entry.stated.or(iteration.stated);
        entry
    }

    /// For each name, the last one stated counts.
    fn rename(&mut self, known: &mut Option<u32>, stated: Option<&str>) {
        if let Some(stated) = stated
            && known.is_none_or(|known| self.names.get(known) != stated)
        {
            *known = Some(self.names.intern(stated));
        }
    }

    /// Whether an entry is a request for the answer, of the model that gave it.
    fn is_of_answer(&self, entry: &Entry, call: CallIndex) -> bool {
        let kind = EntryKind::of(Terms::name(entry.kind, &self.names));
        let own = self.slots.terms_at(entry.terms).model;
        kind != EntryKind::Beside && own.is_none_or(|own| Some(own) == self.slots.terms(call).model)
    }

    /// Which entries a call's own numbers hold; none if it lists none of the answer.
    fn covered(&self, call: CallIndex) -> Option<Covered> {
        let entries = self.slots.entries.of(call);
        let of_answer = entries.iter().filter(|entry| self.is_of_answer(entry, call));
        covered(&self.slots.get(call).usage, of_answer)
    }

    /// Indexes of the entries that a call's own numbers do not include: separate calls.
    fn further(&self, call: CallIndex) -> Vec<usize> {
        let entries = self.slots.entries.of(call);
        if entries.is_empty() {
            return Vec::new();
        }
        let of_answer = |entry: &Entry| self.is_of_answer(entry, call);
        let last = entries.iter().rposition(of_answer);
        let last_only = self.covered(call) == Some(Covered::Last);
        let is_held =
            |(at, entry): (usize, &Entry)| of_answer(entry) && (!last_only || Some(at) == last);
        let used = |entry: &Entry| entry.usage != RawUsage::default();
        let further = entries.iter().enumerate().filter(|one| used(one.1) && !is_held(*one));
        further.map(|(at, _)| at).collect()
    }

    /// The terms of a call's entry as a separate call.
    fn entry_terms(&self, entry: &Entry, call: CallIndex) -> Terms {
        let (own, of_call) = (self.slots.terms_at(entry.terms), self.slots.terms(call));
        Terms { model: own.model.or(of_call.model), date: of_call.date, ..own }
    }

    /// Prices a call, and the requests that it lists and does not hold, at their numbers.
    fn price(&mut self, call: CallIndex, prices: &PriceTable) {
        let cost = self.quote(&self.slots.get(call).usage.clone(), self.slots.terms(call), prices);
        self.slots.get_mut(call).cost = cost;
        if self.slots.entries.of(call).is_empty() {
            return;
        }
        let further = self.further(call);
        for at in 0..self.slots.entries.of(call).len() {
            let entry = &self.slots.entries.of(call)[at];
            let cost = further.contains(&at).then(|| (entry.usage, self.entry_terms(entry, call)));
            let cost = cost.map(|(usage, terms)| Box::new(self.quote(&usage, terms, prices)));
            self.slots.entries.of_mut(call)[at].cost = cost;
        }
    }

    /// What usage costs under terms.
    fn quote(&mut self, raw: &RawUsage, terms: Terms, prices: &PriceTable) -> CallCost {
        self.quote_as(raw, terms, prices, false)
    }

    /// The same for a call, or for a sum of calls that are not known one by one.
    fn quote_as(
        &mut self,
        raw: &RawUsage,
        terms: Terms,
        prices: &PriceTable,
        is_sum: bool,
    ) -> CallCost {
        let tokens = Tokens::of(raw);
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
            is_sum,
        };
        let model = self.models.get(terms.model, &self.names);
        let quote = prices.quote_named(&model.name, &usage);
        let (dollars, unpriced) = match quote.priced {
            Priced::Cost(cost) => (Some(cost.dollars.amount()), None),
            Priced::Unpriced { reason } => (None, Some(self.names.intern(&reason.to_string()))),
        };
        CallCost { dollars, input_price_units: quote.input_price_units, unpriced }
    }

    /// Estimates the output of a call whose usage is unfinished.
    fn estimate(&mut self, call: CallIndex, prices: &PriceTable) {
        self.additions.remove(&call);
        let slot = *self.slots.get(call);
        let terms = self.slots.terms(call);
        let base = self.base(terms.model);
        if slot.stopped || self.sums.models.contains_key(&base) {
            return;
        }
        let model = self.models.get(terms.model, &self.names);
        let Some(output) = estimate::unfinished(&slot, model) else { return };
        let whole = self.quote(&RawUsage { output, ..slot.usage }, terms, prices);
        let dollars = match (whole.dollars, slot.cost.dollars) {
            (Some(whole), Some(recorded)) => whole - recorded,
            _ => Decimal::ZERO,
        };
        let untold = slot.written.untold;
        let output = output - slot.usage.output;
        self.additions.insert(call, Addition { output, dollars, untold });
    }

    /// A client stated what its process used of a model: its calls are finished.
    fn finish(&mut self, base: u32) {
        let unfinished: Vec<CallIndex> = self.additions.keys().copied().collect();
        for call in unfinished {
            if self.base(self.slots.terms(call).model) == base {
                self.change_estimate(call, Sign::TakeBack);
                self.additions.remove(&call);
            }
        }
    }

    /// The unmarked name of a model.
    fn base(&mut self, model: Option<u32>) -> u32 {
        let Some(model) = model else { return self.names.intern(UNKNOWN) };
        let name = self.names.get(model);
        let bare = unmarked(name);
        if bare.len() == name.len() {
            return model;
        }
        let bare = bare.to_owned();
        self.names.intern(&bare)
    }

    /// Gives a call's contribution to the totals, or takes it back, if the call counts.
    fn change(&mut self, call: CallIndex, sign: Sign) {
        if !self.slots.counts(call) {
            return;
        }
        if let Some(cost) = self.slots.recorded(call) {
            sign.dollars(&mut self.recorded_dollars, cost);
            sign.count(&mut self.recorded_calls, 1);
        }
        self.change_estimate(call, sign);
        let slot = *self.slots.get(call);
        self.contribute(sign, &slot.usage, slot.cost, self.slots.terms(call));
        if !self.slots.entries.of(call).is_empty() {
            self.change_entries(call, sign);
        }
    }

    fn change_estimate(&mut self, call: CallIndex, sign: Sign) {
        if let Some(addition) = self.additions.get(&call).filter(|_| self.slots.counts(call)) {
            self.estimates.change(sign, addition);
        }
    }

    fn change_entries(&mut self, call: CallIndex, sign: Sign) {
        let unreconciled = self.covered(call) == Some(Covered::Unknown);
        sign.count(&mut self.unreconciled, unreconciled.into());
        for at in 0..self.slots.entries.of(call).len() {
            let entry = &self.slots.entries.of(call)[at];
            let kind = entry.kind;
            let own = entry.cost.as_deref().copied();
            let (usage, terms) = (entry.usage, self.entry_terms(entry, call));
            if EntryKind::of(Terms::name(kind, &self.names)) == EntryKind::Unknown {
                let kind = kind.unwrap_or_else(|| self.names.intern(UNKNOWN));
                sign.count(self.unknown_entries.entry(kind).or_default(), 1);
            }
            if let Some(cost) = own {
                self.contribute(sign, &usage, cost, terms);
                sign.count(&mut self.entry_tokens, Tokens::of(&usage).total());
            }
        }
    }

    /// Gives what one call used and cost, or takes it back.
    fn contribute(&mut self, sign: Sign, usage: &RawUsage, cost: CallCost, terms: Terms) {
        let part = Contribution {
            calls: 1,
            tokens: Tokens::of(usage),
            dollars: cost.dollars,
            fast: Terms::name(terms.speed, &self.names) == Some("fast"),
            web_searches: usage.web_searches,
            web_fetches: usage.web_fetches,
            input_price_units: cost.input_price_units,
        };
        let base = self.base(terms.model);
        self.attributed.entry(base).or_default().change(sign, &part);
        self.add(sign, &part, terms.model, cost.unpriced);
    }

    fn add(&mut self, sign: Sign, part: &Contribution, model: Option<u32>, unpriced: Option<u32>) {
        let model = model.unwrap_or_else(|| self.names.intern(UNKNOWN));
        self.total.change(sign, part);
        self.by_model.entry(model).or_default().change(sign, part);
        if let Some(reason) = unpriced {
            sign.count(self.unpriced.entry(reason).or_default(), part.tokens.total());
        }
    }

    /// Brings up to date what clients stated in the end and no call has.
    fn attribute(&mut self, prices: &PriceTable) {
        let bases: Vec<u32> = self.sums.models.keys().copied().collect();
        for base in bases {
            let Some(stated) = self.sums.models.get(&base) else { continue };
            let usage = self.attributed.get(&base).copied().unwrap_or_default();
            let usage = usage.missing_of(&stated.peak);
            let terms = Terms { date: stated.date, ..Terms::default() };
            let terms = Terms { model: Some(self.name_of(base, stated.name)), ..terms };
            let known = stated.given.as_ref();
            if known.is_some_and(|given| given.usage == usage && given.terms == terms) {
                continue;
            }
            let old = self.sums.models.get_mut(&base).and_then(|stated| stated.given.take());
            if let Some(old) = old {
                self.add(Sign::TakeBack, &old.part, old.terms.model, old.unpriced);
            }
            if usage == RawUsage::default() {
                continue;
            }
            let given = self.unattributed_part(usage, terms, prices);
            self.add(Sign::Give, &given.part, given.terms.model, given.unpriced);
            if let Some(stated) = self.sums.models.get_mut(&base) {
                stated.given = Some(given);
            }
        }
    }

    fn unattributed_part(
        &mut self,
        usage: RawUsage,
        terms: Terms,
        prices: &PriceTable,
    ) -> Unattributed {
        let cost = self.quote_as(&usage, terms, prices, true);
        let part = Contribution {
            calls: 0,
            tokens: Tokens::of(&usage),
            dollars: cost.dollars,
            fast: false,
            // Searches that no call made are in the dollars alone.
            web_searches: 0,
            web_fetches: 0,
            input_price_units: cost.input_price_units,
        };
        Unattributed { usage, terms, part, unpriced: cost.unpriced }
    }

    /// The name under which what is in no call stands: that of the calls, of two the first; else as
    /// the record has it.
    fn name_of(&self, base: u32, stated: u32) -> u32 {
        let base = self.names.get(base);
        let counted = self.by_model.iter().filter(|(_, spending)| spending.calls > 0);
        let of_calls = counted.map(|(model, _)| *model);
        let same = of_calls.filter(|model| unmarked(self.names.get(*model)) == base);
        same.min_by_key(|model| self.names.get(*model)).unwrap_or(stated)
    }
}

/// What is known about a call's output after a record, given what was known before and the number so far.
fn output_stated(known: OutputStated, so_far: u64, report: &ApiReport<'_>) -> OutputStated {
    match known {
        OutputStated::Never if report.states_output => OutputStated::Same,
        OutputStated::Same if report.states_output && report.usage.output != so_far => {
            OutputStated::Grown
        }
        _ => known,
    }
}

fn parse_cost(text: &str) -> Option<Decimal> {
    text.parse().or_else(|_| Decimal::from_scientific(text)).ok()
}
