//! A run for people: one paragraph of labelled lines. Every list says of how many it shows how many.

use std::cmp::Ordering;
use std::fmt::Write as _;

use rust_decimal::Decimal;
use scoreboards::escape;
use trace_model::fold::{Prompt, Spending, ToolTally};
use trace_model::pricing::Dollars;
use trace_model::run::Run;

use super::report::{AnomalyRow, Call, Report, TaskRow};
use crate::output::{count, duration, grouped, prose};

/// Characters shown of a prompt, a call's input, an error.
const PROSE: usize = 160;
/// Entries shown of a list.
const LISTED: usize = 8;
/// Width of the labels.
const LABEL: usize = 12;

/// The list that needs no mention.
const FIRST_PARTY: &str = "first-party list";

/// The run as text, ending in a line feed.
pub(super) fn render(run: &Run, report: &Report<'_>) -> String {
    let mut text = Text(format!("{}\n", escape(&report.session)));
    session(&mut text, report);
    requests(&mut text, report);
    taken_back(&mut text, report);
    spending(&mut text, report);
    tools(&mut text, report);
    files(&mut text, report);
    facts(&mut text, report);
    anomalies(&mut text, report);
    errors(&mut text, report);
    read(&mut text, run, report);
    oddities(&mut text, report);
    text.0
}

/// Labelled lines.
struct Text(String);

impl Text {
    fn line(&mut self, label: &str, value: &str) {
        let _ = writeln!(self.0, "  {label:<LABEL$}{value}"); // a String takes everything
    }

    /// Lines below one label; what is left out of a long list is counted.
    fn list(&mut self, label: &str, all: u64, lines: impl Iterator<Item = String>) {
        let mut label = label;
        let mut shown = 0;
        for line in lines.take(LISTED) {
            self.line(label, &line);
            label = "";
            shown += 1;
        }
        if shown < all {
            self.line("", &format!("[{shown} of {}]", grouped(all)));
        }
    }
}

fn session(text: &mut Text, report: &Report<'_>) {
    let identity = report.identity;
    let mut parts = Vec::new();
    let mut part = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            parts.push(format!("{name}{}", prose(value, None, PROSE)));
        }
    };
    part("", &identity.session);
    part("titled ", &identity.title);
    part("in ", &identity.cwd);
    part("on branch ", &identity.branch);
    part("model ", &identity.model);
    part("permission mode ", &identity.permission_mode);
    part("client ", &identity.client_version);
    if !parts.is_empty() {
        text.line("session", &parts.join(", "));
    }
    if let (Some(first), Some(last)) = (identity.first_time, identity.last_time) {
        let backward = match identity.backward_times {
            0 => String::new(),
            n => format!("; {} earlier than the one before", count(n, "record")),
        };
        let took = duration(last.0.saturating_sub(first.0));
        text.line("time", &format!("{first} to {last} ({took}){backward}"));
    }
    let histories = [
        ("folder", identity.cwd_since, identity.cwd_changes),
        ("branch", identity.branch_since, identity.branch_changes),
        ("model", identity.model_since, identity.model_changes),
        ("permission mode", identity.permission_mode_since, identity.permission_mode_changes),
    ];
    let changed = histories.iter().filter(|(.., changes)| *changes > 0);
    let changed = changed.filter_map(|(name, since, changes)| {
        Some(format!("{name} since event {} ({})", (*since)?, count(*changes, "change")))
    });
    let changed: Vec<String> = changed.collect();
    if !changed.is_empty() {
        text.line("changed", &changed.join(", "));
    }
    let totals = &report.totals;
    text.line(
        "turns",
        &[
            count(totals.prompts, "prompt"),
            count(totals.compactions, "compaction"),
            count(totals.subagents, "subagent"),
            count(totals.errors, "endpoint error"),
            format!("{} tried again", count(totals.retries, "request")),
        ]
        .join(", "),
    );
}

fn requests(text: &mut Text, report: &Report<'_>) {
    let shown = |prompt: &Prompt| prose(&prompt.text.text, Some(prompt.text.chars), PROSE);
    if let Some(goal) = report.goal {
        text.line("goal", &shown(goal));
    }
    if let Some(latest) = report.latest_request.filter(|_| report.totals.prompts > 1) {
        text.line("latest", &shown(latest));
    }
}

