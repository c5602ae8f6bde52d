//! What repeats of a call show: how often an item is right every time, and how often its repeats do not agree.
//! Exact fractions, so that no result depends on the order of items.

/// An exact mean over items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The mean's numerator, in lowest terms.
    pub num: u128,
    /// The mean's denominator, in lowest terms; 0 without items, where there is no mean.
    pub den: u128,
    /// Number of items averaged, without those left out.
    pub items: u64,
}

/// pass^k: the chance that `k` repeats of an item, drawn from its graded ones, are all right; averaged
/// over items. With `n` repeats of an item, `c` of them right, the chance is `C(c, k) / C(n, k)`, the
/// unbiased estimator of tau-bench (arXiv 2406.12045); with `n = k` it is whether all are right.
///
/// An item with fewer than `k` repeats says nothing of this and is left out: compare [`Share::items`]
/// with the number of items. `k = 0` leaves every item out.
///
/// None if the fraction is beyond 128 bits, which takes dozens of different numbers of repeats.
#[must_use]
pub fn pass_hat_k<'a>(items: impl IntoIterator<Item = &'a [bool]>, k: u32) -> Option<Share> {
    let k = u128::from(k);
    let (mut sum, mut count) = (Fraction::ZERO, 0);
    for repeats in items {
        let n = repeats.len() as u128;
        if k == 0 || n < k {
            continue;
        }
        let right = repeats.iter().filter(|right| **right).count() as u128;
        sum = sum.plus(all_right(right, n, k)?)?;
        count += 1;
    }
    sum.mean(count)
}

/// The share of items whose repeats do not all agree, among items with at least two.
#[must_use]
pub fn flip_rate<'a>(items: impl IntoIterator<Item = &'a [bool]>) -> Share {
    let several = items.into_iter().filter(|repeats| repeats.len() >= 2);
    let (flipped, count) = several.fold((0, 0), |(flipped, count), repeats| {
        (flipped + u128::from(repeats.iter().any(|it| *it != repeats[0])), count + 1)
    });
    let Fraction { num, den } = Fraction { num: flipped, den: u128::from(count) }.lowest();
    Share { num, den, items: count }
}

/// `C(right, k) / C(n, k)`, as the product of `(right - i) / (n - i)`.
fn all_right(right: u128, n: u128, k: u128) -> Option<Fraction> {
    if right < k {
        return Some(Fraction::ZERO);
    }
    (0..k).try_fold(Fraction { num: 1, den: 1 }, |chance, i| {
        chance.times(Fraction { num: right - i, den: n - i })
    })
}

#[derive(Debug, Clone, Copy)]
struct Fraction {
    num: u128,
    den: u128,
}

impl Fraction {
    const ZERO: Self = Self { num: 0, den: 1 };

    fn lowest(self) -> Self {
        let divisor = gcd(self.num, self.den).max(1);
        Self { num: self.num / divisor, den: self.den / divisor }
    }

    fn times(self, other: Self) -> Option<Self> {
        let num = self.num.checked_mul(other.num)?;
        Some(Self { num, den: self.den.checked_mul(other.den)? }.lowest())
    }

    fn plus(self, other: Self) -> Option<Self> {
        let left = self.num.checked_mul(other.den)?;
        let num = left.checked_add(other.num.checked_mul(self.den)?)?;
        Some(Self { num, den: self.den.checked_mul(other.den)? }.lowest())
    }

    fn mean(self, items: u64) -> Option<Share> {
        if items == 0 {
            return Some(Share { num: 0, den: 0, items });
        }
        let Self { num, den } = self.times(Self { num: 1, den: u128::from(items) })?;
        Some(Share { num, den, items })
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(items: &[&[bool]], k: u32) -> (u128, u128, u64) {
        let Share { num, den, items } = pass_hat_k(items.iter().copied(), k).unwrap();
        (num, den, items)
    }

    #[test]
    fn pass_hat_k_is_the_unbiased_estimator() {
        let (t, f) = (true, false);
        // C(3, 2) / C(4, 2) = 1/2 and C(1, 2) = 0.
        assert_eq!(pass(&[&[t, t, f, t]], 2), (1, 2, 1));
        assert_eq!(pass(&[&[f, t]], 2), (0, 1, 1));
        // With n = k, the share of items that are right every time.
        assert_eq!(pass(&[&[t, t, t], &[t, f, t], &[t, t, t]], 3), (2, 3, 3));
        // With k = 1, the mean accuracy: (2/3 + 1/3) / 2.
        assert_eq!(pass(&[&[t, f, t], &[f, f, t]], 1), (1, 2, 2));
        // Too few repeats say nothing.
        assert_eq!(pass(&[&[t], &[t, t]], 2), (1, 1, 1));
        assert_eq!(pass(&[&[t]], 0), (0, 0, 0));
        assert_eq!(pass(&[], 3), (0, 0, 0));
    }

    #[test]
    fn estimator_equals_the_mean_over_all_draws() {
        // All pairs of 5 repeats, 3 right: 3 of 10.
        let repeats = [true, false, true, true, false];
        let pairs = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
        let (right, all) = pairs.fold((0, 0), |(right, all), (a, b)| {
            (right + u128::from(repeats[a] && repeats[b]), all + 1)
        });
        let share = pass_hat_k([repeats.as_slice()], 2).unwrap();
        assert_eq!(share.num * all, right * share.den);
    }

    #[test]
    fn flips_are_disagreements_either_way() {
        let (t, f) = (true, false);
        let items: [&[bool]; 5] = [&[t, t], &[f, f], &[t, f], &[f, t, f], &[t]];
        assert_eq!(flip_rate(items), Share { num: 1, den: 2, items: 4 });
        assert_eq!(flip_rate([]), Share { num: 0, den: 0, items: 0 });
    }
}
