use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proptest::prelude::*;

use super::*;

/// A line of a reading: the number printed before it, and the fact on it.
type Line = (Option<u64>, Option<(u8, i8)>);

#[derive(Clone, Debug)]
enum Step {
    Read { source: u8, extent: Extent, lines: Vec<Line>, turn: u32 },
    Forget { source: u8 },
    TakeBack { turns: BTreeSet<u32> },
}

/// A fact as the naive model keeps it, in a list in the order of facts.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    source: u8,
    key: u8,
    line: u64,
    value: i8,
    turn: u32,
}

fn read_in(facts: &mut Facts, number: u8, extent: Extent, text: &str, (turn, seq): (u64, u64)) {
    let source = &source(number);
    facts.read(&Reading { source, extent, text, extracted: &[], turn, seq: Seq(seq) });
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let extent = prop_oneof![
        2 => Just(Extent::Whole),
        3 => (1_u64..8, prop::option::of(0_u64..5))
            .prop_map(|(first, limit)| Extent::Part { first, limit }),
    ];
    let line = (prop::option::weighted(0.3, 1_u64..12), prop::option::of((0_u8..3, -3_i8..4)));
    let lines = prop::collection::vec(line, 0..6);
    let read = (0_u8..3, extent, lines, 0_u32..4)
        .prop_map(|(source, extent, lines, turn)| Step::Read { source, extent, lines, turn });
    let turns = prop::collection::btree_set(0_u32..4, 0..3);
    let step = prop_oneof![
        8 => read,
        1 => (0_u8..3).prop_map(|source| Step::Forget { source }),
        2 => turns.prop_map(|turns| Step::TakeBack { turns }),
    ];
    prop::collection::vec(step, 0..25)
}

