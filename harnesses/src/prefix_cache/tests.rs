//! One test a rule, and what must hold whatever the requests.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::usage::TokenUsage;
use Lifetime::{FiveMinutes, OneHour};

/// A cache over blocks whose texts are their names, of `tokens` tokens each.
struct Bench {
    cache: PrefixCache,
    tokens: u64,
    now: u64,
}

impl Bench {
    fn new(minimum: u64, tokens: u64) -> Self {
        Self { cache: PrefixCache::new(CacheRules::with_minimum(minimum)), tokens, now: 0 }
    }

    fn part(&mut self, name: &str) -> Part {
        let tokens = self.tokens;
        Part::new(self.cache.block(&Arc::from(name), |_| tokens))
    }

    /// Blocks `0..count`, the named ones with a breakpoint.
    fn parts(&mut self, count: usize, breakpoints: &[(usize, Lifetime)]) -> Vec<Part> {
        (0..count)
            .map(|at| {
                let part = self.part(&at.to_string());
                let carried = breakpoints.iter().find(|(place, _)| *place == at);
                Part { breakpoint: carried.map(|(_, lifetime)| *lifetime), ..part }
            })
            .collect()
    }

    fn send(&mut self, parts: &[Part]) -> TokenUsage {
        self.now += 1;
        self.cache.request(self.now, parts).unwrap()
    }

    fn send_first(&mut self, count: usize, breakpoint: usize) -> TokenUsage {
        let parts = self.parts(count, &[(breakpoint, FiveMinutes)]);
        self.send(&parts)
    }
}

fn usage(cache_read: u64, cache_write_5m: u64, input: u64) -> TokenUsage {
    TokenUsage { input, cache_read, cache_write_5m, ..TokenUsage::default() }
}

/// What tokens cost, in hundredths of a token of input, by the multipliers that hold for most models
/// ("Pricing" of the page that the module names).
fn price_in_hundredths(usage: TokenUsage) -> u128 {
    let weighted = [
        (usage.input, 100),
        (usage.cache_read, 10),
        (usage.cache_write_5m, 125),
        (usage.cache_write_1h, 200),
    ];
    weighted.into_iter().map(|(tokens, weight)| u128::from(tokens) * weight).sum()
}

#[test]
fn without_a_breakpoint_nothing_is_cached() {
    let mut bench = Bench::new(0, 10);
    let parts = bench.parts(5, &[]);
    assert_eq!(bench.send(&parts), usage(0, 0, 50));
    assert_eq!(bench.send(&parts), usage(0, 0, 50));
}

#[test]
fn a_prefix_is_written_once_and_then_read() {
    let mut bench = Bench::new(0, 10);
    assert_eq!(bench.send_first(5, 2), usage(0, 30, 20));
    assert_eq!(bench.send_first(5, 2), usage(30, 0, 20));
    assert_eq!(bench.send_first(8, 2), usage(30, 0, 50));
}

#[test]
fn appended_turns_read_all_that_came_before() {
    let mut bench = Bench::new(0, 10);
    let mut all = TokenUsage::default();
    let mut flat = 0;
    for turn in 1..=60 {
        let count = 1 + 2 * turn;
        let seen = bench.send_first(count, count - 1);
        let before = if turn == 1 { 0 } else { 10 * (count as u64 - 2) };
        assert_eq!(seen, usage(before, 10 * count as u64 - before, 0), "turn {turn}");
        flat += u128::from(seen.total()) * 100;
        all += seen;
    }
    let share = price_in_hundredths(all) * 1000 / flat;
    assert!((100..200).contains(&share), "{share} of 1000");
}

#[test]
fn a_single_rebuilt_block_reads_nothing_and_costs_more_than_no_cache() {
    let mut bench = Bench::new(0, 1000);
    let (mut cached, mut flat) = (0, 0);
    for turn in 0..10 {
        let rebuilt = bench.part(&format!("view {turn}")).with_breakpoint(FiveMinutes);
        let seen = bench.send(&[rebuilt]);
        assert_eq!(seen, usage(0, 1000, 0));
        cached += price_in_hundredths(seen);
        flat += u128::from(seen.total()) * 100;
    }
    assert_eq!(cached * 100, flat * 125);
}

#[test]
fn a_changed_block_takes_everything_after_it() {
    let mut bench = Bench::new(0, 10);
    bench.send_first(6, 5);
    let mut parts = bench.parts(6, &[(1, FiveMinutes), (5, FiveMinutes)]);
    bench.send(&parts);
    parts[3] = bench.part("changed");
    assert_eq!(bench.send(&parts), usage(20, 40, 0), "up to the breakpoint before the change");
    parts[0] = bench.part("changed");
    assert_eq!(bench.send(&parts), usage(0, 60, 0));
}

#[test]
fn nothing_is_found_where_nothing_was_written() {
    // The documentation's common mistake: a stable prefix, and the breakpoint on what changes.
    let mut bench = Bench::new(0, 10);
    let stable = bench.parts(5, &[]);
    for turn in 0..3 {
        let mut parts = stable.clone();
        parts.push(bench.part(&format!("time {turn}")).with_breakpoint(FiveMinutes));
        assert_eq!(bench.send(&parts), usage(0, 60, 0));
    }
}

