//! The first part of DETECT: one labelled trace, as rows.

use anyhow::Context as _;
use corpus_gen::{Instance, Set, Source};
use rust_decimal::Decimal;
use scoreboards::{Measure, Row};
use trace_model::detect::DetectorConfig;

use super::alarms::{Alarm, alarms};
use super::matching::judge;
use crate::folding::EventLocations;
use crate::inputs::{Identity, Input, RunInput};

/// A measured trace.
#[derive(Debug)]
pub(super) struct TraceResult {
    pub(super) identity: Identity,
    pub(super) rows: Vec<Row>,
}

/// Measures a trace of a set.
pub(super) fn measure(
    source: Source,
    set: Set,
    detectors: &DetectorConfig,
) -> anyhow::Result<TraceResult> {
    let run = RunInput::load(&Input::Generated(source))?;
    let labels = run.labels.as_ref().with_context(|| format!("{} has no labels", run.name))?;
    let (alarms, folded) = alarms(&run, detectors);
    let judgement = judge(labels, &alarms);
    let row = |what: &str, id: String| {
        Row::new(format!("{}/{id}", run.name))
            .label("what", what)
            .label("set", set.name())
            .label("trace", &run.name)
    };
    let mut rows = Vec::new();
    let found = judgement.found_by.iter().zip(&judgement.duplicates);
    for (at, (instance, (found_by, duplicates))) in labels.instances.iter().zip(found).enumerate() {
        let row = row("instance", format!("instance/{:02}", at + 1));
        let alarm = found_by.map(|at| &alarms[at]);
        rows.push(instance_row(row, instance, alarm, *duplicates, &folded.locations));
    }
    for (at, alarm) in judgement.false_alarms.iter().map(|at| &alarms[*at]).enumerate() {
        rows.push(false_row(row("false_alarm", format!("false/{:02}", at + 1)), alarm));
    }
    for (at, (miss, flagged)) in labels.near_misses.iter().zip(&judgement.flagged).enumerate() {
        let row = row("near_miss", format!("near_miss/{:02}", at + 1))
            .label("kind", miss.kind.name())
            .flag("flagged", *flagged)
            .count("first_line", miss.first_line)
            .count("last_line", miss.last_line)
            .text("why_not", &miss.why_not);
        rows.push(row);
    }
    let clean = if labels.instances.is_empty() { "yes" } else { "no" };
    let trace = Row::new(&run.name)
        .label("what", "trace")
        .label("set", set.name())
        .label("trace", &run.name)
        .label("clean", clean)
        .count("events", folded.state.observed().events)
        .count("calls", folded.state.tool_totals().calls)
        .count("instances", labels.instances.len() as u64)
        .count("alarms", alarms.len() as u64)
        .count("false_alarms", judgement.false_alarms.len() as u64)
        .flag("false_alarm", !judgement.false_alarms.is_empty());
    rows.push(trace);
    Ok(TraceResult { identity: Identity::of(&run), rows })
}

fn instance_row(
    row: Row,
    instance: &Instance,
    alarm: Option<&Alarm>,
    duplicates: u64,
    places: &EventLocations,
) -> Row {
    let row = row
        .label("kind", instance.kind.name())
        .label("scored", "yes")
        .count("tp", alarm.is_some().into())
        .count("fp", 0)
        .count("fn", alarm.is_none().into())
        .count("duplicates", duplicates)
        .count("first_line", instance.first_line)
        .count("onset_line", instance.onset_line)
        .count("last_line", instance.last_line)
        .text("subject", &instance.subject)
        .text("note", &instance.note);
    let Some(alarm) = alarm else {
        return ["lead", "delay", "raised_line"]
            .iter()
            .fold(row, |row, name| row.missing(*name, "not found"));
    };
    let end = places.last_until(instance.last_line);
    let onset = places.first_from(instance.onset_line);
    row.measure("lead", Measure::Score(events(alarm.raised_at, end)))
        .measure("delay", Measure::Score(events(onset, alarm.raised_at)))
        .count("raised_line", alarm.raised.line)
        .text("message", &alarm.message)
}

/// Events from one position to another; negative where the second comes first.
fn events(from: u64, to: u64) -> Decimal {
    Decimal::from(to) - Decimal::from(from)
}

fn false_row(row: Row, alarm: &Alarm) -> Row {
    row.label("kind", alarm.kind.name())
        .label("scored", "yes")
        .missing("lead", "a false alarm")
        .missing("delay", "a false alarm")
        .count("tp", 0)
        .count("fp", 1)
        .count("fn", 0)
        .count("duplicates", 0)
        .count("first_line", alarm.first.line)
        .count("raised_line", alarm.raised.line)
        .text("subject", &alarm.subject)
        .text("message", &alarm.message)
}
