//! Two scoreboards side by side.

use scoreboards::{AggregateSpec, Decimal, Method, compare};

use crate::fixture::{detect, finished, first, work};

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
