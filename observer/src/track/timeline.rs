//! Calls, tokens and cost over time, in buckets that widen as the run grows: at most [`KEPT`] of them
//! are kept, whatever the length of the run. Hours in which nothing happened take no bucket.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use trace_model::fold::Tokens;
use trace_model::ids::Millis;

/// Buckets kept.
const KEPT: usize = 480;
/// The narrowest bucket, in milliseconds.
const NARROWEST: i64 = 1000;
/// Empty buckets in a row that are drawn; more of them are drawn as a gap.
const DRAWN_GAP: i64 = 6;

/// Tokens by class, as changes: a later record of a call may correct an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strip {
    /// Neither read from nor written to the cache.
    pub input: i64,
    /// Output.
    pub output: i64,
    /// Written to the cache.
    pub cache_write: i64,
    /// Read from the cache.
    pub cache_read: i64,
}

impl Strip {
    pub(super) fn between(before: &Tokens, after: &Tokens) -> Self {
        let change =
            |before: u64, after: u64| after.cast_signed().wrapping_sub(before.cast_signed());
        Self {
            input: change(before.input, after.input),
            output: change(before.output, after.output),
            cache_write: change(before.cache_creation, after.cache_creation),
            cache_read: change(before.cache_read, after.cache_read),
        }
    }

    /// All classes together; corrections below zero count as none.
    pub fn total(&self) -> u64 {
        let sum = self.input + self.output + self.cache_write + self.cache_read;
        u64::try_from(sum).unwrap_or(0)
    }
}

/// What happened in a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bucket {
    /// Calls issued.
    pub calls: u64,
    /// Results that failed.
    pub failed: u64,
    /// Calls that were refused.
    pub denied: u64,
    /// Calls that were interrupted.
    pub interrupted: u64,
    /// Prompts.
    pub prompts: u64,
    /// Tokens.
    pub tokens: Strip,
    /// Dollars, where there is a price.
    pub dollars: Decimal,
}

impl Bucket {
    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.denied += other.denied;
        self.interrupted += other.interrupted;
        self.prompts += other.prompts;
        self.tokens.input += other.tokens.input;
        self.tokens.output += other.tokens.output;
        self.tokens.cache_write += other.tokens.cache_write;
        self.tokens.cache_read += other.tokens.cache_read;
        self.dollars += other.dollars;
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A piece of the time axis as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A bucket that begins at this time; it may be empty.
    Bucket(Millis, Bucket),
    /// Nothing happened for this many milliseconds.
    Gap(i64),
}

/// Buckets by their number: a bucket's time over the width.
#[derive(Clone, Debug)]
pub struct Timeline {
    width: i64,
    buckets: BTreeMap<i64, Bucket>,
    /// What happened at no known time.
    untimed: Bucket,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { width: NARROWEST, buckets: BTreeMap::new(), untimed: Bucket::default() }
    }
}

impl Timeline {
    pub(super) fn add(&mut self, time: Option<Millis>, what: &Bucket) {
        if what.is_empty() {
            return;
        }
        let Some(Millis(time)) = time else { return self.untimed.add(what) };
        self.buckets.entry(time.div_euclid(self.width)).or_default().add(what);
        while self.buckets.len() > KEPT {
            self.widen();
        }
    }

    fn widen(&mut self) {
        self.width = self.width.saturating_mul(2);
        let narrow = std::mem::take(&mut self.buckets);
        for (number, bucket) in narrow {
            self.buckets.entry(number.div_euclid(2)).or_default().add(&bucket);
        }
    }

    /// The width of a bucket, in milliseconds.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// What happened at no known time.
    pub fn untimed(&self) -> &Bucket {
        &self.untimed
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// The same in buckets so wide that at most `slots` pieces are drawn.
    #[must_use]
    pub fn widened_to(&self, slots: usize) -> Self {
        let mut timeline = self.clone();
        while timeline.buckets.len() > 1 && timeline.slots().len() > slots {
            timeline.widen();
        }
        timeline
    }

    /// The time axis from the first bucket to the last.
    pub fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::with_capacity(self.buckets.len());
        let mut next: Option<i64> = None;
        for (number, bucket) in &self.buckets {
            let empty = next.map_or(0, |next| number.saturating_sub(next));
            if empty > DRAWN_GAP {
                slots.push(Slot::Gap(empty.saturating_mul(self.width)));
            } else {
                let empty = (number - empty)..*number;
                slots.extend(empty.map(|n| Slot::Bucket(self.start(n), Bucket::default())));
            }
            slots.push(Slot::Bucket(self.start(*number), *bucket));
            next = Some(number + 1);
        }
        slots
    }

    fn start(&self, number: i64) -> Millis {
        Millis(number.saturating_mul(self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(calls: u64) -> Bucket {
        Bucket { calls, ..Bucket::default() }
    }

    fn total(timeline: &Timeline) -> u64 {
        let of = |slot| match slot {
            Slot::Bucket(_, bucket) => bucket.calls,
            Slot::Gap(_) => 0,
        };
        timeline.slots().into_iter().map(of).sum()
    }

    #[test]
    fn a_long_run_keeps_so_many_buckets_and_every_call() {
        let mut timeline = Timeline::default();
        for second in 0..100_000 {
            timeline.add(Some(Millis(second * 1000)), &calls(1));
        }
        assert!(timeline.buckets.len() <= KEPT);
        assert_eq!(total(&timeline), 100_000);
        let drawn = timeline.widened_to(100);
        assert!(drawn.slots().len() <= 100);
        assert_eq!(total(&drawn), 100_000);
    }

    #[test]
    fn a_night_is_a_gap_and_a_short_pause_is_drawn() {
        let mut timeline = Timeline::default();
        for second in [0, 3, 3 + 8 * 3600] {
            timeline.add(Some(Millis(second * 1000)), &calls(1));
        }
        let slots = timeline.slots();
        assert_eq!(slots.len(), 6);
        assert_eq!(slots[3], Slot::Bucket(Millis(3000), calls(1)));
        assert_eq!(slots[4], Slot::Gap((8 * 3600 - 1) * 1000));
    }

    #[test]
    fn times_out_of_order_and_absurd_times_lose_nothing() {
        let mut timeline = Timeline::default();
        for time in [1_800_000_000_000, 0, i64::MIN, i64::MAX, -5] {
            timeline.add(Some(Millis(time)), &calls(1));
        }
        timeline.add(None, &calls(1));
        assert_eq!((total(&timeline), timeline.untimed().calls), (5, 1));
        assert!(timeline.widened_to(2).slots().len() <= 3);
    }
}
