//! A scoreboard as text for a terminal: where it comes from, what it found, how much it rests on.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rust_decimal::Decimal;

use crate::aggregate::{Aggregate, Group};
use crate::provenance::{Provenance, Spend};
use crate::schema::Scoreboard;
use crate::terminal::{dollars, escape, escape_short, fixed, short, table};
use crate::value::{IntervalOutcome, Undefined, Value};

/// How much to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShowOptions {
    /// Maximum aggregates to print.
    pub max_aggregates: usize,
    /// Maximum rows to print; none by default.
    pub max_rows: usize,
}

impl Default for ShowOptions {
    fn default() -> Self {
        Self { max_aggregates: 200, max_rows: 0 }
    }
}

/// Longest text printed from a row, in characters.
const MAX_TEXT: usize = 100;

/// The scoreboard as plain text, ending in a line feed. Whatever is left out is counted.
pub fn show(board: &Scoreboard, options: ShowOptions) -> String {
    let mut out = String::new();
    header(board, &mut out);
    aggregates(board, options.max_aggregates, &mut out);
    frequencies(board, &mut out);
    rows(board, options.max_rows, &mut out);
    out
}

fn header(board: &Scoreboard, out: &mut String) {
    let p = &board.provenance;
    line(out, "scoreboard", &format!("{} {} {}", p.instrument, p.date, board.short_id()));
    line(out, "command", &p.command.join(" "));
    let env = &p.environment;
    let machine = format!(
        "{} ({} build, rustc {}, {} {}, {} processors)",
        p.code_version, env.build, env.rustc, env.os, env.arch, env.cpus
    );
    line(out, "code", &machine);
    for corpus in &p.corpora {
        let manifest =
            corpus.manifest_sha256.as_deref().map_or("none", |h| h.get(..12).unwrap_or(h));
        let seeds = seeds(&corpus.seeds);
        line(out, "corpus", &format!("{} (manifest {manifest}, seeds {seeds})", corpus.id));
    }
    for (name, value) in &p.protocol {
        line(out, "protocol", &format!("{name} = {value}"));
    }
    for (name, renderer) in &p.renderers {
        line(out, "renderer", &format!("{name}: {renderer}"));
    }
    for (measure, grader) in &p.graders {
        line(out, "grader", &format!("{measure}: {grader}"));
    }
    optional(p, out);
    line(out, "spend", &spend(&p.spend));
    for note in &p.notes {
        line(out, "note", note);
    }
}

fn optional(p: &Provenance, out: &mut String) {
    if let Some(pack) = &p.question_pack {
        line(out, "questions", pack);
    }
    if let Some(a) = &p.answerer {
        let returned: Vec<String> =
            a.models_returned.iter().map(|(m, calls)| format!("{m} x{calls}")).collect();
        let returned = if returned.is_empty() { "none".to_owned() } else { returned.join(", ") };
        let text = format!("{}/{}, returned: {returned}", a.provider, a.model_asked);
        line(out, &format!("{:?}", a.role).to_lowercase(), &text);
    }
    if let Some(date) = p.price_table {
        line(out, "prices", &date.to_string());
    }
}

/// Runs of neighbouring seeds as ranges.
pub(crate) fn seeds(seeds: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &seed in seeds {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(seed) => *last = seed,
            _ => ranges.push((seed, seed)),
        }
    }
    let texts: Vec<String> = ranges
        .iter()
        .map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") })
        .collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

fn spend(spend: &Spend) -> String {
    if *spend == Spend::default() {
        return "nothing (no model was called)".to_owned();
    }
    let Spend { calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, .. } =
        spend;
    let mut text = format!(
        "{} over {calls} calls; tokens: {input_tokens} input, {output_tokens} output, \
         {cache_read_tokens} cache read, {cache_write_tokens} cache write",
        dollars(spend.dollars)
    );
    if spend.unpriced_tokens > 0 {
        let _ = write!(text, "; {} tokens have no price", spend.unpriced_tokens);
    }
    text
}

fn line(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "{name:<11} {}", escape(text));
}

fn aggregates(board: &Scoreboard, max: usize, out: &mut String) {
    if board.aggregates.is_empty() {
        out.push_str("\nno aggregates\n");
        return;
    }
    let mut lines = Vec::new();
    let mut group_before = None;
    for aggregate in by_group(&board.aggregates).into_iter().take(max) {
        let group = escape_short(&aggregate.spec.over.to_string(), MAX_TEXT);
        // A group is named once, where it starts.
        let repeated = group_before.as_ref() == Some(&group);
        lines.push(aggregate_line(aggregate, if repeated { String::new() } else { group.clone() }));
        group_before = Some(group);
    }
    out.push('\n');
    if !lines.is_empty() {
        let header = ["group", "aggregate", "value", "of", "interval", "n", "clusters", "missing"];
        let _ = writeln!(out, "{}", table(&header, &[2, 5, 6, 7], lines));
    }
    cut(out, max, board.aggregates.len(), "aggregates");
}

