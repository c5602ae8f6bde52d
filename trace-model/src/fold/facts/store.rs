//! The facts themselves: those of each source, and which of them are in force.

pub(super) mod aggregates;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::extracted::{self, ExtractedFact};
use super::number::{Number, Total};
use super::parse;
use super::shown::{Entry, ShownFact, ShownFacts};
use super::statistic::Statistic;
use crate::fold::collections::{DigestMap, sorted_map};
use crate::ids::{Digest64, Seq, Sha256};
use crate::text::head;

/// Which facts to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FactConfig {
    /// Maximum facts shown in a view.
    pub in_view: usize,
    /// The statistics computed per key.
    pub statistics: Vec<Statistic>,
    /// Maximum facts tracked; further ones are counted, and their keys' aggregates say that they are
    /// incomplete.
    pub tracked: usize,
}

impl Default for FactConfig {
    fn default() -> Self {
        Self { in_view: 120, statistics: vec![Statistic::Count, Statistic::Sum], tracked: 500_000 }
    }
}

/// Which lines of its source a result shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Extent {
    /// All of them.
    Whole,
    /// A part, from this line on, up to `limit` lines if that was given.
    Part { first: u64, limit: Option<u64> },
}

/// A known fact; it is in force if its turn is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Fact {
    key: u32,
    /// The turn whose call read it.
    turn: u32,
    line: u64,
    /// The event of the reading that showed it last.
    read_at: Seq,
    /// Its place in the order of facts; kept when its value changes.
    place: u64,
    digest: Digest64,
    number: Option<Number>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct SourceFacts {
    name: String,
    /// In order of their lines.
    facts: Vec<Fact>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct KeyState {
    name: String,
    facts: u64,
    numeric: u64,
    sum: Total,
    /// Facts beyond the tracking limit.
    untracked: u64,
    /// The source and event of the reading that last touched this key.
    latest: Option<(u32, Seq)>,
}

/// A fact in force, for comparison with an independent count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactInForce<'a> {
    /// The source's name, shortened as [`source_name`] does.
    pub source: &'a str,
    /// The key.
    pub key: &'a str,
    /// Its line.
    pub line: u64,
    /// A digest of the value as written.
    pub digest: Digest64,
    /// The value, if it is a number.
    pub number: Option<Number>,
}

/// All facts of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Facts {
    config: FactConfig,
    keys: Vec<KeyState>,
    key_places: BTreeMap<String, u32>,
    sources: Vec<SourceFacts>,
    #[serde(with = "sorted_map")]
    source_places: DigestMap<u32>,
    next_place: u64,
    /// How many are known.
    tracked: usize,
    /// Of those, how many are in force.
    present: usize,
    /// Turns that are not in force; their facts are known, but do not belong to the run.
    taken_back: BTreeSet<u32>,
    shown: ShownFacts,
}

/// A reading of a source.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) source: &'a SourceRef,
    pub(crate) extent: Extent,
    pub(crate) text: &'a str,
    /// What was extracted from the text.
    pub(crate) extracted: &'a [ExtractedFact],
    /// The turn that issued the call.
    pub(crate) turn: u64,
    pub(crate) seq: Seq,
}

/// A source as stored: the digest of its whole name, and the name for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceRef {
    digest: Digest64,
    name: String,
}

impl SourceRef {
    pub(crate) fn new(source: &str) -> Self {
        Self { digest: Digest64::of(source), name: source_name(source) }
    }

    /// What a call reads that names no file: its tool and input.
    pub(crate) fn of_call(tool: &str, input: &str) -> Self {
        Self::new(&format!("{tool}: {input}"))
    }
}

/// A source's name as stored: whole up to 200 characters, otherwise its first 160 and the head of its SHA-256.
pub fn source_name(source: &str) -> String {
    const WHOLE: usize = 200;
    const HEAD: usize = 160;
    if head(source, WHOLE).len() == source.len() {
        return source.to_owned();
    }
    format!("{}…#{}", head(source, HEAD), Sha256::of(source).short())
}

