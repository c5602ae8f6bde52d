//! The only source of chance in the crate: a ChaCha stream that a profile, a seed and a stream name
//! fix completely, and integer draws from it. Nothing else in the crate may draw.
//!
//! The generator is `ChaCha8Rng` of `chacha20`, seeded with
//! SHA-256(`tracefold/corpus-gen/1` 0x00 profile 0x00 seed as 8 big-endian bytes 0x00 stream). Both are
//! specified bit for bit, so the same arguments give the same draws on every platform.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};

/// What separates these seeds from any other use of SHA-256 over similar text.
const DOMAIN: &str = "tracefold/corpus-gen/1";

/// A stream of draws.
#[derive(Debug)]
pub struct Draw {
    rng: ChaCha8Rng,
    pool: u64,
    left: u32,
}

impl Draw {
    /// The stream named `stream` of (`profile`, `seed`). Streams of different names are independent:
    /// drawing more from one does not shift another.
    #[must_use]
    pub fn new(profile: &str, seed: u64, stream: &str) -> Self {
        let mut hash = Sha256::new();
        for part in [DOMAIN.as_bytes(), profile.as_bytes(), &seed.to_be_bytes()] {
            hash.update(part);
            hash.update([0]);
        }
        hash.update(stream.as_bytes());
        Self { rng: ChaCha8Rng::from_seed(hash.finalize().into()), pool: 0, left: 0 }
    }

    /// Sixty-four random bits.
    pub fn word(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// `n` random bits (at most 16), as an index. Cheaper than [`Draw::below`] where the range is a
    /// power of two: one word of the stream serves several calls.
    pub fn bits(&mut self, n: u32) -> usize {
        debug_assert!(n <= 16);
        if self.left < n {
            self.pool = self.rng.next_u64();
            self.left = 64;
        }
        let value = self.pool & ((1 << n) - 1);
        self.pool >>= n;
        self.left -= n;
        to_index(value)
    }

    /// A uniform integer in `0..n`, or 0 where `n` is 0. Without modulo bias (Lemire's
    /// multiply-and-reject, arXiv 1805.10941).
    pub fn below(&mut self, n: u64) -> u64 {
        if n <= 1 {
            return 0;
        }
        let reject_under = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.word()) * u128::from(n);
            if low(wide) >= reject_under {
                return high(wide);
            }
        }
    }

    /// A uniform integer in `lo..=hi`; `lo` where the range is empty.
    pub fn between(&mut self, lo: u64, hi: u64) -> u64 {
        if hi <= lo {
            return lo;
        }
        match (hi - lo).checked_add(1) {
            Some(n) => lo + self.below(n),
            None => self.word(),
        }
    }

    /// True in `num` of `den` cases.
    pub fn chance(&mut self, num: u64, den: u64) -> bool {
        self.below(den) < num
    }

    /// A uniform index of a sequence of `len` elements (0 where it is empty).
    pub fn index(&mut self, len: usize) -> usize {
        to_index(self.below(len as u64))
    }

    /// A uniform element.
    ///
    /// # Panics
    /// If `items` is empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// An element, chosen in proportion to its integer weight. The first one where all weights are 0.
    ///
    /// # Panics
    /// If `items` is empty.
    pub fn weighted<'a, T>(&mut self, items: &'a [(u64, T)]) -> &'a T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut ticket = self.below(total);
        for (weight, item) in items {
            if ticket < *weight {
                return item;
            }
            ticket -= weight;
        }
        &items[0].1
    }

    /// Puts the elements into a uniformly random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }

    /// How many of `remaining` things fall on the next of `slots` equal slots, so that all are used up
    /// when the slots are (selection sampling).
    pub fn share(&mut self, remaining: u64, slots: u64) -> u64 {
        if slots <= 1 {
            return remaining;
        }
        remaining / slots + u64::from(self.below(slots) < remaining % slots)
    }
}

#[allow(clippy::cast_possible_truncation)] // the low half is what is asked for
fn low(wide: u128) -> u64 {
    wide as u64
}

#[allow(clippy::cast_possible_truncation)] // fits after the shift
fn high(wide: u128) -> u64 {
    (wide >> 64) as u64
}

/// A drawn number as an index. Drawn indexes are below the length of something in memory.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn to_index(value: u64) -> usize {
    value as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stream_is_pinned() {
        let mut draw = Draw::new("paper", 201, "test");
        let words: Vec<u64> = (0..3).map(|_| draw.word()).collect();
        assert_eq!(words, STREAM, "a change here changes every generated byte");
    }

    /// The first block of `ChaCha8` (key as in the module's description, counter and nonce 0), computed
    /// by another implementation.
    const STREAM: [u64; 3] =
        [7_224_841_456_937_736_793, 4_024_840_908_603_929_884, 7_739_278_806_043_877_550];

    #[test]
    fn streams_differ_by_profile_seed_and_name() {
        let first = |p, s, n| Draw::new(p, s, n).word();
        let base = first("a", 1, "x");
        assert_ne!(base, first("b", 1, "x"));
        assert_ne!(base, first("a", 2, "x"));
        assert_ne!(base, first("a", 1, "y"));
    }

    #[test]
    fn weights_are_kept() {
        let mut draw = Draw::new("t", 1, "w");
        let mut seen = [0u32; 3];
        for _ in 0..8000 {
            seen[*draw.weighted(&[(1, 0usize), (0, 1), (3, 2)])] += 1;
        }
        assert_eq!(seen[1], 0);
        assert!((1800..2200).contains(&seen[0]), "{seen:?}");
    }

    proptest! {
        #[test]
        fn draws_stay_in_range(seed: u64, lo: u64, hi: u64, n in 1u32..=16) {
            let mut draw = Draw::new("t", seed, "p");
            for _ in 0..20 {
                let value = draw.between(lo, hi);
                prop_assert!(value >= lo && (value <= hi || hi < lo));
                prop_assert!(draw.below(hi) < hi.max(1));
                prop_assert!(draw.bits(n) < 1 << n);
                prop_assert!(draw.index(7) < 7);
            }
        }

        #[test]
        fn shares_use_everything_up(seed: u64, total in 0u64..500, slots in 1u64..90) {
            let mut draw = Draw::new("t", seed, "s");
            let mut left = total;
            for slot in 0..slots {
                left -= draw.share(left, slots - slot);
            }
            prop_assert_eq!(left, 0);
        }

        #[test]
        fn shuffle_keeps_the_elements(seed: u64, mut items: Vec<u8>) {
            let mut before = items.clone();
            Draw::new("t", seed, "s").shuffle(&mut items);
            before.sort_unstable();
            items.sort_unstable();
            prop_assert_eq!(before, items);
        }
    }
}
