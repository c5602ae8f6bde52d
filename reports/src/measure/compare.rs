//! One cell against another, in pairs: by seed for runs, by transcript and question for answers.

use std::collections::BTreeMap;

use ground_truth::stats::{self, ClusterSum, Direction, Level, bootstrap};
use rust_decimal::Decimal;

use super::bounds::{Bounds, bootstrap_or_percentile, decimal, float, too_few};
use crate::cell::{ComprehendCell, Run};

/// Decisions made in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Two cells whose difference lies within this of 0 are tied.
    pub margin: Decimal,
    /// Level of tests, after adjustment.
    pub alpha: Decimal,
}

impl Default for Settings {
    fn default() -> Self {
        Self { margin: Decimal::new(5, 2), alpha: Decimal::new(5, 2) }
    }
}

/// What a comparison says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The second is better.
    Better,
    /// The second is worse.
    Worse,
    /// Their difference lies within the margin.
    Tied,
    /// The data do not say.
    Unresolved,
}

impl Verdict {
    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Tied => "tied",
            Self::Unresolved => "unresolved",
        }
    }
}

/// A paired comparison. Differences are second minus first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Pairs with a value on both sides.
    pub pairs: u64,
    /// Clusters that the pairs fall into.
    pub clusters: u64,
    /// Values without a partner.
    pub unpaired: u64,
    /// Mean difference; none without pairs.
    pub difference: Option<Decimal>,
    /// Its interval.
    pub interval: Bounds,
    /// For yes-or-no outcomes, pairs that only the first passed.
    pub only_a: Option<u64>,
    /// Pairs that only the second passed.
    pub only_b: Option<u64>,
    /// `McNemar`'s exact p for yes-or-no outcomes, that of sign changes by transcript for scores.
    pub p: Option<Decimal>,
    /// The same, adjusted by Holm over the comparisons of one table.
    pub p_holm: Option<Decimal>,
    /// The smallest difference that this many pairs could have shown.
    pub detectable: Option<Decimal>,
    /// What follows.
    pub verdict: Verdict,
}

/// Two arms over the seeds that both ran.
pub fn compare_runs(a: &[&Run], b: &[&Run], settings: Settings) -> Comparison {
    let (first, second) = (by_seed(a), by_seed(b));
    let pairs: Vec<(bool, bool)> = first
        .iter()
        .filter_map(|(seed, &one)| second.get(seed).map(|&other| (one, other)))
        .collect();
    let count = |what: (bool, bool)| pairs.iter().filter(|pair| **pair == what).count() as u64;
    let (only_a, only_b) = (count((true, false)), count((false, true)));
    let n = pairs.len() as u64;
    let with_value = (first.len() + second.len()) as u64;
    let p = if n == 0 { None } else { decimal(stats::mcnemar_exact(only_a, only_b)) };
    let difference = (Decimal::from(only_b) - Decimal::from(only_a)).checked_div(Decimal::from(n));
    let mut comparison = Comparison {
        pairs: n,
        clusters: n,
        unpaired: with_value - 2 * n,
        difference,
        interval: run_interval(&pairs, only_a + only_b),
        only_a: Some(only_a),
        only_b: Some(only_b),
        p,
        p_holm: p,
        detectable: detectable(count((true, true)) + only_a, n, only_b >= only_a),
        verdict: Verdict::Unresolved,
    };
    comparison.settle(settings);
    comparison
}

fn by_seed<'a>(runs: &[&'a Run]) -> BTreeMap<&'a str, bool> {
    runs.iter().filter_map(|run| Some((run.seed.as_str(), run.success()?))).collect()
}

/// Bootstrap over seeds. Where no seed differs there is nothing to resample; then the difference is
/// at most the share of discordant pairs, whose exact interval bounds it on both sides.
fn run_interval(pairs: &[(bool, bool)], discordant: u64) -> Bounds {
    if discordant == 0 && pairs.len() > 1 {
        return match stats::clopper_pearson(0, pairs.len() as u64, Level::P95) {
            Ok(interval) => decimal(interval.hi).map_or_else(
                || Bounds::None("out of range".to_owned()),
                |hi| Bounds::Ends {
                    lo: -hi,
                    hi,
                    kind: "95% Clopper-Pearson of discordance".to_owned(),
                },
            ),
            Err(error) => Bounds::None(error.to_string()),
        };
    }
    let one = |yes: bool| f64::from(u8::from(yes));
    let clusters: Vec<Vec<f64>> = pairs.iter().map(|&(a, b)| vec![one(b) - one(a)]).collect();
    bootstrap_or_percentile(clusters.len(), |spec| bootstrap::mean(&clusters, spec))
}

