//! The facts that a run's results state, by source: what readings add, replace and remove.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::sum::Sum;
use super::turns::Turns;
use crate::text::lines::Stated;

/// Aggregates of the facts of one key, over all sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyFacts {
    /// Facts.
    pub n: u64,
    /// Facts whose value is a number.
    pub n_numeric: u64,
    /// Exact sum of the numbers, as a decimal without needless zeros.
    pub sum: String,
}

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

/// A fact that is known: its line, what it says, and the turn that read it.
#[derive(Debug, Clone)]
struct Known {
    line: u64,
    stated: Stated,
    turn: usize,
}

/// The known facts of all sources.
#[derive(Debug, Default)]
pub(crate) struct FactBook {
    sources: BTreeMap<String, Vec<Known>>,
}

impl FactBook {
    /// Takes a reading in whose call was made in `turn`: it replaces the known facts of the lines it covers. A
    /// fact that it finds unchanged stays with the turn that read it first, if that is in force.
    pub(crate) fn read(&mut self, reading: Reading, turn: usize, turns: &Turns) {
        let known = self.sources.entry(reading.source).or_default();
        let inside = |fact: &Known| (reading.first..=reading.last).contains(&fact.line);
        let (mut old, kept): (Vec<Known>, Vec<Known>) = known.drain(..).partition(inside);
        old.sort_by_key(|fact| fact.line);
        let mut old = VecDeque::from(old);
        *known = kept;
        for (line, stated) in reading.facts {
            // By key, the known ones and the new ones are matched in the order of their lines.
            let same = old.iter().position(|fact| fact.stated.key == stated.key);
            let turn = match same.and_then(|at| old.remove(at)) {
                Some(fact) if fact.stated.value == stated.value && turns.in_force(fact.turn) => {
                    fact.turn
                }
                _ => turn,
            };
            known.push(Known { line, stated, turn });
        }
    }

    /// Forgets a source that was written to.
    pub(crate) fn wrote(&mut self, source: &str) {
        self.sources.remove(source);
    }

    /// Count, numbers and sum of each key, over the facts of turns in force.
    pub(crate) fn aggregates(&self, turns: &Turns) -> BTreeMap<String, KeyFacts> {
        let mut keys: BTreeMap<&str, (u64, u64, Sum)> = BTreeMap::new();
        let facts = self.sources.values().flatten().filter(|fact| turns.in_force(fact.turn));
        for Known { stated, .. } in facts {
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
    use crate::truth::turns::Above;

    fn reading(first: u64, last: u64, facts: &[(u64, &str, &str)]) -> Reading {
        let stated = |(line, key, value): &(u64, &str, &str)| {
            (*line, Stated { key: (*key).into(), value: (*value).into() })
        };
        Reading { source: "/f".into(), first, last, facts: facts.iter().map(stated).collect() }
    }

    #[test]
    fn a_reading_replaces_only_what_it_covers() {
        let mut book = FactBook::default();
        let turns = Turns::default();
        let all = [(1, "a", "1"), (5, "a", "2"), (9, "a", "x")];
        book.read(reading(1, u64::MAX, &all), 0, &turns);
        book.read(reading(4, 6, &[(6, "a", "7.5")]), 0, &turns);
        let a = &book.aggregates(&turns)["a"];
        assert_eq!((a.n, a.n_numeric, a.sum.as_str()), (3, 2, "8.5"));
        book.wrote("/f");
        assert!(book.aggregates(&turns).is_empty());
    }

    #[test]
    fn facts_of_a_turn_taken_back_are_not_in_force_until_they_are_read_again() {
        let (mut book, mut turns) = (FactBook::default(), Turns::default());
        turns.begin(&Above::Nothing);
        turns.stands("first");
        book.read(reading(1, u64::MAX, &[(1, "a", "1"), (2, "b", "2")]), 1, &turns);
        turns.begin(&Above::Record("first".into()));
        book.read(reading(1, u64::MAX, &[(1, "a", "1"), (2, "b", "5")]), 2, &turns);
        turns.begin(&Above::Record("first".into()));
        // The unchanged fact is still the first turn's; what the second replaced does not come back.
        let keys: Vec<String> = book.aggregates(&turns).into_keys().collect();
        assert_eq!(keys, ["a"]);
        book.read(reading(1, u64::MAX, &[(1, "a", "1"), (2, "b", "5")]), 3, &turns);
        assert_eq!(book.aggregates(&turns).len(), 2);
    }
}