fn taken_back(text: &mut Text, report: &Report<'_>) {
    let turns = report.turns_taken_back.iter();
    let lines = turns.map(|turn| {
        let by = turn.taken_back_by.unwrap_or_default();
        let asked = prose(&turn.prompt.text, Some(turn.prompt.chars), PROSE);
        format!("turn {} (event {}) by turn {by}: {asked}", turn.number, turn.at)
    });
    text.list("taken back", report.totals.turns_taken_back, lines);
}

fn spending(text: &mut Text, report: &Report<'_>) {
    let totals = &report.totals;
    let tokens = totals.tokens;
    text.line(
        "api calls",
        &format!(
            "{}: {} input, {} output, {} cache write, {} cache read tokens",
            grouped(totals.calls),
            grouped(tokens.input),
            grouped(tokens.output),
            grouped(tokens.cache_creation),
            grouped(tokens.cache_read)
        ),
    );
    if let Some(factor) = &totals.naive_inflation {
        text.line(
            "",
            &format!(
                "each call counted once; counting every record would say {factor}x the tokens"
            ),
        );
    }
    if totals.unfinished_usage > 0 {
        let estimated = grouped(totals.estimated_output_tokens);
        let about = if totals.estimate_is_lower_bound { "at least" } else { "about" };
        text.line(
            "",
            &format!("estimated from what was written: {about} {estimated} output tokens"),
        );
    }
    let unattributed = totals.unattributed_tokens;
    let parts = [
        (unattributed.input, "input"),
        (unattributed.output, "output"),
        (unattributed.cache_creation, "cache write"),
        (unattributed.cache_read, "cache read"),
    ];
    let parts: Vec<String> = (parts.iter().filter(|(number, _)| *number > 0))
        .map(|(number, name)| format!("{} {name}", grouped(*number)))
        .collect();
    if !parts.is_empty() {
        let parts = parts.join(", ");
        text.line("", &format!("of these, {parts} tokens are in no call: the client's sums alone"));
    }
    text.line("cost", &cost(report));
    if let (Some(stated), Some(above)) = (totals.stated_cost_usd, totals.cost_above_stated_usd) {
        let difference = match above.cmp(&Decimal::ZERO) {
            Ordering::Equal => "the same".to_owned(),
            Ordering::Greater => format!("{} less", rounded(above)),
            Ordering::Less => format!("{} more", rounded(-above)),
        };
        text.line("", &format!("the client states {}, {difference}", rounded(stated)));
    }
    for (reason, tokens) in &totals.unpriced {
        let tokens = count(*tokens, "token");
        text.line("", &format!("unpriced, in no sum: {tokens} ({})", escape(reason)));
    }
    if let Some(recorded) = totals.recorded_cost_usd {
        let recorded = Dollars::new(recorded.round_dp(4));
        let calls = count(totals.recorded_cost_calls, "call");
        text.line("", &format!("the client itself recorded {recorded:.4} for {calls}"));
    }
    requests_listed(text, report);
    let models = report.spending_by_model.iter();
    let all = report.spending_by_model.len() as u64;
    text.list("models", all, models.map(|(model, spending)| model_line(report, model, spending)));
}

/// The cost: recorded, and, where some usage is unfinished, as a range.
fn cost(report: &Report<'_>) -> String {
    let totals = &report.totals;
    let prices = report.prices_of;
    let models = || report.spending_by_model.values();
    let nothing_priced = totals.calls > 0
        && models().all(|model| model.unpriced_calls == model.calls && model.dollars.is_zero());
    if nothing_priced {
        return format!("no price for any call at the prices of {prices}");
    }
    let recorded = rounded(totals.cost_usd);
    if !totals.cost_is_lower_bound {
        return format!("{recorded} at the prices of {prices}");
    }
    let about = if totals.estimate_is_lower_bound { "at least" } else { "about" };
    let estimated = rounded(totals.estimated_usd);
    format!(
        "at least {recorded} recorded; {about} {estimated} estimated ({} of {} have unfinished \
         usage), at the prices of {prices}",
        grouped(totals.unfinished_usage),
        count(totals.calls, "call"),
    )
}

/// Dollars to a hundredth of a cent.
fn rounded(dollars: Decimal) -> String {
    format!("{:.4}", Dollars::new(dollars.round_dp(4)))
}

