//! API calls and their tokens.
//!
//! `docs/DEFINITIONS.md`, "API calls and tokens".

use std::collections::{BTreeMap, BTreeSet};

use super::api_call::{ApiCall, ModelTotals, Tokens, Unattributed, Unstated};
use super::date::day;
use super::iterations::{IterationSplit, split_iterations};
use super::json::Node;
use super::ledger::Ledger;
use super::stated::{named_models, plain};
use super::unstated::unstated;
use super::usage_report::{UsageReport, largest};

/// The numbers by which an entry of iterations is compared with its call.
const COMPARED: [&str; 4] =
    ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];

/// The name under which calls without a model are grouped.
const UNNAMED_MODEL: &str = "unknown";

/// A call whose context is above this is one of `over_200k_calls`.
const LONG_CONTEXT: u64 = 200_000;

/// All counted calls, and what is said of the lists that some come from.
#[derive(Debug, Clone, Default)]
pub(super) struct ApiCalls {
    /// In the order of their keys, each followed by the calls out of its iterations.
    pub(super) calls: Vec<ApiCall>,
    /// How many calls have iterations that do not add up to the top level, nor end in it.
    pub(super) unreconciled: u64,
    /// The number of entries of iterations of each type that is not a known one; an absent type is empty.
    pub(super) unknown_iterations: BTreeMap<String, u64>,
}

/// What makes two reports one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum CallKey {
    Message(String, Option<String>),
    Request(String),
    Uuid(String),
    /// A call of its own, by its position among the reports.
    Alone(usize),
}

/// The counted calls.
pub(super) fn api_calls(ledger: &Ledger) -> ApiCalls {
    let reports = reports(ledger);
    let named = named_models(ledger);
    let mut groups: BTreeMap<CallKey, Vec<&UsageReport>> = BTreeMap::new();
    for (position, report) in reports.iter().enumerate() {
        groups.entry(key(position, report, &reports)).or_default().push(report);
    }
    let mut found = ApiCalls::default();
    for (key, group) in &groups {
        if is_replay(key, group, &groups) {
            continue;
        }
        let date = group.iter().find_map(|report| report.date.clone());
        let whole = ApiCall { date: date.clone(), ..call(None, group) };
        let unstated = unfinished(ledger, group, whole.model.as_deref(), &named);
        let whole = ApiCall { unstated, ..whole };
        let mut entries: BTreeMap<u64, Vec<&UsageReport>> = BTreeMap::new();
        for (position, entry) in group.iter().flat_map(|report| &report.iterations) {
            entries.entry(*position).or_default().push(entry);
        }
        let IterationSplit { apart, is_unreconciled, unknown } =
            split_iterations(group, whole.model.as_deref(), &entries);
        let calls_apart = apart.iter().map(|position| {
            let entry = call(Some(*position), &entries[position]);
            let model = entry.model.clone().or_else(|| whole.model.clone());
            ApiCall { date: date.clone(), model, ..entry }
        });
        let calls_apart: Vec<ApiCall> = calls_apart.collect();
        found.calls.push(whole);
        found.calls.extend(calls_apart);
        found.unreconciled += u64::from(is_unreconciled);
        for kind in unknown {
            *found.unknown_iterations.entry(kind).or_insert(0) += 1;
        }
    }
    found
}

/// "Naive tokens are the plain sum of `usage` over all assistant records that report a call (no
/// iterations)."
pub(super) fn naive_tokens(ledger: &Ledger) -> Tokens {
    Tokens::sum(reports(ledger).iter().map(|report| tokens(&[report])))
}

/// The reports of all `assistant` records, "duplicate or not", unless the record's "model is
/// `<synthetic>` or it is an API error message".
fn reports(ledger: &Ledger) -> Vec<UsageReport> {
    let mut reports = Vec::new();
    for (position, record) in ledger.records.iter().enumerate() {
        if !record.reports_call() {
            continue;
        }
        let node = record.node();
        let message = node.get("message");
        let usage = message.as_ref().and_then(|message| message.get("usage"));
        let stop_reason = message.as_ref().and_then(|message| message.get("stop_reason"));
        reports.push(UsageReport {
            record: position,
            stops: stop_reason.and_then(|it| it.value().text()).is_some_and(|it| !it.is_empty()),
            states: usage.as_ref().map(states).unwrap_or_default(),
            message: message.as_ref().and_then(|message| message.id("id")),
            request: node.id("requestId"),
            uuid: record.uuid(),
            date: record.timestamp().and_then(|time| day(&time)),
            in_sidechain: record.agent.is_some() || node.flag("isSidechain"),
            model: record.reported_model(),
            iterations: usage.as_ref().map(iterations).unwrap_or_default(),
            ..usage.as_ref().map(numbers).unwrap_or_default()
        });
    }
    reports
}

