//! The simulated project that sessions work in: files with lines, some of which state facts. Edits and
//! writes change it, readings show it.

use std::collections::BTreeMap;

use crate::rng::Draw;
use crate::text::lines::{self, Dialect, Stated};
use crate::text::names;

/// A file.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    pub(crate) path: String,
    pub(crate) dialect: Dialect,
    pub(crate) lines: Vec<String>,
    /// Facts by index of their line.
    pub(crate) facts: BTreeMap<usize, Stated>,
    /// Bytes of all lines with their ends.
    pub(crate) bytes: usize,
}

/// One changed line.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) at: usize,
    pub(crate) old: String,
    pub(crate) new: String,
    stated: Option<Stated>,
}

impl Doc {
    /// A new file of about `bytes` bytes at `path`.
    pub(crate) fn new(draw: &mut Draw, dialect: Dialect, path: String, bytes: usize) -> Self {
        let mut doc = Self { path, dialect, lines: Vec::new(), facts: BTreeMap::new(), bytes: 0 };
        while doc.bytes < bytes || doc.lines.is_empty() {
            let mut text = String::with_capacity(80);
            if let Some(stated) = lines::line(draw, dialect, &mut text) {
                doc.facts.insert(doc.lines.len(), stated);
            }
            doc.bytes += text.len() + 1;
            doc.lines.push(text);
        }
        doc
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The facts of lines `first..=last` (numbered from 1).
    pub(crate) fn stated(&self, first: u64, last: u64) -> Vec<(u64, Stated)> {
        let numbered = self.facts.iter().map(|(at, stated)| (*at as u64 + 1, stated.clone()));
        numbered.filter(|(line, _)| (first..=last).contains(line)).collect()
    }

    /// A change to one line: where there are facts, mostly to the value of one.
    pub(crate) fn change(&self, draw: &mut Draw) -> Change {
        let facts: Vec<usize> = self.facts.keys().copied().collect();
        let at = if !facts.is_empty() && draw.chance(4, 5) {
            facts[draw.index(facts.len())]
        } else {
            draw.index(self.lines.len())
        };
        let old = self.lines[at].clone();
        let mut new = String::new();
        let stated = match self.facts.get(&at) {
            Some(Stated { key, value }) => {
                let value_at = old.len() - value.len();
                let fresh = lines::value(draw);
                new.push_str(&old[..value_at]);
                new.push_str(&fresh);
                Some(Stated { key: key.clone(), value: fresh })
            }
            None => lines::line(draw, self.dialect, &mut new),
        };
        Change { at, old, new, stated }
    }

    /// Makes a change.
    pub(crate) fn apply(&mut self, change: Change) {
        self.bytes = self.bytes + change.new.len() - change.old.len();
        self.lines[change.at] = change.new;
        match change.stated {
            Some(stated) => self.facts.insert(change.at, stated),
            None => self.facts.remove(&change.at),
        };
    }
}

/// A name for a new file in the project at `root`.
pub(crate) fn new_path(draw: &mut Draw, root: &str, dialect: Dialect) -> String {
    format!("{root}/{}.{}", names::stem(draw), dialect.extension())
}
