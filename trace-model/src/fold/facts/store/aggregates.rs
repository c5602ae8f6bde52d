//! What the facts of a key add up to. Count and sum are kept as facts come and go; statistics that
//! depend on order or extremes are computed from the facts in force when a view asks for them.

use serde::Serialize;

use super::Facts;
use crate::fold::facts::number::{Number, Total};
use crate::fold::facts::statistic::Statistic;
use crate::ids::Seq;

/// What the facts of one key add up to, and what that covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Aggregate<'a> {
    /// The key.
    pub key: &'a str,
    /// Facts in force.
    pub facts: u64,
    /// Of those, numbers: what the statistics cover.
    pub numeric: u64,
    /// Facts in force whose text a view can show.
    pub shown: u64,
    /// Facts beyond the tracking limit; if there are any, the statistics are incomplete.
    pub untracked: u64,
    /// The declared statistics except the count, where there is a number.
    pub statistics: Vec<(Statistic, Total)>,
    /// The source that was read last for this key, which is included.
    pub latest_source: &'a str,
    /// The event of that reading.
    pub latest_at: Seq,
}

impl Facts {
    /// The aggregates of all keys that have facts, by key.
    pub(crate) fn aggregates(&self) -> Vec<Aggregate<'_>> {
        let numbers = self.numbers_by_key();
        let keys = self.key_places.values().map(|place| (*place, &self.keys[*place as usize]));
        keys.filter(|(_, key)| key.facts + key.untracked > 0)
            .map(|(place, key)| {
                let (source, latest_at) = key.latest.unwrap_or_default();
                Aggregate {
                    key: &key.name,
                    facts: key.facts,
                    numeric: key.numeric,
                    shown: self.shown.of_key(place),
                    untracked: key.untracked,
                    statistics: self.statistics(
                        &key.sum,
                        numbers.get(place as usize).map_or(&[], Vec::as_slice),
                        key.numeric,
                    ),
                    latest_source: self.sources.get(source as usize).map_or("", |s| &s.name),
                    latest_at,
                }
            })
            .collect()
    }

    /// The numbers of each key in the order of facts; empty if no declared statistic needs them.
    fn numbers_by_key(&self) -> Vec<Vec<Number>> {
        let kept_anyway = |s: &Statistic| matches!(s, Statistic::Count | Statistic::Sum);
        if self.config.statistics.iter().all(kept_anyway) {
            return Vec::new();
        }
        let mut placed: Vec<(u64, u32, Number)> = (self.sources.iter())
            .flat_map(|source| &source.facts)
            .filter(|fact| self.is_in_force(fact))
            .filter_map(|fact| Some((fact.place, fact.key, fact.number?)))
            .collect();
        placed.sort_unstable_by_key(|(place, ..)| *place);
        let mut by_key = vec![Vec::new(); self.keys.len()];
        for (_, key, number) in placed {
            by_key[key as usize].push(number);
        }
        by_key
    }

    fn statistics(&self, sum: &Total, numbers: &[Number], count: u64) -> Vec<(Statistic, Total)> {
        if count == 0 {
            return Vec::new();
        }
        let compute = |statistic: Statistic| match statistic {
            Statistic::Count => None,
            Statistic::Sum => Some(sum.clone()),
            Statistic::Min => numbers.iter().map(|n| Total::from(*n)).min(),
            Statistic::Max => numbers.iter().map(|n| Total::from(*n)).max(),
            Statistic::Last => numbers.last().map(|n| Total::from(*n)),
            Statistic::AlternatingSum => Some(alternating_sum(numbers)),
        };
        let declared = Statistic::ALL.iter().filter(|s| self.config.statistics.contains(s));
        declared.filter_map(|statistic| Some((*statistic, compute(*statistic)?))).collect()
    }
}

fn alternating_sum(numbers: &[Number]) -> Total {
    let mut total = Total::default();
    for (at, number) in numbers.iter().enumerate() {
        if at % 2 == 0 { total.add(*number) } else { total.subtract(*number) }
    }
    total
}
