//! Facts and their aggregates.
//!
//! `docs/DEFINITIONS.md`, "Facts".

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::calls::succeeded;
use super::event::Role;
use super::exact::Exact;
use super::json::canonical;
use super::parse::Json;
use super::tool_call::Call;
use super::turns::Turns;

/// A result that holds this is a preview.
const PREVIEW: &str = "<persisted-output>";

/// A value that holds one of these was cut by a tool.
const TRUNCATION_MARKERS: [&str; 4] = ["truncated]", "truncated)", "<truncated", "…"];

/// Maximum length of key and value, in characters, and maximum digits of a number.
const LONGEST_KEY: usize = 64;
const LONGEST_VALUE: usize = 200;
const MOST_DIGITS: usize = 28;

/// A `key = value` line of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The call's path, or `TOOL: INPUT`.
    pub source: String,
    /// The key.
    pub key: String,
    /// The line's number in the source, from 1.
    pub line: u64,
    /// The value as written, trimmed.
    pub value: String,
}

/// What the facts of one key come to, over all sources. The statistics are over the values that are
/// numbers, in the order of facts; none where no value is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aggregate {
    /// The number of facts.
    pub count: u64,
    /// The number of facts whose value is a number.
    pub numeric: u64,
    /// The exact sum.
    pub sum: Option<Exact>,
    /// The smallest number.
    pub min: Option<Exact>,
    /// The largest number.
    pub max: Option<Exact>,
    /// The last number.
    pub last: Option<Exact>,
    /// First minus second plus third and so on.
    pub alternating: Option<Exact>,
}

/// A fact that is known, in force or not.
#[derive(Debug, Clone)]
struct Known {
    fact: Fact,
    /// The turn to which it belongs.
    turn: usize,
}

/// The facts in force at the end of the run, in their order.
pub(super) fn facts(calls: &[Call], turns: &Turns) -> Vec<Fact> {
    let mut known = Vec::new();
    for call in in_order(calls) {
        if call.writes() {
            known.retain(|known: &Known| !call.event.paths.contains(&known.fact.source));
        } else if let Some((text, at)) = reading(&call) {
            let turn = turns.under_way(call.event.record);
            let in_force_then = turns.in_force_with(turns.under_way(at));
            read(&mut known, &call, text, turn, &in_force_then);
        }
    }
    let in_force = turns.in_force();
    known.into_iter().filter(|it| in_force.contains(&it.turn)).map(|it| it.fact).collect()
}

/// The succeeded calls of all threads, each at "the later of the call and its result".
fn in_order<'a>(calls: &[Call<'a>]) -> Vec<Call<'a>> {
    let mut calls: Vec<Call> = succeeded(calls).copied().collect();
    calls.sort_by_key(|call| call.result.map(|(at, _)| at.max(call.at)));
    calls
}

/// The result's text and its record, if the call is a reading: "a succeeded call of the main thread, where the
/// result comes after its call", and none of the exceptions holds.
fn reading<'a>(call: &'a Call) -> Option<(&'a str, usize)> {
    let (_, result) = call.result_in_main()?;
    let is_reading = call.event.role != Role::Searches && !result.text.contains(PREVIEW);
    is_reading.then_some((&result.text, result.record))
}

/// "The source is the call's path; for a call without one, `TOOL: INPUT`."
fn source(call: &Call) -> String {
    let input = || call.event.input.as_ref().map(canonical).unwrap_or_default();
    call.path().map_or_else(|| format!("{}: {}", call.tool(), input()), str::to_owned)
}

/// An integer of the call's input.
fn integer(call: &Call, key: &str) -> Option<i128> {
    call.event.input.as_ref()?.field(key).and_then(Json::integer)
}