#[test]
fn a_lookup_reaches_twenty_positions_and_a_second_breakpoint_starts_another() {
    // The documentation's example: 10, 15, then 35 blocks with the breakpoint on the last.
    let mut bench = Bench::new(0, 10);
    assert_eq!(bench.send_first(10, 9), usage(0, 100, 0));
    assert_eq!(bench.send_first(15, 14), usage(100, 50, 0));
    assert_eq!(bench.send_first(34, 33), usage(150, 190, 0), "the 20th position is in reach");
    let mut bench = Bench::new(0, 10);
    bench.send_first(15, 14);
    assert_eq!(bench.send_first(35, 34), usage(0, 350, 0), "the 21st is not");
    let mut bench = Bench::new(0, 10);
    bench.send_first(15, 14);
    let parts = bench.parts(35, &[(14, FiveMinutes), (34, FiveMinutes)]);
    assert_eq!(bench.send(&parts), usage(150, 200, 0));
}

#[test]
fn a_run_of_tool_results_is_one_position() {
    for (kind, read) in
        [(PartKind::ToolResult, 150), (PartKind::ToolUse, 150), (PartKind::Other, 0)]
    {
        let mut bench = Bench::new(0, 10);
        bench.send_first(15, 14);
        let mut parts = bench.parts(60, &[(59, FiveMinutes)]);
        parts[15..].iter_mut().for_each(|part| part.kind = kind);
        assert_eq!(bench.send(&parts).cache_read, read, "{kind:?}");
    }
    // Calls and results that take turns are positions each.
    let mut bench = Bench::new(0, 10);
    bench.send_first(15, 14);
    let mut parts = bench.parts(60, &[(59, FiveMinutes)]);
    for (at, part) in parts.iter_mut().enumerate().skip(15) {
        part.kind = if at % 2 == 0 { PartKind::ToolUse } else { PartKind::ToolResult };
    }
    assert_eq!(bench.send(&parts).cache_read, 0);
}

#[test]
fn a_prefix_below_the_minimum_is_not_cached() {
    let mut bench = Bench::new(1024, 341);
    for _ in 0..2 {
        assert_eq!(bench.send_first(3, 2), usage(0, 0, 1023));
    }
    assert_eq!(bench.send_first(4, 3), usage(0, 1364, 0));
    assert_eq!(bench.send_first(4, 3), usage(1364, 0, 0));
    let mut exact = Bench::new(1024, 1024);
    assert_eq!(exact.send_first(1, 0), usage(0, 1024, 0));
}

#[test]
fn an_entry_lives_for_its_lifetime_from_its_last_use() {
    for lifetime in [FiveMinutes, OneHour] {
        let mut bench = Bench::new(0, 10);
        let parts = bench.parts(2, &[(1, lifetime)]);
        let at = |bench: &mut Bench, seconds| bench.cache.request(seconds, &parts).unwrap();
        let alive = lifetime.seconds() - 1;
        assert_eq!(at(&mut bench, 0).cache_read, 0);
        assert_eq!(at(&mut bench, alive).cache_read, 20);
        assert_eq!(at(&mut bench, 2 * alive).cache_read, 20, "the use before kept it alive");
        assert_eq!(at(&mut bench, 2 * alive + lifetime.seconds()).cache_read, 0);
        assert_eq!(at(&mut bench, 3 * alive + lifetime.seconds()).cache_read, 20, "written anew");
    }
}

#[test]
fn mixed_lifetimes_are_charged_by_their_places() {
    let mut bench = Bench::new(0, 10);
    let parts = bench.parts(8, &[(2, OneHour), (5, FiveMinutes)]);
    let first = bench.send(&parts);
    let expected =
        TokenUsage { input: 20, cache_write_5m: 30, cache_write_1h: 30, ..TokenUsage::default() };
    assert_eq!(first, expected);
    assert_eq!(price_in_hundredths(first), 2000 + 30 * 125 + 30 * 200);
    // Past five minutes only the hour's entry is left.
    let later = bench.cache.request(1000, &parts).unwrap();
    assert_eq!(later, usage(30, 30, 20));
}

#[test]
fn requests_that_the_provider_refuses_change_nothing() {
    let mut bench = Bench::new(0, 10);
    let five: Vec<(usize, Lifetime)> = (0..5).map(|at| (at, FiveMinutes)).collect();
    let parts = bench.parts(6, &five);
    let error = bench.cache.request(1, &parts).unwrap_err();
    assert_eq!(error, CacheError::TooManyBreakpoints { count: 5, most: 4 });
    let parts = bench.parts(6, &[(0, FiveMinutes), (3, OneHour)]);
    assert_eq!(bench.cache.request(1, &parts), Err(CacheError::LifetimeOrder));
    assert_eq!(bench.send_first(6, 5).cache_read, 0);
    let parts = bench.parts(1, &[]);
    assert_eq!(bench.cache.request(0, &parts), Err(CacheError::TimeWentBack { at: 0, last: 1 }));
    let mut other = PrefixCache::new(CacheRules::with_minimum(0));
    assert_eq!(other.request(1, &parts), Err(CacheError::ForeignBlock));
}

