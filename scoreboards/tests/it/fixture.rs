//! Small scoreboards that every test starts from.

use std::collections::BTreeMap;

use scoreboards::{
    AggregateSpec, Answerer, Condition, Corpus, Date, Decimal, Environment, Instrument,
    IntervalSpec, Measure, Method, Provenance, Renderer, Role, Row, Scoreboard, ScoreboardBuilder,
    Spend,
};

/// A header with a fixed environment, so that nothing depends on the machine.
pub(crate) fn header(instrument: Instrument) -> Provenance {
    let mut header = Provenance::new(instrument, Date::constant(2026, 1, 31), "0.1.0");
    header.command = ["/opt/bin/tracefold", "detect", "--out=/tmp/x/out"].map(str::to_owned).into();
    header.corpora = vec![Corpus {
        id: "pathology/default".to_owned(),
        manifest_sha256: Some("ab".repeat(32)),
        seeds: vec![1, 2, 3, 4, 9],
    }];
    header.protocol = BTreeMap::from([("loop.repeats".to_owned(), "4".to_owned())]);
    header.environment = Environment {
        os: "linux".to_owned(),
        arch: "x86_64".to_owned(),
        cpus: 2,
        rustc: "1.90.0".to_owned(),
        package: "0.1.0".to_owned(),
        build: "release".to_owned(),
    };
    header
}

/// DETECT: six traces, two kinds, a clean one, a firing text, a missing lead time.
pub(crate) fn detect() -> ScoreboardBuilder {
    let mut builder = ScoreboardBuilder::new(header(Instrument::Detect));
    let cases = [
        ("t1", "loop", 2, 0, 0, Some(6)),
        ("t2", "loop", 1, 0, 1, Some(4)),
        ("t3", "loop", 0, 1, 0, None),
        ("t1", "stall", 1, 0, 0, Some(1)),
        ("t2", "stall", 0, 0, 0, None),
        ("t3", "stall", 0, 0, 0, None),
    ];
    for (trace, kind, tp, fp, missed, lead) in cases {
        let row = Row::new(format!("default/{trace}/{kind}"))
            .label("what", "trace")
            .label("trace", trace)
            .label("kind", kind)
            .count("tp", tp)
            .count("fp", fp)
            .count("fn", missed)
            .count("calls", 40);
        builder.row(match lead {
            Some(events) => row.count("lead", events),
            None => row.missing("lead", "nothing detected"),
        });
    }
    for (i, text) in ["a\u{1b}[2Jloop", "again", "again"].into_iter().enumerate() {
        builder.row(
            Row::new(format!("default/firing/{i}")).label("what", "firing").text("message", text),
        );
    }
    let name = str::to_owned;
    let precision = Method::Precision { tp: name("tp"), fp: name("fp") };
    let recall = Method::Recall { tp: name("tp"), r#fn: name("fn") };
    let rate = Method::PerThousand { num: name("fp"), den: name("calls") };
    let by_trace = |n: &str, method: Method| {
        AggregateSpec::new(n, method).over("what", "trace").cluster("trace")
    };
    builder
        .aggregate_by(&["kind"], by_trace("precision", precision).interval(IntervalSpec::exact95()))
        .aggregate_by(&["kind"], by_trace("recall", recall.clone()))
        .aggregate_by(&["kind"], by_trace("median lead", Method::Median { measure: name("lead") }))
        .aggregate(by_trace("recall", recall).interval(IntervalSpec::bca95(11)))
        .aggregate(by_trace("false alarms", rate))
        .aggregate(
            AggregateSpec::new(
                "messages",
                Method::MostFrequent { measure: name("message"), top: 1 },
            )
            .over("what", "firing"),
        );
    builder.note("real transcripts were skipped: the folder is absent");
    builder
}

/// CONTINUE: one arm, ten runs, with costs, a renderer, a worker, and the given successes.
pub(crate) fn work(successes: [bool; 10], renderer_version: &str) -> ScoreboardBuilder {
    let mut header = header(Instrument::Continue);
    header.renderers = BTreeMap::from([(
        "view".to_owned(),
        Renderer {
            name: "worker-view".to_owned(),
            version: renderer_version.to_owned(),
            fingerprint: "5eed".to_owned(),
        },
    )]);
    header.answerer = Some(Answerer {
        role: Role::Worker,
        provider: "none".to_owned(),
        model_asked: "mechanical".to_owned(),
        models_returned: BTreeMap::new(),
    });
    header.spend = Spend { calls: 10, dollars: Decimal::new(1050, 2), ..Spend::default() };
    let mut builder = ScoreboardBuilder::new(header);
    for (seed, success) in (1_i64..).zip(successes) {
        builder.row(
            Row::new(format!("fix/30/{seed:02}"))
                .label("arm", "view")
                .label("seed", seed.to_string())
                .renderer("view")
                .flag("success", success)
                .measure("cost", Measure::Dollars(Decimal::new(100 + seed, 2))),
        );
    }
    let measure = || "success".to_owned();
    let success = Method::Share { measure: measure(), is: Condition::Flag(true) };
    let cost = Method::CostPerSuccess { cost: "cost".to_owned(), success: measure() };
    builder
        .aggregate(
            AggregateSpec::new("success", success)
                .over("arm", "view")
                .cluster("seed")
                .interval(IntervalSpec::exact95()),
        )
        .aggregate(
            AggregateSpec::new("cost per success", cost)
                .over("arm", "view")
                .cluster("seed")
                .interval(IntervalSpec::bca95(5)),
        );
    builder
}

pub(crate) fn finished(builder: ScoreboardBuilder) -> Scoreboard {
    builder.finish().expect("the fixture is valid")
}

/// Successes of the first `n` of ten runs.
pub(crate) fn first(n: usize) -> [bool; 10] {
    std::array::from_fn(|i| i < n)
}

/// COMPREHEND: so many transcripts, of which the even ones have 14 of 15 answers right and the odd ones 15
/// of 16, with a bootstrap interval of all and an exact one.
pub(crate) fn few(transcripts: usize) -> Scoreboard {
    let mut builder = ScoreboardBuilder::new(header(Instrument::Comprehend));
    for transcript in 0..transcripts {
        builder.rows((0..15 + transcript % 2).map(|i| {
            Row::new(format!("{transcript}/{i:02}"))
                .label("transcript", transcript.to_string())
                .flag("right", i > 0)
        }));
    }
    let accuracy = |name: &str, interval| {
        AggregateSpec::new(name, Method::Mean { measure: "right".to_owned() })
            .cluster("transcript")
            .interval(interval)
    };
    builder
        .aggregate(accuracy("accuracy", IntervalSpec::bca95(1)))
        .aggregate(accuracy("accuracy (exact)", IntervalSpec::exact95()));
    finished(builder)
}
