//! Recall over many cuts, its interval, and the difference between two contexts.

use ground_truth::stats::bootstrap::{self, Bootstrap, BootstrapKind, ClusterSum};
use ground_truth::stats::{FEWEST_CLUSTERS, Level};

use super::cuts::CutKind;
use super::entities::EntityKind;
use super::measure::{ContextKey, Counts, CutResult, SessionResult};

/// Resamples of an interval.
const RESAMPLES: u32 = 2000;
/// The difference within which two contexts are tied: that of the reports.
const MARGIN: f64 = 0.05;

/// Which entities are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// What only the past could tell.
    Needed,
    /// Also what was shown again.
    UsedNext,
}

impl Asked {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Needed => "needed",
            Self::UsedNext => "used next",
        }
    }
}

/// Which kinds of entities are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    /// All but whole commands.
    Pooled,
    /// This one.
    One(EntityKind),
}

/// What is summed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) cut: CutKind,
    pub(super) asked: Asked,
    pub(super) kinds: Kinds,
}

impl Question {
    /// Of counts, those that are asked for.
    pub(super) fn of(self, counts: &Counts) -> u32 {
        let by_kind = match self.asked {
            Asked::Needed => &counts.needed,
            Asked::UsedNext => &counts.used,
        };
        let pooled = |kind: &EntityKind| match self.kinds {
            Kinds::Pooled => *kind != EntityKind::WholeCommand,
            Kinds::One(one) => *kind == one,
        };
        EntityKind::ALL.into_iter().filter(pooled).map(|kind| by_kind[kind as usize]).sum()
    }

    fn cuts(self, run: &SessionResult) -> impl Iterator<Item = &CutResult> {
        run.cuts.iter().filter(move |cut| cut.kind == self.cut)
    }
}

/// How many cuts there are, what is asked for at them, and the runs that have any.
pub(super) fn wanted(runs: &[SessionResult], question: Question) -> (u64, u64, u64) {
    let (mut cuts, mut of, mut with) = (0, 0, 0);
    for run in runs {
        let before = cuts;
        for cut in question.cuts(run) {
            cuts += 1;
            of += u64::from(question.of(&cut.all));
        }
        with += u64::from(cuts > before);
    }
    (cuts, of, with)
}

/// A share of what is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Recall {
    pub(super) held: u64,
    pub(super) of: u64,
    pub(super) cuts: u64,
    pub(super) mean_chars: f64,
    pub(super) interval: Option<(f64, f64)>,
}

impl Recall {
    /// The share; none of nothing.
    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub(super) fn share(&self) -> Option<f64> {
        (self.of > 0).then(|| self.held as f64 / self.of as f64)
    }
}

fn spec(seed: u64) -> Bootstrap {
    Bootstrap { kind: BootstrapKind::Bca, resamples: RESAMPLES, seed, level: Level::P95 }
}

/// The recall of a context over the cuts at which there is one.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(super) fn recall(
    runs: &[SessionResult],
    key: ContextKey,
    question: Question,
    seed: Option<u64>,
) -> Recall {
    let mut all = Recall { held: 0, of: 0, cuts: 0, mean_chars: 0.0, interval: None };
    let mut clusters = Vec::new();
    let mut chars = 0;
    for run in runs {
        let (mut held, mut of) = (0, 0);
        for cut in question.cuts(run) {
            let Some(found) = cut.held.get(&key) else { continue };
            held += u64::from(question.of(&found.counts));
            of += u64::from(question.of(&cut.all));
            chars += found.chars;
            all.cuts += 1;
        }
        if of > 0 {
            clusters.push(ClusterSum { num: held as f64, den: of as f64 });
        }
        all.held += held;
        all.of += of;
    }
    all.mean_chars = if all.cuts == 0 { 0.0 } else { chars as f64 / all.cuts as f64 };
    if let Some(seed) = seed.filter(|_| clusters.len() as u64 >= FEWEST_CLUSTERS) {
        let interval = bootstrap::ratio(&clusters, &spec(seed)).ok();
        all.interval = interval.map(|interval| (interval.lo, interval.hi));
    }
    all
}

/// What a comparison says of the first: as in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Better,
    Worse,
    Tied,
    Unresolved,
}

impl Verdict {
    /// Its name in print.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Tied => "tied",
            Self::Unresolved => "unresolved",
        }
    }
}

/// The first's recall less the second's, over the cuts at which there are both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) lead: f64,
    pub(super) interval: Option<(f64, f64)>,
    pub(super) verdict: Verdict,
}

/// A session's sums for a paired difference.
struct PairedSum {
    first: f64,
    second: f64,
    of: f64,
}

/// Compares two contexts.
pub(super) fn difference(
    runs: &[SessionResult],
    keys: (ContextKey, ContextKey),
    question: Question,
    seed: u64,
) -> Option<Difference> {
    let mut sums = Vec::new();
    for run in runs {
        let mut sum = PairedSum { first: 0.0, second: 0.0, of: 0.0 };
        for cut in question.cuts(run) {
            let both = cut.held.get(&keys.0).zip(cut.held.get(&keys.1));
            let Some((first, second)) = both else { continue };
            sum.first += f64::from(question.of(&first.counts));
            sum.second += f64::from(question.of(&second.counts));
            sum.of += f64::from(question.of(&cut.all));
        }
        if sum.of > 0.0 {
            sums.push(sum);
        }
    }
    let statistic = |drawn: &[&PairedSum]| {
        let of: f64 = drawn.iter().map(|sum| sum.of).sum();
        let lead: f64 = drawn.iter().map(|sum| sum.first - sum.second).sum();
        (of > 0.0).then(|| lead / of)
    };
    let lead = statistic(&sums.iter().collect::<Vec<_>>())?;
    let enough = sums.len() as u64 >= FEWEST_CLUSTERS;
    let interval =
        enough.then(|| bootstrap::statistic(&sums, statistic, &spec(seed)).ok()).flatten();
    let interval = interval.map(|interval| (interval.lo, interval.hi));
    Some(Difference { lead, interval, verdict: verdict(interval) })
}

fn verdict(interval: Option<(f64, f64)>) -> Verdict {
    match interval {
        Some((lo, _)) if lo > 0.0 => Verdict::Better,
        Some((_, hi)) if hi < 0.0 => Verdict::Worse,
        Some((lo, hi)) if lo >= -MARGIN && hi <= MARGIN => Verdict::Tied,
        _ => Verdict::Unresolved,
    }
}
