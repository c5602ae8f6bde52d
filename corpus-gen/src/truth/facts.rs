//! The facts that a run's results state, by source: what readings add, replace and remove.

use std::collections::BTreeMap;

use super::KeyFacts;
use super::sum::Sum;
use crate::text::lines::Stated;

/// One reading of a source, as a succeeded result gives it.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    /// The path, or the tool and its input.
    pub(crate) source: String,
    /// First and last line that the reading covers.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// The facts in it, with their line numbers.
    pub(crate) facts: Vec<(u64, Stated)>,
}

/// What is known of all sources.
#[derive(Debug, Default)]
pub(crate) struct FactBook {
    sources: BTreeMap<String, Vec<(u64, Stated)>>,
}

impl FactBook {
    /// Takes a reading in: it replaces what is known of the lines it covers.
    pub(crate) fn read(&mut self, reading: Reading) {
        let known = self.sources.entry(reading.source).or_default();
        known.retain(|(line, _)| *line < reading.first || *line > reading.last);
        known.extend(reading.facts);
    }

    /// Forgets a source that was written to.
    pub(crate) fn wrote(&mut self, source: &str) {
        self.sources.remove(source);
    }

    /// Count, numbers and sum of each key.
    pub(crate) fn aggregates(&self) -> BTreeMap<String, KeyFacts> {
        let mut keys: BTreeMap<&str, (u64, u64, Sum)> = BTreeMap::new();
        for (_, stated) in self.sources.values().flatten() {
            let (n, numeric, sum) = keys.entry(&stated.key).or_default();
            *n += 1;
            *numeric += u64::from(sum.add(&stated.value));
        }
        let facts = |(key, (n, n_numeric, sum)): (&str, (u64, u64, Sum))| {
            (key.to_owned(), KeyFacts { n, n_numeric, sum: sum.text() })
        };
        keys.into_iter().map(facts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(first: u64, last: u64, facts: &[(u64, &str, &str)]) -> Reading {
        let stated = |(line, key, value): &(u64, &str, &str)| {
            (*line, Stated { key: (*key).into(), value: (*value).into() })
        };
        Reading { source: "/f".into(), first, last, facts: facts.iter().map(stated).collect() }
    }

    #[test]
    fn a_reading_replaces_only_what_it_covers() {
        let mut book = FactBook::default();
        book.read(reading(1, u64::MAX, &[(1, "a", "1"), (5, "a", "2"), (9, "a", "x")]));
        book.read(reading(4, 6, &[(6, "a", "7.5")]));
        let a = &book.aggregates()["a"];
        assert_eq!((a.n, a.n_numeric, a.sum.as_str()), (3, 2, "8.5"));
        book.wrote("/f");
        assert!(book.aggregates().is_empty());
    }
}