#[expect(clippy::cast_precision_loss, reason = "counts of pairs stay far below 2^53")]
fn detectable(yes: u64, n: u64, upwards: bool) -> Option<Decimal> {
    if n == 0 {
        return None;
    }
    let direction = if upwards { Direction::Increase } else { Direction::Decrease };
    let share = yes as f64 / n as f64;
    stats::minimum_detectable_difference(share, n, 0.05, 0.8, direction).ok()?.and_then(decimal)
}

/// Two conditions or readers over the questions that both answered, clustered by transcript. None
/// where scores per transcript are not known on both sides.
pub fn compare_answers(
    a: &ComprehendCell,
    b: &ComprehendCell,
    settings: Settings,
) -> Option<Comparison> {
    let mut by_transcript: BTreeMap<&str, Vec<Decimal>> = BTreeMap::new();
    let (mut pairs, mut values) = (0, 0);
    for (name, one) in &a.questions {
        let Some(other) = b.questions.get(name) else { continue };
        values += one.scores.len() + other.scores.len();
        for (key, x) in &one.scores {
            if let Some(y) = other.scores.get(key) {
                by_transcript.entry(&key.0).or_default().push(y - x);
                pairs += 1;
            }
        }
    }
    if pairs == 0 {
        return None;
    }
    Some(score_comparison(&by_transcript, (values - 2 * pairs) as u64, settings))
}

fn score_comparison(
    by_transcript: &BTreeMap<&str, Vec<Decimal>>,
    unpaired: u64,
    settings: Settings,
) -> Comparison {
    let pairs: u64 = by_transcript.values().map(|v| v.len() as u64).sum();
    let sum: Decimal = by_transcript.values().flatten().sum();
    #[expect(clippy::cast_precision_loss, reason = "questions stay far below 2^53")]
    let clusters: Vec<ClusterSum> = by_transcript
        .values()
        .map(|v| ClusterSum { num: float(v.iter().sum()), den: v.len() as f64 })
        .collect();
    let sums: Vec<f64> = clusters.iter().map(|c| c.num).collect();
    let p = stats::sign_flip(&sums, SIGN_FLIP_SEED).ok().and_then(decimal);
    let mut comparison = Comparison {
        pairs,
        clusters: clusters.len() as u64,
        unpaired,
        difference: sum.checked_div(Decimal::from(pairs)),
        interval: bootstrap_or_percentile(clusters.len(), |spec| bootstrap::ratio(&clusters, spec)),
        only_a: None,
        only_b: None,
        p,
        p_holm: p,
        detectable: None,
        verdict: Verdict::Unresolved,
    };
    comparison.settle(settings);
    comparison
}

/// Seed of the draws where there are too many transcripts for all sign changes.
const SIGN_FLIP_SEED: u64 = 1;

impl Comparison {
    /// The verdict: apart by the adjusted p and by the interval, where there are both; by the one there is
    /// otherwise. Too few clusters resolve nothing, whatever a test over them says.
    pub fn settle(&mut self, settings: Settings) {
        let difference = self.difference.filter(|_| !too_few(self.clusters));
        let Some(difference) = difference else {
            self.verdict = Verdict::Unresolved;
            return;
        };
        let by_test = self.p_holm.map(|p| p < settings.alpha);
        let by_interval = self.interval.leaves_out_zero();
        let apart =
            by_test.or(by_interval).is_some() && ![by_test, by_interval].contains(&Some(false));
        self.verdict = if self.interval.within(settings.margin) {
            Verdict::Tied
        } else if apart && difference > Decimal::ZERO {
            Verdict::Better
        } else if apart && difference < Decimal::ZERO {
            Verdict::Worse
        } else {
            Verdict::Unresolved
        };
    }
}

