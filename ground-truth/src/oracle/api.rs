//! API calls and their tokens.
//!
//! `docs/DEFINITIONS.md`, "API calls and tokens".

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

use super::estimate::{Unstated, unstated};
use super::iterations::{Shares, shares};
use super::json::Node;
use super::ledger::Ledger;
use super::stated::{Unattributed, named_models, plain};

/// The numbers by which an entry of iterations is compared with its call.
const COMPARED: [&str; 4] =
    ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];

/// The name under which calls without a model are grouped.
const UNNAMED_MODEL: &str = "unknown";

/// A call whose context is above this is one of `over_200k_calls`.
const LONG_CONTEXT: u64 = 200_000;

/// Token counts, by class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Input that was neither read from nor written to the cache.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input written to the cache: the 5-minute and the 1-hour part together.
    pub cache_creation: u64,
    /// Input written to the cache for five minutes.
    pub cache_creation_5m: u64,
    /// Input written to the cache for an hour.
    pub cache_creation_1h: u64,
    /// Input read from the cache.
    pub cache_read: u64,
}

impl Tokens {
    /// All tokens: input, output, cache creation and cache read.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_creation + self.cache_read
    }

    /// What the model was given: input, cache creation and cache read.
    #[must_use]
    pub fn context(&self) -> u64 {
        self.input + self.cache_creation + self.cache_read
    }

    /// The class-by-class sum.
    pub(super) fn sum(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            input: sum.input + part.input,
            output: sum.output + part.output,
            cache_creation: sum.cache_creation + part.cache_creation,
            cache_creation_5m: sum.cache_creation_5m + part.cache_creation_5m,
            cache_creation_1h: sum.cache_creation_1h + part.cache_creation_1h,
            cache_read: sum.cache_read + part.cache_read,
        })
    }
}

/// One API call with its final values: the largest of each number, the last of each name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiCall {
    /// For a call out of `usage.iterations`, its position in that list.
    pub iteration: Option<u64>,
    /// The day, in UTC and as `YYYY-MM-DD`, of the call's first record that states a time.
    pub date: Option<String>,
    /// The model's name as written.
    pub model: Option<String>,
    /// `usage.speed`.
    pub speed: Option<String>,
    /// `usage.service_tier`.
    pub service_tier: Option<String>,
    /// `usage.inference_geo`.
    pub inference_geo: Option<String>,
    /// The tokens.
    pub tokens: Tokens,
    /// Web searches made by the server.
    pub web_search_requests: u64,
    /// Web pages fetched by the server.
    pub web_fetch_requests: u64,
    /// For a call that is not finished, and whose records state one number of output tokens at most: what they
    /// hold. None for a call out of iterations.
    pub unstated: Option<Unstated>,
    /// Whether it stands for several calls that no record tells apart: it has no long context then.
    pub is_sum: bool,
}

impl ApiCall {
    /// Whether the call was made in fast mode.
    #[must_use]
    pub fn is_fast(&self) -> bool {
        self.speed.as_deref() == Some("fast")
    }
}

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

/// The calls of one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelTotals {
    /// The number of calls.
    pub calls: u64,
    /// Their tokens.
    pub tokens: Tokens,
}

/// One record's report of a call, or one entry of its `usage.iterations`.
#[derive(Debug, Clone, Default)]
pub(super) struct Report {
    /// The record's position in the ledger.
    record: usize,
    /// Whether it has a `stop_reason`.
    stops: bool,
    message: Option<String>,
    request: Option<String>,
    uuid: Option<String>,
    in_sidechain: bool,
    date: Option<String>,
    pub(super) model: Option<String>,
    speed: Option<String>,
    service_tier: Option<String>,
    inference_geo: Option<String>,
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_total: u64,
    cache_5m: u64,
    cache_1h: u64,
    web_search: u64,
    web_fetch: u64,
    /// Of an entry: its type.
    pub(super) kind: Option<String>,
    /// Whether the usage or the entry states the input, output, cache reads and cache writes.
    pub(super) states: [bool; 4],
    /// The entries of `usage.iterations`, with their positions in the list.
    iterations: Vec<(u64, Report)>,
}

