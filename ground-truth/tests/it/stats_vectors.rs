//! The statistics against `SciPy` and statsmodels: `data/stats_vectors.json`, made by
//! `data/make_vectors.py`, to 1e-9.

use std::collections::BTreeMap;

use ground_truth::stats::{self, BootstrapKind, ClusterSum, Direction, Level, bootstrap, special};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    proportions: Vec<Proportion>,
    mcnemar: Vec<Discordant>,
    holm: Vec<Family>,
    detectable: Vec<Detectable>,
    percentiles: Vec<Percentiles>,
    normal_quantiles: Vec<(f64, f64)>,
    beta_quantiles: Vec<BetaQuantile>,
    bootstrap: Vec<Bootstrap>,
    bootstrap_median: Vec<BootstrapMedian>,
    total_variation: Vec<Distributions>,
    sign_flip: Vec<SignFlip>,
}

#[derive(Deserialize)]
struct SignFlip {
    differences: Vec<f64>,
    p: f64,
}

#[derive(Deserialize)]
struct Proportion {
    k: u64,
    n: u64,
    level: f64,
    clopper_pearson: [f64; 2],
    wilson: [f64; 2],
}

#[derive(Deserialize)]
struct Discordant {
    b: u64,
    c: u64,
    p: f64,
}

#[derive(Deserialize)]
struct Family {
    p: Vec<f64>,
    adjusted: Vec<f64>,
}

#[derive(Deserialize)]
struct Detectable {
    baseline: f64,
    n: u64,
    alpha: f64,
    power: f64,
    difference: Option<f64>,
}

#[derive(Deserialize)]
struct Percentiles {
    values: Vec<f64>,
    percentiles: Vec<(f64, f64)>,
}

#[derive(Deserialize)]
struct BetaQuantile {
    a: f64,
    b: f64,
    p: f64,
    x: f64,
}

#[derive(Deserialize)]
struct Bootstrap {
    name: String,
    num: Vec<f64>,
    den: Vec<f64>,
    draws: Vec<Vec<usize>>,
    kind: BootstrapKind,
    level: f64,
    interval: [f64; 2],
}

#[derive(Deserialize)]
struct BootstrapMedian {
    values: Vec<f64>,
    draws: Vec<Vec<usize>>,
    kind: BootstrapKind,
    interval: [f64; 2],
}

#[derive(Deserialize)]
struct Distributions {
    p: Vec<f64>,
    q: Vec<f64>,
    distance: f64,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("data/stats_vectors.json"))
        .expect("the committed vectors are valid JSON")
}

/// Equal to 1e-9: absolute up to 1, relative above.
#[track_caller]
fn agree(ours: f64, theirs: f64, what: &str) {
    let tolerance = 1e-9 * theirs.abs().max(1.0);
    assert!((ours - theirs).abs() <= tolerance, "{what}: {ours} here, {theirs} in the vectors");
}

#[track_caller]
fn ends_agree(ours: stats::Interval, theirs: [f64; 2], what: &str) {
    agree(ours.lo, theirs[0], what);
    agree(ours.hi, theirs[1], what);
}

#[test]
fn intervals_of_proportions_agree() {
    let cases = vectors().proportions;
    assert!(cases.len() >= 70);
    for case in cases {
        let level = Level::new(case.level).unwrap();
        let what = format!("{} of {} at {}", case.k, case.n, case.level);
        let exact = stats::clopper_pearson(case.k, case.n, level).unwrap();
        ends_agree(exact, case.clopper_pearson, &what);
        ends_agree(stats::wilson(case.k, case.n, level).unwrap(), case.wilson, &what);
    }
}

#[test]
fn mcnemar_agrees_relatively() {
    for case in vectors().mcnemar {
        let p = stats::mcnemar_exact(case.b, case.c);
        assert!((p / case.p - 1.0).abs() < 1e-9, "{} / {}: {p} {}", case.b, case.c, case.p);
    }
}

#[test]
fn holm_agrees() {
    for case in vectors().holm {
        let ours = stats::holm(&case.p).unwrap();
        assert_eq!(ours.len(), case.adjusted.len());
        for (a, b) in ours.iter().zip(&case.adjusted) {
            agree(*a, *b, &format!("{:?}", case.p));
        }
    }
}

#[test]
fn minimum_detectable_differences_agree() {
    let cases = vectors().detectable;
    assert!(cases.iter().any(|c| c.difference.is_none()));
    for c in cases {
        let what = format!("{} n={} alpha={} power={}", c.baseline, c.n, c.alpha, c.power);
        let ours = stats::minimum_detectable_difference(
            c.baseline,
            c.n,
            c.alpha,
            c.power,
            Direction::Increase,
        );
        match (ours.unwrap(), c.difference) {
            (Some(a), Some(b)) => agree(a, b, &what),
            (a, b) => assert_eq!(a, b, "{what}"),
        }
    }
}

#[test]
fn quantiles_agree() {
    let vectors = vectors();
    for (p, z) in vectors.normal_quantiles {
        agree(special::normal_quantile(p), z, &format!("normal {p}"));
    }
    for c in vectors.beta_quantiles {
        let ours = special::beta_quantile(c.a, c.b, c.p).unwrap();
        agree(ours, c.x, &format!("beta {} {} at {}", c.a, c.b, c.p));
        assert!((ours / c.x - 1.0).abs() < 1e-7, "beta {} {} at {}: {ours}", c.a, c.b, c.p);
    }
    for case in vectors.percentiles {
        for (p, value) in case.percentiles {
            agree(stats::percentile(&case.values, p).unwrap(), value, &format!("percentile {p}"));
        }
    }
}

#[test]
fn bootstrap_intervals_agree_on_the_same_resamples() {
    let cases = vectors().bootstrap;
    assert!(cases.iter().filter(|c| c.kind == BootstrapKind::Bca).count() >= 10);
    for case in cases {
        let clusters: Vec<_> =
            case.num.iter().zip(&case.den).map(|(&num, &den)| ClusterSum { num, den }).collect();
        let pooled = |drawn: &[&ClusterSum]| {
            let (num, den) = drawn.iter().fold((0.0, 0.0), |s, c| (s.0 + c.num, s.1 + c.den));
            Some(num / den)
        };
        let level = Level::new(case.level).unwrap();
        let ours = bootstrap::from_resamples(&clusters, pooled, case.draws, case.kind, level);
        ends_agree(ours.unwrap(), case.interval, &format!("{} {:?}", case.name, case.kind));
    }
}

#[test]
fn a_bootstrapped_median_agrees() {
    for case in vectors().bootstrap_median {
        let median =
            |drawn: &[&f64]| stats::median(&drawn.iter().map(|v| **v).collect::<Vec<_>>()).ok();
        let ours =
            bootstrap::from_resamples(&case.values, median, case.draws, case.kind, Level::P95);
        ends_agree(ours.unwrap(), case.interval, &format!("{:?}", case.kind));
    }
}

#[test]
fn total_variation_agrees() {
    for case in vectors().total_variation {
        let side = |v: &[f64]| v.iter().copied().enumerate().collect::<BTreeMap<_, _>>();
        let ours = stats::total_variation(&side(&case.p), &side(&case.q)).unwrap();
        agree(ours, case.distance, "total variation");
    }
}

#[test]
fn sign_changes_agree() {
    let cases = vectors().sign_flip;
    assert!(cases.len() >= 15);
    for case in cases {
        let ours = stats::sign_flip(&case.differences, 1).unwrap();
        agree(ours, case.p, &format!("{:?}", case.differences));
    }
}
