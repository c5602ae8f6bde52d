//! What the builder computes, and what it refuses.

use proptest::prelude::*;
use scoreboards::{
    AggregateError, AggregateSpec, BuildError, Decimal, Group, Instrument, IntervalOutcome,
    IntervalSpec, Measure, Method, NotComputable, PoolAxis, Renderer, Row, Scoreboard,
    ScoreboardBuilder, Undefined, Value, to_json, verify,
};

use crate::fixture::{detect, finished, first, header, work};

fn mean(measure: &str) -> Method {
    Method::Mean { measure: measure.to_owned() }
}

fn of(num: i64, den: i64) -> Value {
    Value::Ratio { num: Decimal::from(num), den: Decimal::from(den) }
}

#[test]
fn aggregates_are_computed_from_the_rows() {
    let board = finished(detect());
    let by = |kind: &str| Group::all().and("what", "trace").and("kind", kind);
    let value = |name: &str, over: &Group| &board.aggregate(name, over).unwrap().outcome.value;
    assert_eq!(*value("precision", &by("loop")), of(3, 4));
    assert_eq!(*value("recall", &by("loop")), of(3, 4));
    assert_eq!(*value("median lead", &by("loop")), Value::Number(Decimal::from(5)));
    assert_eq!(*value("precision", &by("stall")), of(1, 1));
    let lead = board.aggregate("median lead", &by("loop")).unwrap();
    assert_eq!((lead.outcome.n, lead.outcome.missing), (2, 1));
    let rate = value("false alarms", &Group::all().and("what", "trace"));
    let expected = Value::PerThousand { num: Decimal::ONE, den: Decimal::from(240) };
    assert_eq!(*rate, expected);
}

#[test]
fn what_has_no_value_says_so() {
    let mut builder = ScoreboardBuilder::new(header(Instrument::Detect));
    builder.row(Row::new("a").count("tp", 0).count("fp", 0).missing("lead", "none"));
    let precision = Method::Precision { tp: "tp".to_owned(), fp: "fp".to_owned() };
    builder
        .aggregate(AggregateSpec::new("p", precision).interval(IntervalSpec::exact95()))
        .aggregate(AggregateSpec::new("lead", mean("lead")));
    let board = finished(builder);
    let outcome = &board.aggregates[0].outcome;
    assert_eq!(outcome.value, Value::Undefined(Undefined::ZeroDenominator));
    let no_interval = IntervalOutcome::NotComputable(NotComputable::UndefinedValue);
    assert_eq!(outcome.interval, Some(no_interval));
    assert_eq!(board.aggregates[1].outcome.value, Value::Undefined(Undefined::NoRows));
    assert_eq!(board.aggregates[1].outcome.missing, 1);
}

#[test]
fn one_cluster_gives_no_interval() {
    let mut builder = ScoreboardBuilder::new(header(Instrument::Comprehend));
    builder.rows(
        (0..5).map(|i| Row::new(format!("q{i}")).label("transcript", "only").flag("right", i > 1)),
    );
    let spec = AggregateSpec::new("accuracy", mean("right"))
        .cluster("transcript")
        .interval(IntervalSpec::bca95(1));
    builder.aggregate(spec);
    let board = finished(builder);
    let outcome = &board.aggregates[0].outcome;
    assert_eq!(outcome.clusters, Some(1));
    let expected = IntervalOutcome::NotComputable(NotComputable::OneCluster);
    assert_eq!(outcome.interval, Some(expected));
}

#[test]
fn costs_of_failures_count_and_no_success_is_undefined() {
    let cost = |board: &Scoreboard| {
        let over = Group::all().and("arm", "view");
        board.aggregate("cost per success", &over).unwrap().outcome.value.clone()
    };
    // 1.01 + ... + 1.10 dollars over four successes.
    let expected = Value::Ratio { num: Decimal::new(1055, 2), den: Decimal::from(4) };
    assert_eq!(cost(&finished(work(first(4), "1"))), expected);
    let none = cost(&finished(work(first(0), "1")));
    assert_eq!(none, Value::Undefined(Undefined::ZeroDenominator));
}

fn refused(build: impl FnOnce(&mut ScoreboardBuilder)) -> BuildError {
    let mut builder = ScoreboardBuilder::new(header(Instrument::Fidelity));
    build(&mut builder);
    builder.finish().expect_err("must be refused")
}