/// What makes two reports one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
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
    let mut groups: BTreeMap<Key, Vec<&Report>> = BTreeMap::new();
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
        let mut entries: BTreeMap<u64, Vec<&Report>> = BTreeMap::new();
        for (position, entry) in group.iter().flat_map(|report| &report.iterations) {
            entries.entry(*position).or_default().push(entry);
        }
        let Shares { apart, is_unreconciled, unknown } =
            shares(group, whole.model.as_deref(), &entries);
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
fn reports(ledger: &Ledger) -> Vec<Report> {
    let mut reports = Vec::new();
    for (position, record) in ledger.records.iter().enumerate() {
        if !record.reports_call() {
            continue;
        }
        let node = record.node();
        let message = node.get("message");
        let usage = message.as_ref().and_then(|message| message.get("usage"));
        let stop_reason = message.as_ref().and_then(|message| message.get("stop_reason"));
        reports.push(Report {
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

/// The day, in UTC, of an RFC 3339 time or of a number: "milliseconds since 1970, or seconds where it is
/// below 10^11".
pub(super) fn day(time: &str) -> Option<String> {
    let time = match time.parse::<i64>() {
        Ok(seconds) if seconds.unsigned_abs() < 100_000_000_000 => Timestamp::from_second(seconds),
        Ok(millis) => Timestamp::from_millisecond(millis),
        Err(_) => time.parse(),
    };
    let time = time.ok()?;
    Some(Offset::UTC.to_datetime(time).date().to_string())
}

/// The numbers and names of a `usage` object or of an entry of its iterations.
fn numbers(usage: &Node) -> Report {
    let inner = |object, key| usage.get(object).map_or(0, |node| node.count(key));
    Report {
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
        ..Report::default()
    }
}

/// The entries of `usage.iterations`, each with its position in the list. What is no object is no entry.
fn iterations(usage: &Node) -> Vec<(u64, Report)> {
    let entries = usage.get("iterations").and_then(|entries| entries.items()).unwrap_or_default();
    let numbered = (0..).zip(entries).filter(|(_, entry)| entry.is_object());
    numbered
        .map(|(position, entry)| {
            let (model, kind, states) =
                (entry.string("model"), entry.string("type"), states(&entry));
            (position, Report { model, kind, states, ..numbers(&entry) })
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
    group: &[&Report],
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
fn key(position: usize, report: &Report, reports: &[Report]) -> Key {
    match (&report.message, &report.request, &report.uuid) {
        (Some(message), Some(request), _) => Key::Message(message.clone(), Some(request.clone())),
        (Some(message), None, _) => Key::Message(message.clone(), first_request(message, reports)),
        (None, Some(request), _) => Key::Request(request.clone()),
        (None, None, Some(uuid)) => Key::Uuid(uuid.clone()),
        (None, None, None) => Key::Alone(position),
    }
}

/// The request id of the first call with a message id: "a record without a request id belongs to the
/// first call in the ledger with its message id (and if it comes first, it is the start of the first
/// call that names a request id)".
fn first_request(message: &str, reports: &[Report]) -> Option<String> {
    let mut of_message = reports.iter().filter(|report| report.message.as_deref() == Some(message));
    of_message.find_map(|report| report.request.clone())
}

/// "Where a message id occurs both outside and inside side chains, the calls seen only inside side
/// chains under that message id do not count: they are replays."
fn is_replay(key: &Key, group: &[&Report], groups: &BTreeMap<Key, Vec<&Report>>) -> bool {
    let Key::Message(message, _) = key else {
        return false;
    };
    let only_inside = |group: &[&Report]| group.iter().all(|report| report.in_sidechain);
    only_inside(group)
        && groups
            .range(Key::Message(message.clone(), None)..)
            .take_while(|(key, _)| matches!(key, Key::Message(id, _) if id == message))
            .any(|(_, group)| !only_inside(group))
}

/// "Of each usage number the largest value over the call's records stands"; of each name "the last value
/// present". The date is the caller's to fill in: an entry has its call's.
fn call(iteration: Option<u64>, reports: &[&Report]) -> ApiCall {
    let last = |name: fn(&Report) -> &Option<String>| {
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
fn tokens(reports: &[&Report]) -> Tokens {
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

pub(super) fn largest(reports: &[&Report], number: fn(&Report) -> u64) -> u64 {
    reports.iter().map(|report| number(report)).max().unwrap_or(0)
}

/// Whether an entry of iterations "has a number above zero".
pub(super) fn has_numbers(reports: &[&Report]) -> bool {
    reports.iter().any(|it| {
        let cache = it.cache_read + it.cache_total + it.cache_5m + it.cache_1h;
        it.input + it.output + cache + it.web_search + it.web_fetch > 0
    })
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