/// Groups in order of first appearance, each with its aggregates together.
fn by_group(aggregates: &[Aggregate]) -> Vec<&Aggregate> {
    let mut first: BTreeMap<&Group, usize> = BTreeMap::new();
    for (i, aggregate) in aggregates.iter().enumerate() {
        first.entry(&aggregate.spec.over).or_insert(i);
    }
    let mut ordered: Vec<&Aggregate> = aggregates.iter().collect();
    ordered.sort_by_key(|aggregate| first.get(&aggregate.spec.over));
    ordered
}

fn aggregate_line(aggregate: &Aggregate, group: String) -> Vec<String> {
    let Aggregate { spec, outcome } = aggregate;
    let mut name = escape(&spec.name);
    if !spec.pooled_across.is_empty() {
        let axes: Vec<&str> = spec.pooled_across.iter().map(|axis| axis.name()).collect();
        let _ = write!(name, " (pooled across {})", axes.join(", "));
    }
    let level = spec.interval.as_ref().map(crate::IntervalSpec::level);
    vec![
        group,
        name,
        value_text(&outcome.value),
        of_text(&outcome.value),
        outcome.shown_interval().map_or(String::new(), |i| interval_text(&i, level)),
        outcome.n.to_string(),
        outcome.clusters.map_or(String::new(), |n| n.to_string()),
        outcome.missing.to_string(),
    ]
}

/// A value in short. Its exact parts are beside it, from [`of_text`].
pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::Undefined(Undefined::NoRows) => "undefined (no rows)".to_owned(),
        Value::Undefined(Undefined::ZeroDenominator) => "undefined (of none)".to_owned(),
        Value::Frequencies { distinct, .. } => format!("{distinct} distinct"),
        Value::PerThousand { .. } => {
            value.decimal().map_or("out of range".to_owned(), |d| format!("{} per 1000", short(d)))
        }
        Value::Ratio { .. } => value.decimal().map_or("out of range".to_owned(), fixed),
        Value::Count(_) | Value::Number(_) => {
            value.decimal().map_or("out of range".to_owned(), short)
        }
    }
}

/// The two sums of a ratio.
pub(crate) fn of_text(value: &Value) -> String {
    match value {
        Value::Ratio { num, den } | Value::PerThousand { num, den } => {
            format!("{} of {}", short(*num), short(*den))
        }
        _ => String::new(),
    }
}

/// An interval with its level and method, or why there is no interval.
pub(crate) fn interval_text(interval: &IntervalOutcome, level: Option<Decimal>) -> String {
    match interval {
        IntervalOutcome::Bounds { lo, hi, method } => {
            let level = level
                .and_then(|l| l.checked_mul(Decimal::ONE_HUNDRED))
                .map_or(String::new(), |percent| format!("{}% ", percent.normalize()));
            format!("[{}, {}] {level}{method}", fixed(*lo), fixed(*hi))
        }
        IntervalOutcome::NotComputable(why) => why.to_string(),
    }
}

fn frequencies(board: &Scoreboard, out: &mut String) {
    for Aggregate { spec, outcome } in &board.aggregates {
        let Value::Frequencies { entries, distinct } = &outcome.value else { continue };
        let _ = writeln!(
            out,
            "\n{}: {} of {distinct} distinct values, {} rows",
            escape(&spec.title()),
            entries.len(),
            outcome.n
        );
        for (text, rows) in entries {
            let _ = writeln!(out, "{rows:>6}  {}", escape_short(text, MAX_TEXT));
        }
    }
}

fn rows(board: &Scoreboard, max: usize, out: &mut String) {
    let total = board.rows.len();
    let hash = board.rows_sha256.get(..12).unwrap_or(&board.rows_sha256);
    let _ = writeln!(out, "\n{total} rows (sha256 {})", escape(hash));
    for row in board.rows.iter().take(max) {
        let mut text = escape(&row.id);
        for (label, value) in &row.labels {
            let _ = write!(text, " {}={}", escape(label), escape_short(value, MAX_TEXT));
        }
        for (name, measure) in &row.measures {
            let value = match measure {
                crate::Measure::Text(text) => format!("\"{}\"", escape_short(text, MAX_TEXT)),
                crate::Measure::Missing { reason } => {
                    format!("missing ({})", escape_short(reason, MAX_TEXT))
                }
                number => number.number().map_or(String::new(), |d| d.normalize().to_string()),
            };
            let _ = write!(text, " {}:{value}", escape(name));
        }
        let _ = writeln!(out, "  {text}");
    }
    if max > 0 {
        cut(out, max, total, "rows");
    }
}

/// Says how many of how many were shown, where some were not.
pub(crate) fn cut(out: &mut String, shown: usize, total: usize, what: &str) {
    if shown < total {
        let _ = writeln!(out, "showing {shown} of {total} {what}");
    }
}
