//! The calls themselves: which records belong to one call, and what they state. Kept small: a long run has a
//! hundred thousand.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::event::{ApiReport, RawUsage};
use crate::fold::collections::{DigestMap, sorted_map};
use crate::ids::Digest64;

use super::entries::Entries;
use super::terms::{CallCost, CallIndex, Terms, TermsIndex};
use super::written::OutputSize;

/// What a call's records say of the number of output tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum OutputStated {
    /// Nothing.
    #[default]
    Never,
    /// The same number, each that states one.
    Same,
    /// Different numbers: it grew.
    Grown,
}

/// A call as the records so far describe it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CallSlot {
    pub(super) usage: RawUsage,
    pub(super) cost: CallCost,
    /// The request that it answers; none while no record has named one.
    request: Option<Digest64>,
    /// The message whose calls it is one of, if it has a message id.
    message: Option<u32>,
    /// The place of its terms.
    terms: TermsIndex,
    /// What was written of the answer.
    pub(super) written: OutputSize,
    /// What its records say of `output_tokens`.
    pub(super) output: OutputStated,
    /// Whether a record says that the answer has ended.
    pub(super) stopped: bool,
    /// Whether all its records so far are in a side chain.
    pub(super) sidechain_only: bool,
}

/// The calls that share a message id.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct MessageSlot {
    first: CallIndex,
    seen_outside_sidechain: bool,
}

/// All calls, and how to find the one that a record belongs to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Slots {
    calls: Vec<CallSlot>,
    messages: Vec<MessageSlot>,
    #[serde(with = "sorted_map")]
    by_message: DigestMap<u32>,
    /// Calls without a message id, by request id or record uuid.
    #[serde(with = "sorted_map")]
    by_other: DigestMap<CallIndex>,
    /// Second and later calls of a message: replays, so there are few.
    siblings: BTreeMap<u32, Vec<CallIndex>>,
    /// The requests that a call's usage lists.
    pub(super) entries: Entries,
    /// The cost that an old client wrote itself.
    recorded: BTreeMap<CallIndex, Decimal>,
    terms: TermList,
}

/// Distinct terms, each once, with their positions; saved as the list alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Terms>", into = "Vec<Terms>")]
struct TermList {
    list: Vec<Terms>,
    places: BTreeMap<Terms, u32>,
}

impl TermList {
    /// The place of terms, which are added if they are new.
    fn intern(&mut self, terms: Terms) -> u32 {
        if let Some(known) = self.places.get(&terms) {
            return *known;
        }
        let new = place(self.list.len());
        self.list.push(terms);
        self.places.insert(terms, new);
        new
    }
}

impl From<Vec<Terms>> for TermList {
    fn from(list: Vec<Terms>) -> Self {
        let places = (0..).zip(&list).map(|(place, terms)| (*terms, place)).collect();
        Self { list, places }
    }
}

impl From<TermList> for Vec<Terms> {
    fn from(terms: TermList) -> Self {
        terms.list
    }
}

impl Slots {
    /// The call that a report belongs to, and whether it is new.
    pub(super) fn find_or_add(
        &mut self,
        report: &ApiReport<'_>,
        uuid: Option<&str>,
    ) -> (CallIndex, bool) {
        let request = report.request_id.as_deref().map(Digest64::of);
        if let Some(message_id) = &report.message_id {
            return self.of_message(Digest64::of(message_id), request);
        }
        let key = request.or_else(|| uuid.map(|uuid| Digest64::of_parts(&["uuid", uuid])));
        if let Some(known) = key.and_then(|key| self.by_other.get(&key)) {
            return (*known, false);
        }
        let call = self.push(request, None);
        if let Some(key) = key {
            self.by_other.insert(key, call);
        }
        (call, true)
    }