/// Adjusts the p-values of one table's comparisons by Holm's method, and settles them again.
pub fn adjust(comparisons: &mut [&mut Comparison], settings: Settings) {
    let raw: Vec<f64> = comparisons.iter().filter_map(|c| c.p).map(float).collect();
    let Ok(adjusted) = stats::holm(&raw) else { return };
    let tested = comparisons.iter_mut().filter(|c| c.p.is_some());
    for (comparison, p) in tested.zip(adjusted) {
        comparison.p_holm = decimal(p);
        comparison.settle(settings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Ended;

    fn runs(outcomes: &[u8]) -> Vec<Run> {
        let ended = |&yes: &u8| if yes == 1 { Ended::Success } else { Ended::Failure };
        outcomes.iter().enumerate().map(|(i, o)| Run::new(i.to_string(), ended(o))).collect()
    }

    fn compared(a: &[u8], b: &[u8]) -> Comparison {
        let (a, b) = (runs(a), runs(b));
        compare_runs(
            &a.iter().collect::<Vec<_>>(),
            &b.iter().collect::<Vec<_>>(),
            Settings::default(),
        )
    }

    #[test]
    fn the_direction_is_second_against_first() {
        let better = compared(&[0; 10], &[1; 10]);
        assert_eq!(
            (better.verdict, better.only_a, better.only_b),
            (Verdict::Better, Some(0), Some(10))
        );
        assert_eq!(compared(&[1; 10], &[0; 10]).verdict, Verdict::Worse);
    }

    #[test]
    fn few_equal_pairs_are_unresolved_and_many_are_tied() {
        // 0 of 30 discordant: the exact bound is 0.116, beyond the margin of 0.05.
        assert_eq!(compared(&[1; 30], &[1; 30]).verdict, Verdict::Unresolved);
        assert_eq!(compared(&[1; 100], &[1; 100]).verdict, Verdict::Tied);
        assert_eq!(compared(&[1, 0, 1], &[0, 1, 1]).verdict, Verdict::Unresolved);
    }

    #[test]
    fn too_few_clusters_have_no_interval_and_resolve_nothing() {
        // McNemar's p is 0.016.
        let seven = compared(&[0; 7], &[1; 7]);
        assert!(seven.p.unwrap() < Settings::default().alpha);
        assert_eq!(seven.interval, Bounds::TooFew(7));
        assert_eq!(seven.verdict, Verdict::Unresolved);
        assert_eq!(compared(&[0; 8], &[1; 8]).verdict, Verdict::Better);
        // Two transcripts that differ by nearly the same: a bootstrap would give [0.9333, 0.9375].
        let of = |wrong: usize, n: usize| -> Vec<Decimal> {
            (0..n).map(|i| Decimal::from(u8::from(i >= wrong))).collect()
        };
        let two = BTreeMap::from([("a", of(1, 15)), ("b", of(1, 16))]);
        let two = score_comparison(&two, 0, Settings::default());
        assert_eq!(two.interval, Bounds::TooFew(2));
        assert_eq!(two.verdict, Verdict::Unresolved);
    }

    #[test]
    fn no_verdict_contradicts_its_interval() {
        let counts = [0, 1, 3, 9];
        let tables = counts.iter().flat_map(|a| counts.iter().map(move |b| [*a, *b]));
        let tables: Vec<[usize; 2]> = tables.collect();
        let mut said = std::collections::BTreeSet::new();
        for [both, neither] in &tables {
            for [only_a, only_b] in &tables {
                let side = |parts: [(usize, u8); 4]| -> Vec<u8> {
                    parts.iter().flat_map(|&(n, yes)| vec![yes; n]).collect()
                };
                let a = side([(*both, 1), (*neither, 0), (*only_a, 1), (*only_b, 0)]);
                let b = side([(*both, 1), (*neither, 0), (*only_a, 0), (*only_b, 1)]);
                let found = compared(&a, &b);
                said.insert(found.verdict.name());
                let Some((lo, hi)) = found.interval.ends() else { continue };
                let holds = match found.verdict {
                    Verdict::Better => lo > Decimal::ZERO,
                    Verdict::Worse => hi < Decimal::ZERO,
                    Verdict::Tied => found.interval.within(Settings::default().margin),
                    Verdict::Unresolved => true,
                };
                assert!(holds, "{found:?}");
            }
        }
        assert!(["better", "worse", "unresolved"].iter().all(|name| said.contains(name)));
    }

    #[test]
    fn adjustment_can_take_a_verdict_back() {
        let mut one = compared(&[0; 8], &[1; 8]);
        assert_eq!(one.verdict, Verdict::Better);
        let mut others: Vec<Comparison> = (0..7).map(|_| compared(&[0, 1], &[1, 0])).collect();
        let mut all: Vec<&mut Comparison> = others.iter_mut().collect();
        all.push(&mut one);
        adjust(&mut all, Settings::default());
        assert_eq!(one.verdict, Verdict::Unresolved);
    }
}