/// The numbers and names of a `usage` object or of an entry of its iterations.
fn numbers(usage: &Node) -> UsageReport {
    let inner = |object, key| usage.get(object).map_or(0, |node| node.count(key));
    UsageReport {
        speed: usage.string("speed"),
        service_tier: usage.string("service_tier"),
        inference_geo: usage.string("inference_geo"),
        input: usage.count("input_tokens"),
        output: usage.count("output_tokens"),
        cache_read: usage.count("cache_read_input_tokens"),
        cache_total: usage.count("cache_creation_input_tokens"),
        cache_5m: inner("cache_creation", "ephemeral_5m_input_tokens"),
        cache_1h: inner("cache_creation", "ephemeral_1h_input_tokens"),
        web_search: inner("server_tool_use", "web_search_requests"),
        web_fetch: inner("server_tool_use", "web_fetch_requests"),
        ..UsageReport::default()
    }
}

/// The entries of `usage.iterations`, each with its position in the list. What is no object is no entry.
fn iterations(usage: &Node) -> Vec<(u64, UsageReport)> {
    let entries = usage.get("iterations").and_then(|entries| entries.items()).unwrap_or_default();
    let numbered = (0..).zip(entries).filter(|(_, entry)| entry.is_object());
    numbered
        .map(|(position, entry)| {
            let (model, kind, states) =
                (entry.string("model"), entry.string("type"), states(&entry));
            (position, UsageReport { model, kind, states, ..numbers(&entry) })
        })
        .collect()
}

/// Which of the compared numbers a `usage` object or an entry states.
fn states(usage: &Node) -> [bool; 4] {
    COMPARED.map(|key| usage.stated_count(key).is_some())
}

/// What the records of a call hold, if it is not finished and "all its records that state `output_tokens` state
/// the same number". `named` are the models that a `result` record names.
fn unfinished(
    ledger: &Ledger,
    group: &[&UsageReport],
    model: Option<&str>,
    named: &BTreeSet<String>,
) -> Option<Unstated> {
    let is_named = model.is_some_and(|model| named.contains(plain(model)));
    let is_finished = is_named || group.iter().any(|report| report.stops);
    let outputs: BTreeSet<u64> =
        group.iter().filter(|report| report.states[1]).map(|report| report.output).collect();
    let records: Vec<usize> = group.iter().map(|report| report.record).collect();
    (!is_finished && outputs.len() <= 1).then(|| unstated(ledger, &records))
}

/// "Its key is (message id, `requestId`)", and what stands for it where one is absent.
fn key(position: usize, report: &UsageReport, reports: &[UsageReport]) -> CallKey {
    match (&report.message, &report.request, &report.uuid) {
        (Some(message), Some(request), _) => {
            CallKey::Message(message.clone(), Some(request.clone()))
        }
        (Some(message), None, _) => {
            CallKey::Message(message.clone(), first_request(message, reports))
        }
        (None, Some(request), _) => CallKey::Request(request.clone()),
        (None, None, Some(uuid)) => CallKey::Uuid(uuid.clone()),
        (None, None, None) => CallKey::Alone(position),
    }
}

/// The request id of the first call with a message id: "a record without a request id belongs to the
/// first call in the ledger with its message id (and if it comes first, it is the start of the first
/// call that names a request id)".
fn first_request(message: &str, reports: &[UsageReport]) -> Option<String> {
    let mut of_message = reports.iter().filter(|report| report.message.as_deref() == Some(message));
    of_message.find_map(|report| report.request.clone())
}