#[test]
fn mistakes_are_named() {
    let twice = refused(|b| {
        b.row(Row::new("x")).row(Row::new("x"));
    });
    assert!(matches!(twice, BuildError::DuplicateRow(id) if id == "x"));
    let aggregate_twice = refused(|b| {
        b.row(Row::new("x").flag("equal", true));
        b.aggregate(AggregateSpec::new("e", mean("equal")));
        b.aggregate(AggregateSpec::new("e", mean("equal")));
    });
    assert!(matches!(aggregate_twice, BuildError::DuplicateAggregate(_)));
    let no_measure = refused(|b| {
        b.row(Row::new("x")).aggregate(AggregateSpec::new("e", mean("equal")));
    });
    insta::assert_snapshot!(no_measure, @"aggregate e [all]: row `x` has no measure `equal`: narrow the group, or mark the value missing");
    let no_group = refused(|b| {
        b.row(Row::new("x").label("set", "default"));
        b.aggregate(AggregateSpec::new("n", Method::Rows).over("set", "defualt"));
    });
    insta::assert_snapshot!(no_group, @"aggregate n [set=defualt]: no row has label set=defualt: the group names something that was not measured");
    let text = refused(|b| {
        b.row(Row::new("x").text("equal", "yes")).aggregate(AggregateSpec::new("e", mean("equal")));
    });
    insta::assert_snapshot!(text, @"aggregate e [all]: measure `equal` of row `x` is a text, where a number is needed");
    let path = refused(|b| {
        b.row(Row::new("/home/somebody/a.jsonl"));
    });
    insta::assert_snapshot!(path, @"a row's id holds the absolute path `/home/somebody/a.jsonl`: use a relative one or a name");
    let scores = refused(|b| {
        b.row(Row::new("x").measure("f1", Measure::score_ratio(2, 3)));
        b.aggregate(AggregateSpec::new("f", mean("f1")).interval(IntervalSpec::exact95()));
    });
    insta::assert_snapshot!(scores, @"aggregate f [all]: row `x` is not k successes of n trials: use a bootstrap interval");
    let unknown = refused(|b| {
        b.row(Row::new("x").renderer("view"));
    });
    assert!(matches!(unknown, BuildError::UnknownRenderer { .. }));
}

#[test]
fn rows_of_two_renderers_are_pooled_only_by_name() {
    let build = |spec: AggregateSpec| {
        let mut header = header(Instrument::Comprehend);
        for name in ["raw", "view"] {
            let renderer = Renderer {
                name: name.to_owned(),
                version: "1".to_owned(),
                fingerprint: "0".to_owned(),
            };
            header.renderers.insert(name.to_owned(), renderer);
        }
        let mut builder = ScoreboardBuilder::new(header);
        for name in ["raw", "view"] {
            builder.row(Row::new(name).renderer(name).flag("right", true));
        }
        builder.aggregate(spec);
        builder.finish()
    };
    let spec = AggregateSpec::new("accuracy", mean("right"));
    let Err(BuildError::Aggregate { source: AggregateError::MixedRenderers { found }, .. }) =
        build(spec.clone())
    else {
        panic!("pooled over renderers without being asked to");
    };
    assert_eq!(found, ["raw", "view"]);
    let board = build(spec.pooled_across(PoolAxis::Renderer)).unwrap();
    assert!(
        scoreboards::show(&board, scoreboards::ShowOptions::default())
            .contains("accuracy (pooled across renderer)")
    );
}

fn measures() -> impl Strategy<Value = Measure> {
    prop_oneof![
        any::<u32>().prop_map(|n| Measure::Count(n.into())),
        any::<bool>().prop_map(Measure::Flag),
        (any::<i32>(), 0_u32..12)
            .prop_map(|(n, scale)| Measure::Score(Decimal::new(n.into(), scale))),
        (any::<u32>(), 0_u32..8)
            .prop_map(|(n, scale)| Measure::Dollars(Decimal::new(n.into(), scale))),
        Just(Measure::Missing { reason: "none".to_owned() }),
    ]
}

proptest! {
    #[test]
    fn any_board_survives_writing_and_holds(
        values in prop::collection::vec((measures(), 0_u8..4, ".{0,8}"), 1..30),
        shuffled: bool,
    ) {
        let mut rows: Vec<Row> = values
            .into_iter()
            .enumerate()
            .map(|(i, (value, cluster, text))| {
                Row::new(format!("row{i:03}"))
                    .label("cluster", cluster.to_string())
                    .measure("value", value)
                    .text("text", text)
            })
            .collect();
        if shuffled {
            rows.reverse();
        }
        let mut builder = ScoreboardBuilder::new(header(Instrument::Fidelity));
        builder.rows(rows);
        let bootstrap = IntervalSpec::Bootstrap {
            kind: scoreboards::BootstrapKind::Bca,
            resamples: 50,
            seed: 1,
            level: Decimal::new(9, 1),
        };
        let value = || "value".to_owned();
        builder
            .aggregate(AggregateSpec::new("m", mean("value")).cluster("cluster").interval(bootstrap.clone()))
            .aggregate(AggregateSpec::new("s", Method::Sum { measure: value() }))
            .aggregate(AggregateSpec::new("q", Method::Percentile { measure: value(), p: Decimal::from(90) })
                .cluster("cluster").interval(bootstrap))
            .aggregate(AggregateSpec::new("f", Method::MostFrequent { measure: "text".to_owned(), top: 3 }))
            .aggregate_by(&["cluster"], AggregateSpec::new("max", Method::Max { measure: value() }));
        let board = builder.finish().unwrap();
        let read: Scoreboard = serde_json::from_str(&to_json(&board).unwrap()).unwrap();
        prop_assert_eq!(&read, &board);
        prop_assert_eq!(verify(&read), vec![]);
    }
}
