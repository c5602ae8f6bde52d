//! Two scoreboards side by side.

use scoreboards::{
    AggregateSpec, Decimal, Instrument, IntervalSpec, Method, Row, Scoreboard, ScoreboardBuilder,
    compare,
};

use crate::fixture::{detect, few, finished, first, header, work};

fn successes(which: &[usize]) -> [bool; 10] {
    std::array::from_fn(|i| which.contains(&i))
}

#[test]
fn a_comparison_says_values_pairs_and_origins() {
    let a = finished(work(first(2), "1"));
    let mut later = work(successes(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), "2");
    later.aggregate(AggregateSpec::new("runs", Method::Rows));
    let comparison = compare(&a, &finished(later));
    let success = &comparison.shared[0];
    assert_eq!(success.difference, Some(Decimal::new(7, 1)));
    let paired = success.paired.as_ref().unwrap();
    let counts = [paired.both, paired.only_a, paired.only_b, paired.neither, paired.unpaired];
    assert_eq!(counts, [1, 1, 8, 0, 0]);
    // 2 (1 + 9) / 2^9.
    assert_eq!(paired.p, Decimal::new(390_625, 7));
    let names: Vec<_> = comparison.only_in_b.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["runs"]);
    assert_eq!(comparison.provenance.len(), 1);
    assert_eq!(comparison.provenance[0].what, "renderer view");
    insta::assert_snapshot!("comparison", comparison.render(50));
    let json = serde_json::to_value(&comparison).unwrap();
    assert_eq!(json["shared"][0]["name"], "success");
    assert_eq!(json["shared"][0]["paired"]["only_b"], 8);
}

#[test]
fn a_board_equals_itself() {
    let board = finished(detect());
    let comparison = compare(&board, &board);
    assert!(comparison.same_rows && comparison.provenance.is_empty());
    assert!(comparison.shared.iter().all(|d| d.difference.is_none_or(|d| d.is_zero())));
    assert_eq!(comparison.shared.len(), board.aggregates.len());
}

#[test]
fn other_methods_are_not_subtracted() {
    let build = |method: Method| {
        let mut builder = work(first(5), "1");
        builder.aggregate(AggregateSpec::new("x", method));
        finished(builder)
    };
    let cost = || "cost".to_owned();
    let comparison = compare(
        &build(Method::Mean { measure: cost() }),
        &build(Method::Median { measure: cost() }),
    );
    let x = comparison.shared.iter().find(|d| d.aggregate.name == "x").unwrap();
    assert!(!x.same_method && x.difference.is_none());
    assert!(comparison.render(50).contains("other method"));
}

/// A board over these seeds, resampled by this one.
fn seeded(seeds: &[u64], resampling: u64) -> Scoreboard {
    let mut header = header(Instrument::Detect);
    header.corpora[0].seeds = seeds.to_vec();
    // Boards of tasks have no manifest that would tell them apart.
    header.corpora[0].manifest_sha256 = None;
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(
        (0..9).map(|i| Row::new(format!("r{i}")).label("run", i.to_string()).flag("right", i > 3)),
    );
    builder.aggregate(
        AggregateSpec::new("accuracy", Method::Mean { measure: "right".to_owned() })
            .cluster("run")
            .interval(IntervalSpec::bca95(resampling)),
    );
    finished(builder)
}

#[test]
fn boards_of_other_seeds_are_never_of_the_same_origin() {
    let differences = |a: &Scoreboard, b: &Scoreboard| -> Vec<(String, String, String)> {
        compare(a, b).provenance.into_iter().map(|it| (it.what, it.a, it.b)).collect()
    };
    let one = seeded(&[1, 2, 3, 9], 1);
    let of = |what: &str, a: &str, b: &str| vec![(what.to_owned(), a.to_owned(), b.to_owned())];
    // As many seeds, and rows of the same names.
    let other = seeded(&[4, 5, 6, 9], 1);
    assert_eq!(differences(&one, &other), of("seeds of pathology/default", "1-3, 9", "4-6, 9"));
    let resampled = seeded(&[1, 2, 3, 9], 7);
    assert_eq!(differences(&one, &resampled), of("seed of resampling", "1", "7"));
    let text = compare(&one, &resampled).render(50);
    assert!(!text.contains("the same origin") && text.contains("seed of resampling"), "{text}");
    assert!(compare(&one, &one).render(50).contains("the same origin"));
}

#[test]
fn a_comparison_shows_no_interval_over_too_few_clusters() {
    let (two, eight) = (few(2), few(8));
    let comparison = compare(&two, &eight);
    let text = comparison.render(50);
    assert!(text.contains("too few clusters (2)"), "{text}");
    let json = serde_json::to_value(&comparison).unwrap();
    let of = |side: &str| json["shared"][0][side]["interval"].clone();
    let expected = serde_json::json!({"not_computable": {"too_few_clusters": {"clusters": 2}}});
    assert_eq!(of("a"), expected);
    assert!(of("b")["bounds"].is_object(), "{}", of("b"));
}
