//! The DETECT scoreboard: its header and aggregates.

use anyhow::Context as _;
use corpus_gen::GENERATOR_VERSION;
use scoreboards::{
    AggregateSpec, Condition, Corpus, Instrument, IntervalSpec, Method, Provenance, Row,
    Scoreboard, ScoreboardBuilder,
};
use serde_json::Value;
use trace_model::detect::DetectorConfig;

use crate::common::{CommonArgs, today};
use crate::inputs::TRANSCRIPTS;

pub(super) fn build(
    common: &CommonArgs,
    detectors: &DetectorConfig,
    corpora: Vec<Corpus>,
    rows: Vec<Row>,
    remarks: Vec<String>,
) -> anyhow::Result<Scoreboard> {
    let day = today(common);
    let mut header = Provenance::new(Instrument::Detect, day, env!("CARGO_PKG_VERSION"));
    header.command = common.command();
    header.corpora = corpora;
    header.protocol.insert("corpus.generator_version".to_owned(), GENERATOR_VERSION.to_string());
    header.protocol.insert("matching".to_owned(), MATCHING.to_owned());
    let thresholds = serde_json::to_value(detectors).context("thresholds as JSON")?;
    for (name, value) in thresholds.as_object().into_iter().flatten() {
        // Every alarm is kept, which decides nothing.
        if name != "keep_cleared" {
            header.protocol.insert(format!("detectors.{name}"), threshold(value));
        }
    }
    header.notes = remarks;
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(rows);
    labelled(&mut builder);
    firing(&mut builder, common.seed);
    read_by_people(&mut builder);
    builder.finish().context("the DETECT scoreboard cannot be built")
}

const MATCHING: &str = "raised on a line of the instance, same kind, main thread; the first alarm \
                        finds, further ones are duplicates, all others are false";

fn threshold(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Precision and the rest, by set and by set and kind.
fn labelled(builder: &mut ScoreboardBuilder) {
    let name = str::to_owned;
    let (tp, fp, missed) = (|| name("tp"), || name("fp"), || name("fn"));
    let scored = |name: &str, method| {
        AggregateSpec::new(name, method).over("scored", "yes").cluster("trace")
    };
    let sum = |measure: &str| scored(measure, Method::Sum { measure: name(measure) });
    let exact = IntervalSpec::exact95;
    let trace = |name: &str, method| AggregateSpec::new(name, method).over("what", "trace");
    let is = || Condition::Flag(true);
    for by in [&["set"][..], &["set", "kind"][..]] {
        builder
            .aggregate_by(by, sum("tp"))
            .aggregate_by(by, sum("fp"))
            .aggregate_by(by, sum("fn"))
            .aggregate_by(by, sum("duplicates"))
            .aggregate_by(
                by,
                scored("precision", Method::Precision { tp: tp(), fp: fp() }).interval(exact()),
            )
            .aggregate_by(
                by,
                scored("recall", Method::Recall { tp: tp(), r#fn: missed() }).interval(exact()),
            )
            .aggregate_by(by, scored("F1", Method::F1 { tp: tp(), fp: fp(), r#fn: missed() }))
            .aggregate_by(by, scored("mean lead", Method::Mean { measure: name("lead") }))
            .aggregate_by(by, scored("median lead", Method::Median { measure: name("lead") }))
            .aggregate_by(by, scored("mean delay", Method::Mean { measure: name("delay") }))
            .aggregate_by(by, scored("median delay", Method::Median { measure: name("delay") }));
    }
    let false_alarm = Method::CountWhere { measure: name("false_alarm"), is: is() };
    let flagged = Method::Share { measure: name("flagged"), is: is() };
    let near_miss =
        AggregateSpec::new("flagged", flagged).over("what", "near_miss").interval(exact());
    builder
        .aggregate_by(&["set", "clean"], trace("traces", Method::Rows))
        .aggregate_by(&["set", "clean"], trace("with a false alarm", false_alarm))
        .aggregate_by(&["set"], near_miss.clone())
        .aggregate_by(&["set", "kind"], near_miss);
}

/// Precision on real runs: of the alarms over transcripts that people have judged, how many are true; likewise
/// how many near alarms would have been right.
fn read_by_people(builder: &mut ScoreboardBuilder) {
    let name = str::to_owned;
    for (what, label) in [("alarm", "precision"), ("near_alarm", "would have been right")] {
        let over = |name: &str, method| {
            AggregateSpec::new(name, method)
                .over("what", what)
                .over("corpus", TRANSCRIPTS)
                .cluster("session")
        };
        let precision = Method::Precision { tp: name("tp"), fp: name("fp") };
        for by in [&["corpus", "what"][..], &["corpus", "what", "kind"][..]] {
            let read = |verdict: &str| {
                over(&format!("{what}s: {verdict}"), Method::Rows).over("verdict", verdict)
            };
            builder
                .aggregate_by(by, read("true"))
                .aggregate_by(by, read("false"))
                .aggregate_by(by, read("cannot_tell"))
                .aggregate_by(by, read("not_read"))
                .aggregate_by(by, over(label, precision.clone()).interval(IntervalSpec::exact95()));
        }
    }
}

/// Number of most frequent messages listed.
const MESSAGES: u32 = 10;

/// Alarms per 1,000 calls and the most frequent messages, by corpus.
fn firing(builder: &mut ScoreboardBuilder, seed: u64) {
    let name = str::to_owned;
    let rate = |what: &str| {
        let method = Method::PerThousand { num: name("alarms"), den: name("calls") };
        AggregateSpec::new("alarms per 1,000 calls", method)
            .over("what", what)
            .cluster("session")
            .interval(IntervalSpec::bca95(seed))
    };
    let sum = |measure: &str| {
        AggregateSpec::new(measure, Method::Sum { measure: name(measure) }).over("what", "session")
    };
    let messages = Method::MostFrequent { measure: name("situation"), top: MESSAGES };
    builder
        .aggregate_by(
            &["corpus"],
            AggregateSpec::new("sessions", Method::Rows).over("what", "session"),
        )
        .aggregate_by(&["corpus"], sum("calls"))
        .aggregate_by(&["corpus"], sum("alarms"))
        .aggregate_by(&["corpus"], rate("session"))
        .aggregate_by(&["corpus", "kind"], rate("rate"))
        .aggregate_by(
            &["corpus"],
            AggregateSpec::new("most frequent", messages).over("what", "alarm"),
        );
}