fn text(lines: &[Line]) -> String {
    let line = |(number, fact): &Line| {
        let number = number.map_or(String::new(), |n| format!("{n:6}\t"));
        let fact = fact.map_or("nothing".to_owned(), |(key, value)| format!("k{key} = {value}"));
        number + &fact
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn source(number: u8) -> SourceRef {
    SourceRef::new(&format!("file{number}"))
}

/// The range that a reading covers, straight from the definition.
fn covered(extent: Extent, lines: &[Line]) -> RangeInclusive<u64> {
    let Extent::Part { first, limit } = extent else { return 0..=u64::MAX };
    let numbers = numbers(extent, lines);
    let printed = lines.iter().filter_map(|line| line.0).max();
    let last_seen = printed.or(numbers.last().copied()).unwrap_or(first);
    let facts: Vec<u64> =
        numbers.iter().zip(lines).filter(|l| l.1.1.is_some()).map(|l| *l.0).collect();
    let start = facts.iter().copied().min().unwrap_or(first).min(first);
    let end = limit.map_or(u64::MAX, |limit| {
        (first + limit)
            .saturating_sub(1)
            .max(last_seen)
            .max(facts.iter().copied().max().unwrap_or(0))
    });
    start..=end
}

fn numbers(extent: Extent, lines: &[Line]) -> Vec<u64> {
    let first = match extent {
        Extent::Whole => 1,
        Extent::Part { first, .. } => first,
    };
    (first..).zip(lines).map(|(place, line)| line.0.unwrap_or(place)).collect()
}

/// What is known after a step, by searching and moving in a plain list; `out` are the turns that are
/// not in force.
fn naive(mut facts: Vec<Plain>, step: &Step, out: &BTreeSet<u32>) -> Vec<Plain> {
    let (source, extent, lines, turn) = match step {
        Step::TakeBack { .. } => return facts,
        Step::Forget { source } => {
            facts.retain(|fact| fact.source != *source);
            return facts;
        }
        Step::Read { source, extent, lines, turn } => (*source, *extent, lines, *turn),
    };
    let range = covered(extent, lines);
    let mut new: Vec<Plain> = numbers(extent, lines)
        .into_iter()
        .zip(lines)
        .filter_map(|(line, (_, fact))| {
            fact.map(|(key, value)| Plain { source, key, line, value, turn })
        })
        .collect();
    new.sort_by_key(|fact| fact.line);
    let mut matched = vec![false; facts.len()];
    let mut added = Vec::new();
    for fact in new {
        let mut known: Vec<usize> = (0..facts.len())
            .filter(|at| !matched[*at] && facts[*at].source == source && facts[*at].key == fact.key)
            .filter(|at| range.contains(&facts[*at].line))
            .collect();
        // Only facts that were there before the reading: a matched one may have moved.
        known.sort_by_key(|at| facts[*at].line);
        match known.first() {
            Some(at) => {
                matched[*at] = true;
                let known = &facts[*at];
                let stays = known.value == fact.value && !out.contains(&known.turn);
                let turn = if stays { known.turn } else { fact.turn };
                facts[*at] = Plain { turn, ..fact };
            }
            None => added.push(fact),
        }
    }
    let mut kept: Vec<Plain> = facts
        .into_iter()
        .zip(matched)
        .filter(|(fact, matched)| *matched || fact.source != source || !range.contains(&fact.line))
        .map(|(fact, _)| fact)
        .collect();
    kept.extend(added);
    kept
}

fn all_statistics(in_view: usize) -> FactConfig {
    FactConfig { in_view, statistics: Statistic::ALL.to_vec(), ..FactConfig::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However sources are read, in parts, again, changed, shrunk, written: the facts in force, what
    /// they add up to and what is shown of them are those of a list searched from end to end.
    #[test]
    fn facts_are_those_of_a_plain_list(steps in steps(), in_view in 0_usize..8) {
        let mut facts = Facts::new(all_statistics(in_view));
        let mut known = Vec::new();
        let mut out = BTreeSet::new();
        for (seq, step) in (0..).zip(&steps) {
            known = naive(known, step, &out);
            match step {
                Step::TakeBack { turns } => {
                    out.clone_from(turns);
                    facts.take_back(turns.clone());
                }
                Step::Forget { source: number } => facts.forget(&source(*number)),
                Step::Read { source: number, extent, lines, turn } => {
                    read_in(&mut facts, *number, *extent, &text(lines), (u64::from(*turn), seq));
                }
            }
            let plain: Vec<Plain> =
                known.iter().filter(|fact| !out.contains(&fact.turn)).cloned().collect();
            let in_force: Vec<(String, String, u64, String)> = facts
                .in_force()
                .iter()
                .map(|f| (f.source.to_owned(), f.key.to_owned(), f.line, f.number.unwrap().to_string()))
                .collect();
            let expected: Vec<_> = plain
                .iter()
                .map(|p| {
                    (format!("file{}", p.source), format!("k{}", p.key), p.line, p.value.to_string())
                })
                .collect();
            prop_assert_eq!(in_force, expected);
            prop_assert_eq!(facts.len(), plain.len());
            check_aggregates(&facts, &plain)?;
            check_shown(&facts, &plain, in_view)?;
        }
        let json = serde_json::to_string(&facts).unwrap();
        prop_assert_eq!(serde_json::from_str::<Facts>(&json).unwrap(), facts);
    }
}

fn check_aggregates(facts: &Facts, plain: &[Plain]) -> Result<(), TestCaseError> {
    for aggregate in facts.aggregates() {
        let values: Vec<i64> = plain
            .iter()
            .filter(|p| format!("k{}", p.key) == aggregate.key)
            .map(|p| i64::from(p.value))
            .collect();
        prop_assert_eq!(aggregate.facts, values.len() as u64);
        let alternating =
            values.iter().enumerate().map(|(at, v)| if at % 2 == 0 { *v } else { -v });
        let expected = [
            (Statistic::Sum, values.iter().sum()),
            (Statistic::Min, *values.iter().min().unwrap()),
            (Statistic::Max, *values.iter().max().unwrap()),
            (Statistic::Last, *values.last().unwrap()),
            (Statistic::AlternatingSum, alternating.sum::<i64>()),
        ];
        let actual: Vec<(Statistic, String)> =
            aggregate.statistics.iter().map(|(s, total)| (*s, total.to_string())).collect();
        prop_assert_eq!(actual, expected.map(|(s, v)| (s, v.to_string())).to_vec());
    }
    let keys: BTreeSet<u8> = plain.iter().map(|p| p.key).collect();
    prop_assert_eq!(facts.aggregates().len(), keys.len());
    Ok(())
}

/// What is shown is in force, as it stands, and no more than there is room for.
fn check_shown(facts: &Facts, plain: &[Plain], in_view: usize) -> Result<(), TestCaseError> {
    let shown = facts.shown();
    prop_assert!(shown.len() <= in_view);
    if plain.len() <= in_view && in_view > 0 {
        prop_assert!(shown.len() <= plain.len());
    }
    for fact in &shown {
        let stands = plain.iter().any(|p| {
            format!("file{}", p.source) == fact.source
                && format!("k{}", p.key) == fact.key
                && p.line == fact.line
                && p.value.to_string() == fact.value
        });
        prop_assert!(stands, "{:?} is shown and not in force", fact);
    }
    let by_key: u64 = facts.aggregates().iter().map(|a| a.shown).sum();
    prop_assert_eq!(by_key, shown.len() as u64);
    Ok(())
}

/// Offsets and limits at the edge of what an input's numbers hold neither overflow nor cover nothing.
#[test]
fn extents_at_the_edge_of_numbers() {
    const LAST: u64 = i64::MAX as u64;
    let mut facts = Facts::new(FactConfig::default());
    let read = |facts: &mut Facts, first, limit, text: &str| {
        read_in(facts, 0, Extent::Part { first, limit }, text, (1, 0));
    };
    read(&mut facts, LAST, Some(u64::MAX), "k = 1");
    read(&mut facts, LAST, Some(u64::MAX), "k = 2");
    assert_eq!(facts.len(), 1);
    read(&mut facts, 1, Some(0), "");
    assert_eq!(facts.len(), 1);
    // A number printed before a line that no line can have is no number of it.
    read(&mut facts, 1, Some(5), "99999999999999999999999\tk = 3");
    assert_eq!(facts.len(), 1);
}

/// One source may have all the room; as others come, it gives up what is above a third.
#[test]
fn the_room_is_shared_between_sources() {
    let long: Vec<String> = (0..9).map(|n| format!("k{n} = {n}")).collect();
    let mut facts = Facts::new(FactConfig { in_view: 9, ..FactConfig::default() });
    let shown = |facts: &Facts| {
        let mut counts = [0; 4];
        for fact in facts.shown() {
            counts[usize::from(fact.source.as_bytes()[4] - b'0')] += 1;
        }
        counts
    };
    for (number, expected) in [(0, [9, 0, 0, 0]), (1, [4, 5, 0, 0]), (2, [3, 3, 3, 0])] {
        read_in(&mut facts, number, Extent::Whole, &long.join("\n"), (1, number.into()));
        assert_eq!(shown(&facts), expected, "after source {number}");
    }
    // Of sources within their share the least recently read fact goes first.
    read_in(&mut facts, 3, Extent::Whole, "x = 1", (1, 3));
    assert_eq!(shown(&facts), [2, 3, 3, 1]);
}