/// "Where a message id occurs both outside and inside side chains, the calls seen only inside side
/// chains under that message id do not count: they are replays."
fn is_replay(
    key: &CallKey,
    group: &[&UsageReport],
    groups: &BTreeMap<CallKey, Vec<&UsageReport>>,
) -> bool {
    let CallKey::Message(message, _) = key else {
        return false;
    };
    let only_inside = |group: &[&UsageReport]| group.iter().all(|report| report.in_sidechain);
    only_inside(group)
        && groups
            .range(CallKey::Message(message.clone(), None)..)
            .take_while(|(key, _)| matches!(key, CallKey::Message(id, _) if id == message))
            .any(|(_, group)| !only_inside(group))
}

/// "Of each usage number the largest value over the call's records stands"; of each name "the last value
/// present". The date is the caller's to fill in: an entry has its call's.
fn call(iteration: Option<u64>, reports: &[&UsageReport]) -> ApiCall {
    let last = |name: fn(&UsageReport) -> &Option<String>| {
        reports.iter().rev().find_map(|report| name(report).clone())
    };
    ApiCall {
        iteration,
        date: None,
        model: last(|report| &report.model),
        speed: last(|report| &report.speed),
        service_tier: last(|report| &report.service_tier),
        inference_geo: last(|report| &report.inference_geo),
        tokens: tokens(reports),
        web_search_requests: largest(reports, |report| report.web_search),
        web_fetch_requests: largest(reports, |report| report.web_fetch),
        unstated: None,
        is_sum: false,
    }
}

/// The tokens of a call. "Cache writes: with 5m + 1h = s > 0, `cache_creation` is the larger of the total
/// and s, and what the total has above s is 5m; otherwise all of the total is 5m."
fn tokens(reports: &[&UsageReport]) -> Tokens {
    let total = largest(reports, |report| report.cache_total);
    let five_minutes = largest(reports, |report| report.cache_5m);
    let hour = largest(reports, |report| report.cache_1h);
    let parts = five_minutes + hour;
    Tokens {
        input: largest(reports, |report| report.input),
        output: largest(reports, |report| report.output),
        cache_creation: total.max(parts),
        cache_creation_5m: total.max(parts) - hour,
        cache_creation_1h: hour,
        cache_read: largest(reports, |report| report.cache_read),
    }
}

/// "`tokens` sums them", and what is unattributed.
pub(super) fn total(calls: &[ApiCall], unattributed: &[Unattributed]) -> Tokens {
    let beside = unattributed.iter().map(|it| it.tokens);
    Tokens::sum(calls.iter().map(|call| call.tokens).chain(beside))
}

/// The tokens of the calls without those out of iterations: what the naive sum is compared with.
pub(super) fn total_without_iterations(calls: &[ApiCall]) -> Tokens {
    let outer = calls.iter().filter(|call| call.iteration.is_none());
    Tokens::sum(outer.map(|call| call.tokens))
}

/// "`by_model` groups by the model name as written (absent: `unknown`)", with what is unattributed, "in no
/// call".
pub(super) fn by_model(
    calls: &[ApiCall],
    unattributed: &[Unattributed],
) -> BTreeMap<String, ModelTotals> {
    let name = |call: &ApiCall| call.model.clone().unwrap_or_else(|| UNNAMED_MODEL.to_owned());
    let of_calls = calls.iter().map(|call| (name(call), 1, call.tokens));
    let beside = unattributed.iter().map(|it| (it.model.clone(), 0, it.tokens));
    let mut models: BTreeMap<String, ModelTotals> = BTreeMap::new();
    for (model, calls, tokens) in of_calls.chain(beside) {
        let totals = models.entry(model).or_default();
        totals.calls += calls;
        totals.tokens = Tokens::sum([totals.tokens, tokens].into_iter());
    }
    models
}

/// "`fast_calls` are those with speed `fast`."
pub(super) fn fast_calls(calls: &[ApiCall]) -> u64 {
    calls.iter().filter(|call| call.is_fast()).count() as u64
}

/// "`over_200k_calls` have input + cache read + cache creation above 200,000."
pub(super) fn over_200k_calls(calls: &[ApiCall]) -> u64 {
    calls.iter().filter(|call| call.tokens.context() > LONG_CONTEXT).count() as u64
}