/// "A reading of a source ... replaces what is known of that range." `turn` is the call's, and `in_force` are the
/// turns in force when the result came.
fn read(known: &mut Vec<Known>, call: &Call, text: &str, turn: usize, in_force: &BTreeSet<usize>) {
    let source = source(call);
    let lines = numbered_lines(text, integer(call, "offset").filter(|offset| *offset >= 1));
    let mut new: Vec<Fact> = lines
        .iter()
        .filter_map(|Line { number, text, .. }| {
            let (key, value) = key_and_value(text)?;
            let (key, value) = (key.to_owned(), value.to_owned());
            Some(Fact { source: source.clone(), key, line: *number, value })
        })
        .collect();
    new.sort_by_key(|fact| fact.line);
    let (first, last) = range(call, last_line_seen(&lines), &new);
    let in_range = |fact: &Fact| (first..=last).contains(&i128::from(fact.line));
    let is_old = |fact: &Fact| fact.source == source && in_range(fact);
    let mut known_there: Vec<usize> =
        (0..known.len()).filter(|&at| is_old(&known[at].fact)).collect();
    known_there.sort_by_key(|&at| known[at].fact.line);
    let mut by_key: BTreeMap<String, [Vec<usize>; 2]> = BTreeMap::new();
    for &at in &known_there {
        by_key.entry(known[at].fact.key.clone()).or_default()[0].push(at);
    }
    for (at, fact) in new.iter().enumerate() {
        by_key.entry(fact.key.clone()).or_default()[1].push(at);
    }
    let mut removed = BTreeSet::new();
    let mut added = vec![true; new.len()];
    for [old, fresh] in by_key.into_values() {
        for (&old, &fresh) in old.iter().zip(&fresh) {
            replace(&mut known[old], &new[fresh], turn, in_force);
            added[fresh] = false;
        }
        removed.extend(old.into_iter().skip(fresh.len()));
    }
    let kept = known.drain(..).enumerate().filter(|(at, _)| !removed.contains(at));
    let kept: Vec<Known> = kept.map(|(_, known)| known).collect();
    *known = kept;
    let added = new.into_iter().zip(added).filter(|(_, added)| *added);
    known.extend(added.map(|(fact, _)| Known { fact, turn }));
}

/// "Matched facts keep their place in the order of facts and take the new value and line", and go to the turn of
/// the reading if the "value changed or its own turn is not in force then".
fn replace(known: &mut Known, new: &Fact, turn: usize, in_force: &BTreeSet<usize>) {
    if known.fact.value != new.value || !in_force.contains(&known.turn) {
        known.turn = turn;
    }
    known.fact = new.clone();
}

/// "With an integer `offset` or `limit` in the call's input, lines `offset` (default 1) to the larger of
/// `offset + limit - 1` (no limit: unbounded) and the last line number seen; without them, all lines." "The
/// range is widened to every line on which the result states a fact."
fn range(call: &Call, last_line: u64, new: &[Fact]) -> (i128, i128) {
    let (asked_first, asked_last) = match (integer(call, "offset"), integer(call, "limit")) {
        (None, None) => (i128::MIN, i128::MAX),
        (Some(offset), None) => (offset, i128::MAX),
        (offset, Some(limit)) => {
            let offset = offset.unwrap_or(1);
            (offset, (offset + limit - 1).max(i128::from(last_line)))
        }
    };
    let stated = || new.iter().map(|fact| i128::from(fact.line));
    let first = stated().min().map_or(asked_first, |line| line.min(asked_first));
    let last = stated().max().map_or(asked_last, |line| line.max(asked_last));
    (first, last)
}

/// "The last line number seen: the largest number printed before a line; where none is printed, the number
/// of the last line that is not blank." Zero where all are.
fn last_line_seen(lines: &[Line]) -> u64 {
    let printed = lines.iter().filter(|line| line.is_printed).map(|line| line.number).max();
    let last_filled = || lines.iter().rfind(|line| !line.text.trim().is_empty());
    printed.or_else(|| last_filled().map(|line| line.number)).unwrap_or(0)
}

/// One line of a result.
struct Line<'a> {
    number: u64,
    /// Whether the number was printed before the line.
    is_printed: bool,
    text: &'a str,
}

/// "A line of a result: split at LF, a trailing CR dropped", each with its number.
fn numbered_lines(text: &str, offset: Option<i128>) -> Vec<Line<'_>> {
    let before = offset.and_then(|offset| u64::try_from(offset - 1).ok()).unwrap_or(0);
    (1..)
        .zip(text.split('\n'))
        .map(|(position, line)| {
            let line = line.strip_suffix('\r').unwrap_or(line);
            match printed_number(line) {
                Some((number, text)) => Line { number, is_printed: true, text },
                None => {
                    Line { number: before.saturating_add(position), is_printed: false, text: line }
                }
            }
        })
        .collect()
}

/// "If it starts with optional spaces, digits and then a TAB or `→`, the digits are its line number and
/// the rest is the line."
fn printed_number(line: &str) -> Option<(u64, &str)> {
    let line = line.trim_start_matches(' ');
    let (digits, after) = line.split_once(['\t', '→'])?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((digits.parse().ok()?, after))
}

/// "KEY, optional spaces and tabs, one `=`, VALUE."
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (left, value) = line.split_once('=')?;
    let key = left.trim_matches([' ', '\t']);
    let value_is_there = !value.starts_with(['=', '>', '~']);
    let value = value.trim();
    let is_cut = TRUNCATION_MARKERS.iter().any(|marker| value.contains(marker));
    let is_whole = !value.is_empty() && value.chars().count() <= LONGEST_VALUE && !is_cut;
    (is_key(key) && value_is_there && is_whole).then_some((key, value))
}