/// What was odd about the lists of requests that calls were made of.
fn requests_listed(text: &mut Text, report: &Report<'_>) {
    let totals = &report.totals;
    for (kind, requests) in &totals.unknown_iterations {
        let requests = count(*requests, "request");
        let kind = prose(kind, None, PROSE);
        text.line("", &format!("{requests} of a type that this version does not know: {kind}"));
    }
    if totals.unreconciled_iterations == 0 {
        return;
    }
    let shown: Vec<String> =
        report.unreconciled_at.iter().take(LISTED).map(ToString::to_string).collect();
    let events = if shown.len() == 1 { "event" } else { "events" };
    let left = report.unreconciled_at.len() - shown.len();
    let more = if left > 0 { format!(" and {left} more") } else { String::new() };
    text.line(
        "",
        &format!(
            "{} whose list of requests does not fit the usage, which stands as recorded ({events} \
             {}{more})",
            count(totals.unreconciled_iterations, "call"),
            shown.join(", "),
        ),
    );
}

fn model_line(report: &Report<'_>, model: &str, spending: &Spending) -> String {
    let unpriced = spending.unpriced_calls == spending.calls && spending.dollars.is_zero();
    let dollars = if unpriced { "unpriced".to_owned() } else { rounded(spending.dollars) };
    let tokens = grouped(spending.tokens.total());
    let calls = count(spending.calls, "call");
    let list = report.priced_by.get(model).filter(|list| *list != FIRST_PARTY && !unpriced);
    let list = list.map_or_else(String::new, |list| format!(" ({list})"));
    format!("{}: {calls}, {tokens} tokens, {dollars}{list}", prose(model, None, PROSE))
}

fn tools(text: &mut Text, report: &Report<'_>) {
    let totals = &report.totals;
    let rare = [(totals.cancelled_calls, "cancelled"), (totals.abandoned_calls, "abandoned")];
    let rare = rare.iter().filter(|(calls, _)| *calls > 0);
    let rare: Vec<String> = rare.map(|(n, word)| format!(", {} {word}", grouped(*n))).collect();
    let rare = rare.concat();
    text.line(
        "tool calls",
        &format!(
            "{}: {} succeeded, {} failed, {} denied, {} interrupted{rare}, {} in flight",
            grouped(totals.tool_calls),
            grouped(totals.succeeded_calls),
            grouped(totals.failed_calls),
            grouped(totals.denied_calls),
            grouped(totals.interrupted_calls),
            grouped(totals.open_tool_calls)
        ),
    );
    let mut tools: Vec<(&String, &ToolTally)> = report.tools.iter().collect();
    tools.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.calls));
    let names = tools
        .iter()
        .take(LISTED)
        .map(|(name, tally)| format!("{} {}", prose(name, None, PROSE), grouped(tally.calls)));
    let mut line = names.collect::<Vec<_>>().join(", ");
    if tools.len() > LISTED {
        let _ = write!(line, " [{LISTED} of {} tools]", tools.len());
    }
    if !tools.is_empty() {
        text.line("", &line);
    }
    let all = report.in_flight.len() as u64;
    text.list("in flight", all, report.in_flight.iter().map(call_line));
    let all = report.abandoned.len() as u64;
    text.list("abandoned", all, report.abandoned.iter().map(call_line));
    let mut tasks: Vec<&TaskRow<'_>> = report.background_tasks.iter().collect();
    tasks.sort_by_key(|task| (task.ended_at.is_some(), std::cmp::Reverse(task.launched_at)));
    text.list("background", tasks.len() as u64, tasks.into_iter().map(task_line));
}

fn task_line(task: &TaskRow<'_>) -> String {
    let (word, time) = match task.ended_at {
        None => ("since", task.launched),
        Some(_) => ("at", task.ended),
    };
    let time = time.map_or_else(String::new, |time| format!(" {word} {time}"));
    let said = match task.summary.chars {
        0 => String::new(),
        chars => format!("; {}", prose(&task.summary.text, Some(chars), PROSE)),
    };
    format!(
        "{} {} {}{time}: {}{said}",
        task.kind.name(),
        prose(task.id, None, PROSE),
        task.state.name(),
        prose(&task.input.text, Some(task.input.chars), PROSE)
    )
}

fn call_line(call: &Call<'_>) -> String {
    let since = call.time.map_or_else(String::new, |time| format!(" since {time}"));
    format!(
        "{}{since}: {}",
        prose(call.tool, None, PROSE),
        prose(&call.input.text, Some(call.input.chars), PROSE)
    )
}

fn files(text: &mut Text, report: &Report<'_>) {
    let (read, written) = (report.files_read.len(), report.files_written.len());
    if read + written == 0 {
        return;
    }
    text.line(
        "files",
        &format!("{} read, {} written", grouped(read as u64), grouped(written as u64)),
    );
    let paths = report.files_written.keys().map(|path| prose(path, None, PROSE));
    text.list("written", written as u64, paths);
}