/// The lines that a result tells of: those it was asked for, those it shows, and any on which it
/// states a fact, so that the same result read again finds its own facts.
fn range(
    extent: Extent,
    found: &[parse::Assignment<'_>],
    text: &str,
) -> std::ops::RangeInclusive<u64> {
    let Extent::Part { first, limit } = extent else { return 0..=u64::MAX };
    let lines = || found.iter().map(|assignment| assignment.line);
    let start = lines().min().map_or(first, |line| line.min(first));
    let Some(limit) = limit else { return start..=u64::MAX };
    let asked = first.saturating_add(limit).saturating_sub(1);
    let shown = parse::last_line(text, first);
    start..=lines().max().map_or(asked, |line| line.max(asked)).max(shown)
}

impl Facts {
    pub(crate) fn new(config: FactConfig) -> Self {
        Self {
            shown: ShownFacts::new(config.in_view),
            config,
            keys: Vec::new(),
            key_places: BTreeMap::new(),
            sources: Vec::new(),
            source_places: DigestMap::default(),
            next_place: 0,
            tracked: 0,
            present: 0,
            taken_back: BTreeSet::new(),
        }
    }

    /// Takes in a successful call's result, with the facts extracted from it.
    pub(crate) fn read(&mut self, reading: &Reading<'_>) {
        let Reading { source, extent, text, extracted, turn, seq } = *reading;
        let turn = u32::try_from(turn).unwrap_or(u32::MAX);
        let known = self.source_places.get(&source.digest).copied();
        // Most results hold no equals sign, so nothing that could be a fact.
        let plain = extracted.is_empty() && memchr::memchr(b'=', text.as_bytes()).is_none();
        if known.is_none() && plain {
            return;
        }
        if parse::is_preview(text) {
            return;
        }
        let first = match extent {
            Extent::Whole => 1,
            Extent::Part { first, .. } => first,
        };
        let mut found = parse::assignments(text, first);
        extracted::add(&mut found, extracted, text, first);
        found.sort_by_key(|assignment| assignment.line);
        if known.is_none() && found.is_empty() {
            return;
        }
        let source = known.unwrap_or_else(|| self.add_source(source));
        let range = range(extent, &found, text);
        self.replace(source, &range, &found, (turn, seq));
    }

    /// Takes in which turns are not in force from now on: their facts leave the aggregates and the
    /// view, and come back with their turn.
    pub(crate) fn take_back(&mut self, turns: BTreeSet<u32>) {
        let before = std::mem::replace(&mut self.taken_back, turns);
        let mut shifted = Vec::new();
        for source in &self.sources {
            shifted.extend(source.facts.iter().copied().filter(|fact| {
                before.contains(&fact.turn) != self.taken_back.contains(&fact.turn)
            }));
        }
        for fact in &shifted {
            let in_force = self.is_in_force(fact);
            self.count(fact, in_force);
            if in_force {
                self.shown.bring_back(fact.place);
            } else {
                self.shown.set_aside(fact.place);
            }
        }
        let keys: BTreeSet<u32> = shifted.iter().map(|fact| fact.key).collect();
        self.find_latest(&keys);
    }

    /// Recomputes which reading last touched each of these keys, among the facts in force.
    fn find_latest(&mut self, keys: &BTreeSet<u32>) {
        if keys.is_empty() {
            return;
        }
        let mut latest: BTreeMap<u32, (Seq, u32)> = BTreeMap::new();
        for (place, source) in (0..).zip(&self.sources) {
            for fact in source.facts.iter().filter(|f| keys.contains(&f.key) && self.is_in_force(f))
            {
                let newest = latest.entry(fact.key).or_default();
                *newest = (*newest).max((fact.read_at, place));
            }
        }
        for (key, (seq, source)) in latest {
            self.keys[key as usize].latest = Some((source, seq));
        }
    }

    fn is_in_force(&self, fact: &Fact) -> bool {
        !self.taken_back.contains(&fact.turn)
    }

    /// Forgets what was read from a source, because it was written.
    pub(crate) fn forget(&mut self, source: &SourceRef) {
        let Some(place) = self.source_places.get(&source.digest) else { return };
        let facts = std::mem::take(&mut self.sources[*place as usize].facts);
        for fact in facts {
            self.remove(fact);
        }
    }

    /// The facts in force, in their order.
    pub(crate) fn in_force(&self) -> Vec<FactInForce<'_>> {
        let mut all: Vec<(u64, FactInForce<'_>)> = Vec::with_capacity(self.present);
        for source in &self.sources {
            all.extend(source.facts.iter().filter(|fact| self.is_in_force(fact)).map(|fact| {
                let in_force = FactInForce {
                    source: &source.name,
                    key: &self.keys[fact.key as usize].name,
                    line: fact.line,
                    digest: fact.digest,
                    number: fact.number,
                };
                (fact.place, in_force)
            }));
        }
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, fact)| fact).collect()
    }

    /// How many facts are in force.
    pub(crate) fn len(&self) -> usize {
        self.present
    }

    /// The facts to show, in the order in which they were read.
    pub(crate) fn shown(&self) -> Vec<ShownFact<'_>> {
        self.shown
            .list(|source| &self.sources[source as usize].name, |key| &self.keys[key as usize].name)
    }

    fn add_source(&mut self, source: &SourceRef) -> u32 {
        let place = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.push(SourceFacts { name: source.name.clone(), facts: Vec::new() });
        self.source_places.insert(source.digest, place);
        place
    }

    fn key(&mut self, name: &str) -> u32 {
        if let Some(place) = self.key_places.get(name) {
            return *place;
        }
        let place = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.keys.push(KeyState { name: name.to_owned(), ..KeyState::default() });
        self.key_places.insert(name.to_owned(), place);
        place
    }

    /// Replaces the facts of a range of a source's lines.
    fn replace(
        &mut self,
        source: u32,
        range: &std::ops::RangeInclusive<u64>,
        found: &[parse::Assignment<'_>],
        (turn, seq): (u32, Seq),
    ) {
        let facts = std::mem::take(&mut self.sources[source as usize].facts);
        let (inside, mut kept): (Vec<Fact>, Vec<Fact>) =
            facts.into_iter().partition(|fact| range.contains(&fact.line));
        let mut old: BTreeMap<u32, VecDeque<Fact>> = BTreeMap::new();
        for fact in inside {
            old.entry(fact.key).or_default().push_back(fact);
        }
        for assignment in found {
            let key = self.key(assignment.key);
            let matched = old.get_mut(&key).and_then(VecDeque::pop_front);
            let fact = match matched {
                Some(fact) => self.renew(fact, assignment, (turn, seq)),
                None => match self.add(key, assignment, (turn, seq)) {
                    Some(fact) => fact,
                    None => continue,
                },
            };
            let in_force = self.is_in_force(&fact);
            if in_force {
                self.keys[key as usize].latest = Some((source, seq));
            }
            let (line, value) = (assignment.line, assignment.value.to_owned());
            let entry = Entry { source, key, line, value, read_at: seq };
            self.shown.read(fact.place, entry, in_force);
            kept.push(fact);
        }
        for fact in old.into_values().flatten() {
            self.remove(fact);
        }
        kept.sort_by_key(|fact| (fact.line, fact.place));
        self.sources[source as usize].facts = kept;
    }

    /// A fact was read again. It is that reading's if its value changed, or if its own turn is not
    /// in force.
    fn renew(
        &mut self,
        mut fact: Fact,
        assignment: &parse::Assignment<'_>,
        (turn, seq): (u32, Seq),
    ) -> Fact {
        fact.line = assignment.line;
        fact.read_at = seq;
        let digest = Digest64::of(assignment.value);
        let in_force = self.is_in_force(&fact);
        if fact.digest != digest || !in_force {
            if in_force {
                self.count(&fact, false);
            }
            fact.digest = digest;
            fact.number = Number::parse(assignment.value);
            fact.turn = turn;
            if self.is_in_force(&fact) {
                self.count(&fact, true);
            }
        }
        fact
    }

    fn add(
        &mut self,
        key: u32,
        assignment: &parse::Assignment<'_>,
        (turn, seq): (u32, Seq),
    ) -> Option<Fact> {
        if self.tracked >= self.config.tracked {
            self.keys[key as usize].untracked += 1;
            return None;
        }
        let fact = Fact {
            key,
            turn,
            line: assignment.line,
            read_at: seq,
            place: self.next_place,
            digest: Digest64::of(assignment.value),
            number: Number::parse(assignment.value),
        };
        self.next_place += 1;
        self.tracked += 1;
        if self.is_in_force(&fact) {
            self.count(&fact, true);
        }
        Some(fact)
    }

    fn remove(&mut self, fact: Fact) {
        self.tracked -= 1;
        if self.is_in_force(&fact) {
            self.count(&fact, false);
        }
        self.shown.hide(fact.place);
    }

    /// Adds a fact that is now in force to its key's aggregate, or removes it.
    fn count(&mut self, fact: &Fact, present: bool) {
        if present {
            self.present += 1;
        } else {
            self.present -= 1;
        }
        let key = &mut self.keys[fact.key as usize];
        let step = |count: &mut u64| *count = if present { *count + 1 } else { *count - 1 };
        step(&mut key.facts);
        if let Some(number) = fact.number {
            step(&mut key.numeric);
            if present { key.sum.add(number) } else { key.sum.subtract(number) }
        }
    }
}