    fn of_message(&mut self, id: Digest64, request: Option<Digest64>) -> (CallIndex, bool) {
        let Some(message) = self.by_message.get(&id).copied() else {
            let message = place(self.messages.len());
            let call = self.push(request, Some(message));
            self.by_message.insert(id, message);
            self.messages.push(MessageSlot { first: call, seen_outside_sidechain: false });
            return (call, true);
        };
        let answers = |call: &CallIndex, request| self.get(*call).request == request;
        let found = match request {
            None => self.calls_of(message).next(),
            // A call that no record has named a request of so far is the first to be named.
            Some(_) => (self.calls_of(message).find(|call| answers(call, request)))
                .or_else(|| self.calls_of(message).find(|call| answers(call, None))),
        };
        if let Some(call) = found {
            let slot = self.get_mut(call);
            slot.request = slot.request.or(request);
            return (call, false);
        }
        let call = self.push(request, Some(message));
        self.siblings.entry(message).or_default().push(call);
        (call, true)
    }

    fn push(&mut self, request: Option<Digest64>, message: Option<u32>) -> CallIndex {
        let terms = self.terms.intern(Terms::default());
        self.calls.push(CallSlot {
            usage: RawUsage::default(),
            cost: CallCost::default(),
            request,
            message,
            terms,
            written: OutputSize::default(),
            output: OutputStated::Never,
            stopped: false,
            sidechain_only: true,
        });
        place(self.calls.len() - 1)
    }

    pub(super) fn get(&self, call: CallIndex) -> &CallSlot {
        &self.calls[call as usize]
    }

    pub(super) fn get_mut(&mut self, call: CallIndex) -> &mut CallSlot {
        &mut self.calls[call as usize]
    }

    pub(super) fn terms(&self, call: CallIndex) -> Terms {
        self.terms.list[self.get(call).terms as usize]
    }

    pub(super) fn set_terms(&mut self, call: CallIndex, terms: Terms) {
        self.get_mut(call).terms = self.terms.intern(terms);
    }

    /// The terms at a place.
    pub(super) fn terms_at(&self, place: TermsIndex) -> Terms {
        self.terms.list[place as usize]
    }

    /// The place of terms, which are added if they are new.
    pub(super) fn intern_terms(&mut self, terms: Terms) -> TermsIndex {
        self.terms.intern(terms)
    }

    /// All calls.
    pub(super) fn places(&self) -> std::ops::Range<CallIndex> {
        0..place(self.calls.len())
    }

    /// The calls of a message, in the order in which they came.
    fn calls_of(&self, message: u32) -> impl Iterator<Item = CallIndex> {
        let siblings = self.siblings.get(&message).into_iter().flatten().copied();
        std::iter::once(self.messages[message as usize].first).chain(siblings)
    }

    /// Whether a call counts: replays in a side chain of a message seen outside of one do not.
    pub(super) fn counts(&self, call: CallIndex) -> bool {
        let slot = self.get(call);
        slot.message.is_none_or(|message| {
            !slot.sidechain_only || !self.messages[message as usize].seen_outside_sidechain
        })
    }

    /// The calls of the same message, if none of them has been seen outside side chains so far.
    pub(super) fn all_in_sidechains(&self, call: CallIndex) -> Option<Vec<CallIndex>> {
        let message = self.get(call).message?;
        let seen = self.messages[message as usize].seen_outside_sidechain;
        (!seen).then(|| self.calls_of(message).collect())
    }

    /// A record of the call was seen, in a side chain or not.
    pub(super) fn see(&mut self, call: CallIndex, sidechain: bool) {
        let slot = self.get_mut(call);
        slot.sidechain_only &= sidechain;
        if let Some(message) = slot.message {
            self.messages[message as usize].seen_outside_sidechain |= !sidechain;
        }
    }

    /// The cost that clients wrote for a call.
    pub(super) fn recorded(&self, call: CallIndex) -> Option<Decimal> {
        self.recorded.get(&call).copied()
    }

    /// Notes a cost that a client wrote: the largest counts.
    pub(super) fn record_cost(&mut self, call: CallIndex, cost: Decimal) {
        let known = self.recorded.entry(call).or_insert(cost);
        *known = cost.max(*known);
    }
}

/// More than fits into a place does not fit into memory either.
fn place(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
