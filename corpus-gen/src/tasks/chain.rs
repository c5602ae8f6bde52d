//! chain and altchain: each file holds a delta and the next file's path.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{Check, Link, Statistic};
use super::places::{paths, word};
use super::spec::{Family, TaskSpec, Tool};
use super::{ANSWER_FILE, ANSWER_KEY, Task};
use crate::rng::Draw;

/// What a link's value is called.
pub(super) const DELTA: &str = "delta";
/// The minimum and maximum delta: two digits each, few enough that values repeat across files.
const DELTAS: (u64, u64) = (11, 99);

pub(super) fn task(spec: TaskSpec) -> Task {
    let alternating = spec.family == Family::AltChain;
    let values = values(spec, alternating);
    let paths = paths(&mut spec.draw("paths"), "records", "txt", values.len());
    let mut titles = spec.draw("titles");
    let mut files = BTreeMap::new();
    for (at, (path, value)) in paths.iter().zip(&values).enumerate() {
        let next = paths.get(at + 1).map_or("end", String::as_str);
        let title = format!("# {} {}", word(&mut titles), word(&mut titles));
        files.insert(path.clone(), format!("{title}\n{DELTA} = {value}\nnext = {next}\n"));
    }
    let statistic = if alternating {
        Statistic::AlternatingSum { key: DELTA }
    } else {
        Statistic::Sum { key: DELTA }
    };
    Task {
        goal: goal(alternating, &paths[0]),
        files,
        disabled: disabled(),
        statistic,
        check: Check::Total {
            path: ANSWER_FILE.to_owned(),
            prefixes: prefixes(&values, alternating),
        },
        links: links(&paths, &values, |_| DELTA),
        spec,
    }
}

/// What no chain allows: both would show every file at once, and with them the chain's end.
pub(super) fn disabled() -> BTreeSet<Tool> {
    BTreeSet::from([Tool::ListFiles, Tool::Search])
}

pub(super) fn links<'a>(
    paths: &[String],
    values: &[i64],
    key: impl Fn(usize) -> &'a str,
) -> Vec<Link> {
    (paths.iter().zip(values).enumerate())
        .map(|(at, (path, value))| Link {
            path: path.clone(),
            key: key(at).to_owned(),
            value: *value,
        })
        .collect()
}

/// One value a link, such that all prefixes' statistics differ from one another and from 0.
pub(super) fn values(spec: TaskSpec, alternating: bool) -> Vec<i64> {
    let mut draw = spec.draw("values");
    let mut seen = BTreeSet::from([0]);
    let mut sum = 0;
    let mut greatest = DELTAS.1;
    (0..spec.horizon)
        .map(|at| {
            let sign = if alternating && at % 2 == 1 { -1 } else { 1 };
            loop {
                for _ in 0..64 {
                    let value = value(&mut draw, greatest);
                    if seen.insert(sum + sign * value) {
                        sum += sign * value;
                        return value;
                    }
                }
                // The sums in reach are taken: reach further.
                greatest *= 2;
            }
        })
        .collect()
}

fn value(draw: &mut Draw, greatest: u64) -> i64 {
    i64::try_from(draw.between(DELTAS.0, greatest)).unwrap_or(i64::MAX)
}

pub(super) fn prefixes(values: &[i64], alternating: bool) -> Vec<i64> {
    let mut sum = 0;
    (values.iter().enumerate())
        .map(|(at, value)| {
            sum += if alternating && at % 2 == 1 { -value } else { *value };
            sum
        })
        .collect()
}

/// The part of a chain's goal that says how to answer.
pub(super) fn how_to_answer() -> String {
    format!(
        "Write `{ANSWER_FILE}` with exactly one line, `{ANSWER_KEY} = N`, where N is that number in \
         digits, and then call `done`. The tools `list_files` and `search` are disabled for this task."
    )
}

fn goal(alternating: bool, start: &str) -> String {
    let what = if alternating {
        "Take the deltas with alternating signs in the order of the chain: the first file's counts \
         plus, the second's minus, the third's plus, and so on, and add them up."
    } else {
        "Add up the deltas of all files of the chain."
    };
    format!(
        "The files in `records/` form a chain. Each holds a line `{DELTA} = N` and a line \
         `next = PATH` that names the file after it; the last one says `next = end`. Start with \
         `{start}` and follow the chain to its end. {what} {}",
        how_to_answer()
    )
}
