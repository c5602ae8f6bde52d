//! API calls and their tokens.
//!
//! `docs/formats/codex.md`, "API calls and tokens".

use std::collections::BTreeMap;

use super::super::api_call::{ApiCall, Tokens};
use super::super::date::day;
use super::super::json::Node;
use super::ledger::Ledger;
use super::record::{Record, id_of};

/// The four numbers of a usage: input, cached input, cache writes, output.
type Usage = [u64; 4];

/// What a record says of a call.
#[derive(Debug, Clone, Default)]
struct Report {
    /// The record's position.
    record: usize,
    usage: Usage,
    model: Option<String>,
    date: Option<String>,
    response: Option<String>,
    /// Whether a call that was counted is stated again.
    is_repeat: bool,
}

impl Report {
    fn at(at: usize, record: &Record) -> Self {
        let date = record.timestamp().and_then(|time| day(&time));
        Self { record: at, date, ..Self::default() }
    }
}

/// The usage of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct RunUsage {
    pub(super) calls: Vec<ApiCall>,
    /// The sum over all records that report a call or repeat one.
    pub(super) naive: Tokens,
    /// The model that each record names which is a call or repeats one, by the record's position.
    pub(super) models: BTreeMap<usize, Option<String>>,
}

/// Counts the calls of all files.
pub(super) fn calls(ledger: &Ledger) -> RunUsage {
    let files = ledger.records.iter().map(|record| record.file).max().map_or(0, |last| last + 1);
    let reports: Vec<Report> = (0..files).flat_map(|file| reports(ledger, file)).collect();
    // By the position of the first record of each.
    let mut groups: Vec<Vec<&Report>> = Vec::new();
    for report in reports.iter().filter(|report| !report.is_repeat) {
        let same = groups
            .iter_mut()
            .find(|group| report.response.is_some() && group[0].response == report.response);
        match same {
            Some(group) => group.push(report),
            None => groups.push(vec![report]),
        }
    }
    RunUsage {
        calls: groups.iter().map(|group| call(group)).collect(),
        naive: Tokens::sum(reports.iter().map(|report| tokens(report.usage))),
        models: reports.iter().map(|report| (report.record, report.model.clone())).collect(),
    }
}

/// "Of several with one id [...] the largest value of each number stands."
fn call(group: &[&Report]) -> ApiCall {
    let usage = std::array::from_fn(|at| group.iter().map(|it| it.usage[at]).max().unwrap_or(0));
    ApiCall {
        date: group.iter().find_map(|report| report.date.clone()),
        model: group.iter().rev().find_map(|report| report.model.clone()),
        tokens: tokens(usage),
        ..ApiCall::default()
    }
}

/// "Cache read is the smaller of c and i; cache creation the smaller of w and i - cache read, all of it 5m."
fn tokens([input, cached, written, output]: Usage) -> Tokens {
    let cache_read = cached.min(input);
    let cache_creation = written.min(input - cache_read);
    Tokens {
        input: input - cache_read - cache_creation,
        output,
        cache_creation,
        cache_creation_5m: cache_creation,
        cache_creation_1h: 0,
        cache_read,
    }
}

fn usage(node: &Node) -> Usage {
    ["input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens"]
        .map(|key| node.count(key))
}

fn is_empty(usage: Usage) -> bool {
    usage == Usage::default()
}

/// What the records of one file report.
fn reports(ledger: &Ledger, file: usize) -> Vec<Report> {
    let own: Vec<Record> =
        ledger.records.iter().filter(|record| record.file == file).cloned().collect();
    let first = ledger.records.iter().position(|record| record.file == file).unwrap_or(0);
    let mut scan = FileScan { thread: id_of(&own), ..FileScan::default() };
    for (at, record) in (first..).zip(&own) {
        scan.read(at, record);
    }
    scan.reports
}

/// What is known of a file while its records are read.
#[derive(Debug, Default)]
struct FileScan {
    thread: Option<String>,
    model: Option<String>,
    /// The totals seen last.
    base: Usage,
    is_base_broken: bool,
    /// The usage and model of the last call that a `token_count` was.
    last: Option<(Usage, Option<String>)>,
    /// Whether a `token_usage_record` came.
    has_records: bool,
    reports: Vec<Report>,
}

impl FileScan {
    fn read(&mut self, at: usize, record: &Record) {
        match record.kind().as_str() {
            "turn_context" => self.model = record.id("model").or(self.model.take()),
            "token_usage_record" if record.is_own() => self.usage_record(at, record),
            "event_msg" if record.payload_kind() == "token_count" => self.token_count(at, record),
            _ => {}
        }
    }

    fn token_count(&mut self, at: usize, record: &Record) {
        let Some(info) = record.payload().and_then(|payload| payload.get("info")) else { return };
        let part = |key| info.get(key).filter(Node::is_object);
        let total = part("total_token_usage");
        let last = part("last_token_usage").map(|last| usage(&last));
        let Some(total) = total.filter(|_| info.is_object()) else {
            if info.is_object() {
                self.counted(at, record, last);
            }
            return;
        };
        let all = usage(&total);
        if is_empty(all) && total.count("total_tokens") > 0 {
            self.is_base_broken = true;
            return;
        }
        let is_below = all.iter().zip(self.base).any(|(now, before)| *now < before);
        let stated = if all == self.base {
            None
        } else if self.is_base_broken || is_below {
            Some(last.unwrap_or(all))
        } else {
            Some(std::array::from_fn(|class| all[class] - self.base[class]))
        };
        let is_repeat = all == self.base && !is_empty(all);
        self.base = all;
        self.is_base_broken = false;
        if is_repeat {
            self.repeated(at, record);
        } else {
            self.counted(at, record, stated);
        }
    }

    /// An own record whose usage is neither none nor empty is a call.
    fn counted(&mut self, at: usize, record: &Record, stated: Option<Usage>) {
        let stated = stated.filter(|usage| !is_empty(*usage));
        let counts = record.is_own() && !self.has_records;
        if let Some(usage) = stated.filter(|_| counts) {
            self.last = Some((usage, self.model.clone()));
            let model = self.model.clone();
            self.reports.push(Report { usage, model, ..Report::at(at, record) });
        }
    }

    /// The record repeats the last call that a `token_count` of the file was.
    fn repeated(&mut self, at: usize, record: &Record) {
        let counts = record.is_own() && !self.has_records;
        if let Some((usage, model)) = self.last.clone().filter(|_| counts) {
            self.reports.push(Report { usage, model, is_repeat: true, ..Report::at(at, record) });
        }
    }

    fn usage_record(&mut self, at: usize, record: &Record) {
        let of_thread = record.id("thread_id").is_none_or(|id| Some(id) == self.thread);
        let stated = record.payload().and_then(|it| it.get("usage")).filter(Node::is_object);
        let stated = stated.map(|stated| usage(&stated)).filter(|usage| !is_empty(*usage));
        let Some(stated) = stated.filter(|_| of_thread) else { return };
        let is_first = !self.has_records;
        self.has_records = true;
        let repeated = self.last.clone().filter(|(last, _)| is_first && *last == stated);
        let is_repeat = repeated.is_some();
        let model = repeated.map_or_else(|| self.model.clone(), |(_, model)| model);
        let response = record.id("response_id");
        let report = Report { usage: stated, model, response, is_repeat, ..Report::at(at, record) };
        self.reports.push(report);
    }
}
