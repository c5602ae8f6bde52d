//! scatter: values spread over files, beside lines of no concern, collected into one file.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{Check, Link, Statistic};
use super::places::{paths, word};
use super::spec::{TaskSpec, Tool};
use super::{COLLECTION_FILE, Task};
use crate::rng::Draw;

/// What the wanted keys start with.
const WANTED: &str = "value_";

pub(super) fn task(spec: TaskSpec) -> Task {
    let wanted = spec.horizon as usize;
    // Some files hold nothing that is wanted.
    let count = wanted + wanted / 4 + 1;
    let paths = paths(&mut spec.draw("paths"), "notes", "txt", count);
    let mut draw = spec.draw("lines");
    let mut keys = BTreeSet::new();
    let mut files = BTreeMap::new();
    let mut found = Vec::with_capacity(wanted);
    for (at, path) in paths.into_iter().enumerate() {
        let mut lines = other_lines(&mut draw);
        if at < wanted {
            let link = wanted_link(&mut draw, &path, &mut keys);
            let place = draw.index(lines.len() + 1);
            lines.insert(place, format!("{} = {}", link.key, link.value));
            found.push(link);
        }
        files.insert(path, lines.join("\n") + "\n");
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let wanted = found.iter().map(|link| (link.key.clone(), link.value.to_string())).collect();
    Task {
        spec,
        goal: goal(),
        files,
        disabled: BTreeSet::from([Tool::Search]),
        statistic: Statistic::None,
        check: Check::Lines { path: COLLECTION_FILE.to_owned(), lines: wanted },
        links: found,
    }
}

fn wanted_link(draw: &mut Draw, path: &str, keys: &mut BTreeSet<String>) -> Link {
    loop {
        let key = format!("{WANTED}{}_{}", word(draw), word(draw));
        if keys.insert(key.clone()) {
            let value = i64::try_from(draw.between(100, 999)).unwrap_or(i64::MAX);
            return Link { path: path.to_owned(), key, value };
        }
    }
}

fn other_lines(draw: &mut Draw) -> Vec<String> {
    (0..=draw.bits(1))
        .map(|_| format!("{}_{} = {}", word(draw), word(draw), draw.between(100, 999)))
        .collect()
}

fn goal() -> String {
    format!(
        "Some of the files in `notes/` hold a line `KEY = N` whose KEY starts with `{WANTED}`. Collect \
         all of these lines: write `{COLLECTION_FILE}` with each of them once, as they stand, one a line, \
         in any order and with nothing else, and then call `done`. The tool `search` is disabled for \
         this task."
    )
}
