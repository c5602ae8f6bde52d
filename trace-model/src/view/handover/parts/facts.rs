//! Facts that tools stated, and what they add up to.
//!
//! An assignment in a source file is no statement of a tool: facts of files with such a name, and values that read as
//! code, are left out; so is what a subagent wrote. An aggregate over fewer than two numbers says nothing that its fact does not.

use std::fmt::Write as _;

use super::Scope;
use crate::fold::{Aggregate, RunState, ShownFact, Statistic};
use crate::text::{one_line, verbatim};
use crate::view::handover::part::Part;
use crate::view::handover::worth;
use crate::view::worker::describe_aggregate;

/// Names of source files end so: what stands in them assigns, and does not state.
const SOURCE_CODE: [&str; 34] = [
    "rs", "go", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "java", "kt", "kts", "scala",
    "swift", "c", "h", "cc", "cpp", "cxx", "hpp", "cs", "rb", "php", "pl", "lua", "r", "jl", "sh",
    "bash", "zsh", "fish", "ps1", "sql", "vue",
];

/// Aggregates that are shown where the task declared no statistic: sums of whatever carried one key.
const UNDECLARED: usize = 12;

/// Facts of one reading shown as one item.
const TOGETHER: usize = 8;

/// The facts that are shown.
pub(super) fn stated(state: &RunState, scope: Scope) -> Vec<ShownFact<'_>> {
    let facts = state.shown_facts().into_iter();
    facts.filter(|fact| scope.shows(fact.read_at) && is_stated(state, fact)).collect()
}

pub(super) fn add<'a>(
    parts: &mut Vec<Part<'a>>,
    state: &'a RunState,
    scope: Scope,
    stated: &[ShownFact<'a>],
) {
    if scope.variant.has_aggregates() {
        parts.push(aggregates(state, scope));
    }
    parts.push(facts(stated));
}

fn is_stated(state: &RunState, fact: &ShownFact<'_>) -> bool {
    let file_name = fact.source.rsplit('/').next().unwrap_or(fact.source);
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension);
    let of_subagent = || {
        let mut launches = state.handover().launches().iter();
        launches.any(|launch| {
            fact.source
                .strip_prefix(launch.tool.as_str())
                .is_some_and(|rest| rest.starts_with(": "))
        })
    };
    !extension.is_some_and(|extension| SOURCE_CODE.contains(&extension))
        && !reads_as_code(fact.value)
        && !of_subagent()
}

/// Whether a value is an expression or a statement rather than a value.
fn reads_as_code(value: &str) -> bool {
    let quoted =
        value.len() > 1 && ['"', '\''].iter().any(|q| value.starts_with(*q) && value.ends_with(*q));
    !quoted
        && (value.ends_with([';', ',', '{', '(', '[', '\\'])
            || (value.contains('(') && value.contains(')'))
            || value.contains(" // ")
            || is_member(value))
}

/// Whether a value is a variable's member, such as `state.BaseCommit`: names of code joined by dots, the last of which
/// no file's ending is.
fn is_member(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    value.rsplit_once('.').is_some_and(|(before, last)| {
        before.split('.').all(is_name)
            && is_name(last)
            && (last.contains('_') || last.bytes().any(|byte| byte.is_ascii_uppercase()))
    })
}

fn aggregates(state: &RunState, scope: Scope) -> Part<'_> {
    let declared = state
        .config()
        .facts
        .statistics
        .iter()
        .any(|statistic| !matches!(statistic, Statistic::Count | Statistic::Sum));
    let mut aggregates = state.aggregates();
    aggregates.retain(|aggregate| {
        scope.shows(aggregate.latest_at)
            && (aggregate.numeric >= 2 || (declared && aggregate.numeric > 0))
    });
    // Keys that have lost facts from view first: their aggregate is all that is left of them.
    aggregates.sort_by_key(|a| {
        let hidden = a.facts + a.untracked - a.shown;
        (std::cmp::Reverse(hidden > 0), std::cmp::Reverse(a.numeric), a.key)
    });
    let total = aggregates.len() as u64;
    let variant = scope.variant;
    let most = if declared { usize::MAX } else { UNDECLARED };
    let lines = aggregates.into_iter().take(most).map(move |aggregate: Aggregate<'_>| {
        format!("- {}", describe_aggregate(&aggregate, variant))
    });
    Part::lines(&worth::AGGREGATES, total, " keys with two numbers or more, exact", lines)
}

fn facts<'a>(stated: &[ShownFact<'a>]) -> Part<'a> {
    let total = stated.len() as u64;
    let readings: Vec<Vec<ShownFact<'a>>> = stated
        .chunk_by(|one, next| (one.source, one.read_at) == (next.source, next.read_at))
        .flat_map(|reading| reading.chunks(TOGETHER).map(<[_]>::to_vec))
        .collect();
    let items = readings.into_iter().rev().map(|reading| reading_lines(&reading));
    Part::lines(&worth::FACTS, total, ", key = value lines of results, last read last", items)
        .counting(|item| item.lines().count().saturating_sub(1) as u64)
        .reversed()
}

fn reading_lines(reading: &[ShownFact<'_>]) -> String {
    let mut text = String::new();
    if let Some(fact) = reading.first() {
        let _ = write!(text, "- {} (event {}):", one_line(fact.source, 200, None), fact.read_at);
    }
    for ShownFact { key, line, value, .. } in reading {
        let _ = write!(text, "\n  {line}: {key} = {}", verbatim(value));
    }
    text
}