fn facts(text: &mut Text, report: &Report<'_>) {
    let keys = report.facts.aggregates.len() as u64;
    if keys > 0 {
        let facts = count(report.facts.in_force, "fact");
        text.line("facts", &format!("{facts} in force, of {}", count(keys, "key")));
    }
}

fn anomalies(text: &mut Text, report: &Report<'_>) {
    let anomalies = &report.anomalies;
    let active = anomalies.active.len() as u64;
    text.list("anomalies", active, anomalies.active.iter().map(|row| anomaly_line(row, "")));
    let over = anomalies.cleared.len() as u64 + anomalies.cleared_not_kept;
    let label = if active == 0 { "anomalies" } else { "" };
    let newest = anomalies.cleared.iter().rev();
    text.list(label, over, newest.map(|row| anomaly_line(row, ", over since")));
}

fn anomaly_line(row: &AnomalyRow<'_>, over: &str) -> String {
    let anomaly = row.anomaly;
    let cleared = anomaly.cleared_at.map_or(String::new(), |at| format!("{over} event {at}"));
    format!(
        "{}: {} (event {}{cleared})",
        anomaly.kind,
        prose(&row.message, None, PROSE),
        anomaly.raised_at
    )
}

fn errors(text: &mut Text, report: &Report<'_>) {
    if let Some(error) = report.failures.last_error {
        text.line("last error", &prose(&error.text, Some(error.chars), PROSE));
    }
}

fn read(text: &mut Text, run: &Run, report: &Report<'_>) {
    let all = &report.reading.all;
    text.line(
        "read",
        &format!(
            "{} bytes, {}, {}, {}",
            grouped(all.bytes),
            count(all.lines, "line"),
            count(all.records, "record"),
            count(run.state().observed().events, "event")
        ),
    );
    let files = &report.reading.files;
    if files.len() > 1 {
        let agents = files.len() as u64 - 1;
        let lines = files.iter().skip(1).map(|file| {
            format!("{} ({})", escape(&file.path), count(file.stats.records, "record"))
        });
        text.list("with", agents, lines);
    }
}

/// What was not as expected: nothing of it is lost silently.
fn oddities(text: &mut Text, report: &Report<'_>) {
    let (totals, all) = (&report.totals, &report.reading.all);
    let bad = report.reading.files.iter().flat_map(|file| {
        file.stats.bad.iter().map(|bad| {
            let why = if bad.too_long { "too long: passed over" } else { "not all JSON records" };
            let (line, offset) = (bad.at.line, bad.at.offset);
            let recovered = match u64::from(bad.recovered) {
                0 => String::new(),
                n => format!(", {} recovered", count(n, "record")),
            };
            format!("{}:{line} (byte {offset}): {why}{recovered}", escape(&file.path))
        })
    });
    text.list("bad lines", totals.bad_lines, bad);
    for file in report.reading.files.iter().filter(|file| file.stats.pending_bytes > 0) {
        let bytes = count(file.stats.pending_bytes, "byte");
        let path = escape(&file.path);
        text.line(
            "unfinished",
            &format!("the last {bytes} of {path} are no complete record (yet)"),
        );
    }
    let degraded: u64 = all.degraded_fields.len() as u64;
    let fields = all.degraded_fields.iter();
    text.list(
        "odd fields",
        degraded,
        fields.map(|(field, n)| {
            format!("{} of an unexpected type: {}", escape(field), count(*n, "time"))
        }),
    );
    let notes = [
        (totals.unknown, "event", " of a type that this version does not know"),
        (totals.duplicates, "event", " that repeat one seen before"),
        (totals.orphans, "record", " whose parent is nowhere in the run"),
        (totals.orphan_results, "result", " of a call that is nowhere in the run"),
        (totals.duplicate_results, "further result", " of a call that has one"),
        (totals.duplicate_calls, "further call", " of an id that has one"),
        (totals.late_results, "result", " after the call was interrupted"),
        (all.lossy_lines, "line", " not UTF-8, decoded lossily"),
        (all.repaired_lines, "line", " with half a surrogate pair or too large a number, replaced"),
    ];
    let odd: Vec<String> = notes
        .iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, noun, rest)| format!("{}{rest}", count(*number, noun)))
        .collect();
    for (at, line) in odd.iter().enumerate() {
        text.line(if at == 0 { "also" } else { "" }, line);
    }
}