#[test]
fn equal_texts_are_one_block_and_are_counted_once() {
    let mut cache = PrefixCache::new(CacheRules::with_minimum(0));
    let first = cache.block(&Arc::from("text"), |text| text.len() as u64);
    let again = cache.block(&Arc::from("text"), |_| unreachable!());
    assert_eq!(first, again);
    assert_eq!(again.tokens(), 4);
}

#[test]
fn an_unknown_model_has_no_rules() {
    let minimum = |model| CacheRules::of_model(model).map(|rules| rules.minimum_tokens);
    assert_eq!(minimum("claude-sonnet-5"), Some(1024));
    assert_eq!(minimum("claude-opus-4-5-20251101"), Some(4096));
    assert_eq!(minimum("claude-opus-4-20250514"), Some(1024));
    assert_eq!(minimum("gpt-4"), None);
    assert_eq!(minimum("claude-opus-4-9"), None);
}

/// The rules, implemented naively: prefixes as lists of names, every entry checked.
#[derive(Default)]
struct Naive(Vec<(Vec<String>, Lifetime, u64)>);

impl Naive {
    fn request(
        &mut self,
        now: u64,
        names: &[(String, Option<Lifetime>)],
        minimum: usize,
    ) -> [u64; 4] {
        let prefix = |end: usize| names[..end].iter().map(|(n, _)| n.clone()).collect::<Vec<_>>();
        let breakpoints: Vec<(usize, Lifetime)> = (names.iter().enumerate())
            .filter_map(|(at, (_, lifetime))| Some((at + 1, (*lifetime)?)))
            .filter(|(end, _)| *end >= minimum)
            .collect();
        let alive = |entry: &&(Vec<String>, Lifetime, u64)| now - entry.2 < entry.1.seconds();
        let mut read = 0;
        for (end, _) in &breakpoints {
            for back in end.saturating_sub(19).max(1)..=*end {
                if self.0.iter().filter(alive).any(|entry| entry.0 == prefix(back)) {
                    read = read.max(back);
                }
            }
        }
        let mut used: Vec<Vec<String>> = breakpoints.iter().map(|(end, _)| prefix(*end)).collect();
        if read > 0 {
            used.push(prefix(read));
        }
        self.0.retain(|entry| alive(&entry));
        self.0.iter_mut().filter(|entry| used.contains(&entry.0)).for_each(|entry| entry.2 = now);
        for (end, lifetime) in &breakpoints {
            if !self.0.iter().any(|entry| entry.0 == prefix(*end)) {
                self.0.push((prefix(*end), *lifetime, now));
            }
        }
        let hours = breakpoints.iter().filter(|(_, lifetime)| *lifetime == OneHour);
        let hour = hours.map(|(end, _)| *end).max().unwrap_or(0).max(read);
        let last = breakpoints.last().map_or(read, |(end, _)| *end);
        [names.len() - last, read, last - hour, hour - read].map(|tokens| tokens as u64)
    }
}

proptest! {
    #[test]
    fn the_simulator_agrees_with_a_naive_one(
        requests in prop::collection::vec(
            (0u64..400, 0usize..45, 0usize..80, prop::collection::btree_map(
                0usize..45, any::<bool>(), 0..5,
            )),
            1..12,
        ),
        minimum in 0usize..6,
    ) {
        let mut cache = PrefixCache::new(CacheRules::with_minimum(minimum as u64));
        let mut naive = Naive::default();
        let mut now = 0;
        for (pause, length, changed_from, breakpoints) in requests {
            now += pause;
            let lifetime = |at: usize| {
                // Hours first, as the provider wants them.
                let hours = breakpoints.values().filter(|hour| **hour).count();
                let place = breakpoints.keys().position(|place| *place == at)?;
                (place < 4).then_some(if place < hours { OneHour } else { FiveMinutes })
            };
            let names: Vec<(String, Option<Lifetime>)> = (0..length)
                .map(|at| (format!("{at} {}", at >= changed_from), lifetime(at)))
                .collect();
            let parts: Vec<Part> = names.iter()
                .map(|(name, breakpoint)| Part {
                    breakpoint: *breakpoint,
                    ..Part::new(cache.block(&Arc::from(name.as_str()), |_| 1))
                })
                .collect();
            let seen = cache.request(now, &parts).unwrap();
            let TokenUsage { input, cache_read, cache_write_5m, cache_write_1h, .. } = seen;
            let expected = naive.request(now, &names, minimum);
            prop_assert_eq!([input, cache_read, cache_write_5m, cache_write_1h], expected);
            prop_assert_eq!(seen.total(), parts.len() as u64);
        }
    }
}
