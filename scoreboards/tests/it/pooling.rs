//! Cells are pooled only if they are alike, or by name.

use scoreboards::{
    AggregateSpec, Cell, Condition, Decimal, Group, Method, PoolAcross, PoolAxis, PoolError, Value,
    pool,
};

use crate::fixture::{detect, finished, first, work};

fn success() -> AggregateSpec {
    let method = Method::Share { measure: "success".to_owned(), is: Condition::Flag(true) };
    AggregateSpec::new("success", method)
}

fn arm() -> Group {
    Group::all().and("arm", "view")
}

#[test]
fn alike_cells_are_pooled() {
    let (a, b) = (finished(work(first(2), "1")), finished(work(first(5), "1")));
    let cells = [Cell::new(&a, arm()), Cell::new(&b, arm())];
    let pooled = pool(&cells, &success(), &PoolAcross::Nothing).unwrap();
    let expected = Value::Ratio { num: Decimal::from(7), den: Decimal::from(20) };
    assert_eq!(pooled.outcome.value, expected);
    assert_eq!(pooled.pooled_across, []);
    assert_eq!(pooled.notes, ["10 of 10 items were measured more than once"]);
}

#[test]
fn another_renderer_is_refused_unless_named() {
    let (a, b) = (finished(work(first(2), "1")), finished(work(first(5), "2")));
    let cells = [Cell::new(&a, arm()), Cell::new(&b, arm())];
    let refused = pool(&cells, &success(), &PoolAcross::Nothing).expect_err("they differ");
    insta::assert_snapshot!(refused, @"the cells differ in renderer (worker-view 1 (5eed) / worker-view 2 (5eed)): pool across them by name, or not at all");
    let other_name = PoolAcross::Named(vec![PoolAxis::Protocol]);
    assert!(matches!(pool(&cells, &success(), &other_name), Err(PoolError::Differ(_))));
    let named = PoolAcross::Named(vec![PoolAxis::Renderer, PoolAxis::Protocol]);
    let pooled = pool(&cells, &success(), &named).unwrap();
    // Only what does differ is said.
    assert_eq!(pooled.pooled_across, [PoolAxis::Renderer]);
    assert!(pooled.notes[0].starts_with("pooled across renderer"), "{:?}", pooled.notes);
}

#[test]
fn another_protocol_or_grader_is_refused() {
    let a = finished(work(first(2), "1"));
    let mut b = a.clone();
    b.id = "other".to_owned();
    b.provenance.protocol.insert("errors".to_owned(), "0.2".to_owned());
    b.provenance.graders.insert("success".to_owned(), "strict/1".to_owned());
    let cells = [Cell::new(&a, arm()), Cell::new(&b, arm())];
    let Err(PoolError::Differ(found)) = pool(&cells, &success(), &PoolAcross::Nothing) else {
        panic!("pooled over protocols");
    };
    let axes: Vec<PoolAxis> = found.iter().map(|(axis, ..)| *axis).collect();
    assert_eq!(axes, [PoolAxis::Protocol, PoolAxis::Grader]);
}

#[test]
fn what_can_never_be_pooled() {
    let (a, other) = (finished(work(first(2), "1")), finished(detect()));
    let everything = PoolAcross::Named(vec![PoolAxis::Labels, PoolAxis::Renderer]);
    let cells = [Cell::new(&a, arm()), Cell::new(&other, Group::all())];
    assert!(matches!(pool(&cells, &success(), &everything), Err(PoolError::Instruments(..))));
    let twice = [Cell::new(&a, arm()), Cell::new(&a, Group::all())];
    assert!(matches!(pool(&twice, &success(), &everything), Err(PoolError::Twice { .. })));
    assert_eq!(pool(&[], &success(), &everything), Err(PoolError::NoCells));
}