/// "KEY is an ASCII letter or `_`, then up to 63 more ASCII letters, digits, `_`, `.` or `-`."
fn is_key(key: &str) -> bool {
    let starts = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_part = |part: char| part.is_ascii_alphanumeric() || "_.-".contains(part);
    starts && key.len() <= LONGEST_KEY && key.chars().all(is_part)
}

/// "A value is a number if it is an optional sign, digits, and optionally a point and digits, at most 28
/// digits in all."
fn number(value: &str) -> Option<Exact> {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    Exact::parse(value).filter(|_| digits <= MOST_DIGITS)
}

/// The facts of each key, summed up.
pub(super) fn aggregates(facts: &[Fact]) -> BTreeMap<String, Aggregate> {
    let mut by_key: BTreeMap<String, Vec<&Fact>> = BTreeMap::new();
    for fact in facts {
        by_key.entry(fact.key.clone()).or_default().push(fact);
    }
    by_key.into_iter().map(|(key, facts)| (key, aggregate(&facts))).collect()
}

fn aggregate(of_key: &[&Fact]) -> Aggregate {
    let numbers: Vec<Exact> = of_key.iter().filter_map(|fact| number(&fact.value)).collect();
    let terms = (0..).zip(&numbers).map(|(place, number)| match place % 2 {
        0 => *number,
        _ => -*number,
    });
    let of_any = |sum: Exact| (!numbers.is_empty()).then_some(sum);
    Aggregate {
        count: of_key.len() as u64,
        numeric: numbers.len() as u64,
        sum: of_any(numbers.iter().copied().sum()),
        min: numbers.iter().min().copied(),
        max: numbers.iter().max().copied(),
        last: numbers.last().copied(),
        alternating: of_any(terms.sum()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_its_key_and_value() {
        let long_key = "k".repeat(64);
        for (line, expected) in [
            ("a=1", Some(("a", "1"))),
            (" \t_x.y-z \t= two words = three \r", Some(("_x.y-z", "two words = three"))),
            (&format!("{long_key}=1"), Some((long_key.as_str(), "1"))),
            ("k-=1", Some(("k-", "1"))),
        ] {
            assert_eq!(key_and_value(line), expected, "{line}");
        }
        let too_long = format!("a={}", "v".repeat(201));
        assert!(key_and_value(&too_long[..202]).is_some());
        for line in [
            "a==1",
            "a=>1",
            "a=~1",
            "a!=1",
            "a+=1",
            "1a=1",
            "a b=1",
            "é=1",
            "=1",
            "a=",
            "a= \t",
            "a",
            "a=x [truncated]",
            "a=(truncated)",
            "a=<truncated 3>",
            "a=x…",
            &too_long,
            &format!("{long_key}k=1"),
        ] {
            assert_eq!(key_and_value(line), None, "{line}");
        }
    }

    #[test]
    fn line_numbers_are_printed_or_counted() {
        let text = "  7\ta=1\n12→b=2\r\nc=3\n x\ty\n\td";
        let expected = vec![(7, "a=1"), (12, "b=2"), (12, "c=3"), (13, " x\ty"), (14, "\td")];
        let numbered = |text, offset| -> Vec<(u64, &str)> {
            let lines = numbered_lines(text, offset);
            lines.iter().map(|line| (line.number, line.text)).collect()
        };
        assert_eq!(numbered(text, Some(10)), expected);
        assert_eq!(numbered("a\n", None), vec![(1, "a"), (2, "")]);
    }

    #[test]
    fn the_last_line_seen_is_printed_or_not_blank() {
        let seen = |text, offset| last_line_seen(&numbered_lines(text, offset));
        assert_eq!(seen("a\nb\n \t\n\n", None), 2);
        assert_eq!(seen("a\n\nb\r\n\r\n", Some(10)), 12);
        assert_eq!(seen("  9\ta\n 12→b\n\n11\t\nfooter\n", Some(100)), 12);
        assert_eq!(seen("  9\t\n", None), 9, "printed before a blank line");
        assert_eq!(seen("\n \n", Some(10)), 0);
    }

    #[test]
    fn numbers_are_plain_decimals() {
        let text = |value| number(value).map(|number| number.to_string());
        assert_eq!(text("-1.50").as_deref(), Some("-1.5"));
        assert_eq!(text("+007").as_deref(), Some("7"));
        assert_eq!(text("-0.0").as_deref(), Some("0"));
        assert!(number(&"9".repeat(28)).is_some());
        assert!(number(&format!("0.{}", "1".repeat(27))).is_some());
        for value in [".5", "5.", "1e3", "1,000", "--1", "", "-", "1 2", "٣", &"9".repeat(29)] {
            assert_eq!(number(value), None, "{value}");
        }
    }
}
