//! Which entries of `usage.iterations` the top level of a call's usage holds, and which are calls of their own.
//!
//! `docs/DEFINITIONS.md`, "API calls and tokens", the paragraphs on `usage.iterations`. Used by `api` only.

use std::collections::BTreeMap;

use super::usage_report::{UsageReport, has_numbers, largest};

/// The types whose entries are never of the answer.
const NEVER_OF_THE_ANSWER: [&str; 2] = ["compaction", "advisor_message"];

/// The types that the vendor's documentation names.
const KNOWN_TYPES: [&str; 4] = ["message", "compaction", "advisor_message", "fallback_message"];

/// How a call's entries split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct IterationSplit {
    /// The positions of the entries that are separate calls.
    pub(super) apart: Vec<u64>,
    /// Whether it cannot be told which of them the top level holds.
    pub(super) is_unreconciled: bool,
    /// The types of those of an unknown type, in order; empty for an absent one.
    pub(super) unknown: Vec<String>,
}

/// The four numbers of an entry or of a call that are compared.
type Numbers = [u64; 4];

/// Decides over the entries of a call, each given by what the call's records say of it. `model` is the call's.
pub(super) fn split_iterations(
    call: &[&UsageReport],
    model: Option<&str>,
    entries: &BTreeMap<u64, Vec<&UsageReport>>,
) -> IterationSplit {
    let of_answer: Vec<u64> = entries
        .iter()
        .filter(|(_, entry)| is_of_the_answer(entry, model))
        .map(|(position, _)| *position)
        .collect();
    let answers: Vec<&[&UsageReport]> =
        of_answer.iter().map(|position| entries[position].as_slice()).collect();
    let compared = stated_by_any(&answers);
    let is_top = |found: Numbers| {
        let top = numbers(call);
        (0..found.len()).all(|at| !compared[at] || found[at] == top[at])
    };
    let all = answers.iter().map(|entry| numbers(entry)).fold(Numbers::default(), sum);
    let last = answers.last().map(|entry| numbers(entry));
    let (held, is_unreconciled) = if is_top(all) {
        (of_answer, false)
    } else if last.is_some_and(is_top) {
        (of_answer.last().copied().into_iter().collect(), false)
    } else {
        (of_answer, true)
    };
    let is_apart = |position: &u64| !held.contains(position) && has_numbers(&entries[position]);
    IterationSplit {
        apart: entries.keys().copied().filter(is_apart).collect(),
        is_unreconciled,
        unknown: entries.values().filter_map(|entry| unknown_type(entry)).collect(),
    }
}

/// "An entry is of the answer if its `type` is neither `compaction` nor `advisor_message` and its `model` is
/// absent or the call's."
fn is_of_the_answer(entry: &[&UsageReport], model: Option<&str>) -> bool {
    let kind = last(entry, |report| report.kind.as_deref());
    let own_model = last(entry, |report| report.model.as_deref());
    kind.is_none_or(|kind| !NEVER_OF_THE_ANSWER.contains(&kind))
        && own_model.is_none_or(|own| Some(own) == model)
}

fn unknown_type(entry: &[&UsageReport]) -> Option<String> {
    let kind = last(entry, |report| report.kind.as_deref()).unwrap_or_default();
    (!KNOWN_TYPES.contains(&kind)).then(|| kind.to_owned())
}

fn last<'a>(
    entry: &[&'a UsageReport],
    name: impl Fn(&'a UsageReport) -> Option<&'a str>,
) -> Option<&'a str> {
    entry.iter().rev().find_map(|report| name(report))
}

/// "Of each entry, too, the largest value of each number over the call's records."
fn numbers(reports: &[&UsageReport]) -> Numbers {
    [
        largest(reports, |report| report.input),
        largest(reports, |report| report.output),
        largest(reports, |report| report.cache_read),
        largest(reports, |report| report.cache_total),
    ]
}

fn sum(left: Numbers, right: Numbers) -> Numbers {
    std::array::from_fn(|at| left[at] + right[at])
}

/// Which numbers any of these entries states.
fn stated_by_any(entries: &[&[&UsageReport]]) -> [bool; 4] {
    let reports = || entries.iter().copied().flatten();
    std::array::from_fn(|at| reports().any(|report| report.states[at]))
}
