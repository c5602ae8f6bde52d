//! The second part of DETECT: how often the detectors fire over unlabelled sessions. Each alarm is a row, so
//! that a person can look at it and judge.

use scoreboards::Row;
use trace_model::detect::{AnomalyKind, DetectorConfig};

use super::alarms::{Alarm, alarms};
use super::read_alarms::{HumanVerdict, ReadAlarms};
use crate::inputs::{Identity, Input, RunInput};

/// A measured session.
#[derive(Debug)]
pub(super) struct SessionResult {
    pub(super) name: String,
    pub(super) identity: Identity,
    pub(super) alarms: u64,
    pub(super) rows: Vec<Row>,
}

/// Measures a session. Only tool names and counts of its content are recorded.
pub(super) fn measure(
    input: &Input,
    detectors: &DetectorConfig,
    read: &ReadAlarms,
) -> anyhow::Result<SessionResult> {
    let run = RunInput::load(input)?;
    let (alarms, folded) = alarms(&run, detectors);
    let calls = folded.state.tool_totals().calls;
    let session = |what: &str, id: &str| {
        Row::new(format!("{}{id}", run.name))
            .label("what", what)
            .label("corpus", &run.corpus)
            .label("session", &run.name)
    };
    let mut rows = vec![
        session("session", "")
            .count("calls", calls)
            .count("events", folded.state.observed().events)
            .count("alarms", alarms.len() as u64),
    ];
    let has_limit = detectors.budget_dollars.is_some() || detectors.budget_tokens.is_some();
    // Without a limit the budget detector says nothing of how often it would fire.
    let kinds =
        AnomalyKind::ALL.into_iter().filter(|kind| *kind != AnomalyKind::Budget || has_limit);
    for kind in kinds {
        let raised = alarms.iter().filter(|alarm| alarm.kind == kind).count() as u64;
        let row = session("rate", &format!("/rate/{kind}")).label("kind", kind.name());
        rows.push(row.count("calls", calls).count("alarms", raised));
    }
    for (at, alarm) in alarms.iter().enumerate() {
        let row = session("alarm", &format!("/alarm/{:04}", at + 1));
        rows.push(alarm_row(row, alarm, input, read.verdict(&run.name, alarm)));
    }
    if let Input::Transcript(_) = input {
        for (at, alarm) in near_alarms(&run, detectors, &alarms).iter().enumerate() {
            let row = session("near_alarm", &format!("/near_alarm/{:04}", at + 1));
            rows.push(alarm_row(row, alarm, input, read.verdict(&run.name, alarm)));
        }
    }
    let identity = Identity::of(&run);
    Ok(SessionResult { name: run.name, identity, alarms: alarms.len() as u64, rows })
}

/// Near alarms: alarms only under slightly lower thresholds.
fn near_alarms(run: &RunInput, detectors: &DetectorConfig, raised: &[Alarm]) -> Vec<Alarm> {
    let place = |alarm: &Alarm| (alarm.kind, alarm.first.file, alarm.first.line);
    let known: Vec<_> = raised.iter().map(place).collect();
    let (near, _) = alarms(run, &nearer(detectors));
    near.into_iter().filter(|alarm| !known.contains(&place(alarm))).collect()
}

/// The thresholds of near alarms: one repetition or failure less, seven eighths of a flood, half of a
/// stall's silence, a third of a wait's.
fn nearer(detectors: &DetectorConfig) -> DetectorConfig {
    DetectorConfig {
        loop_raise: detectors.loop_raise.saturating_sub(1).max(2),
        streak_raise: detectors.streak_raise.saturating_sub(1).max(1),
        flood_concentration: detectors.flood_concentration * 7 / 8,
        stall_millis: detectors.stall_millis / 2,
        waiting_millis: detectors.waiting_millis / 3,
        ..detectors.clone()
    }
}

/// An alarm's row. Over transcripts it says what reading it showed, from which precision is counted.
fn alarm_row(row: Row, alarm: &Alarm, input: &Input, verdict: Option<HumanVerdict>) -> Row {
    let row = match (input, verdict) {
        (Input::Transcript(_), Some(verdict)) => row
            .label("verdict", verdict.name())
            .count("tp", u64::from(verdict == HumanVerdict::True))
            .count("fp", u64::from(verdict == HumanVerdict::False)),
        (Input::Transcript(_), None) => {
            row.label("verdict", "not_read").count("tp", 0).count("fp", 0)
        }
        (Input::Generated(_) | Input::Probe, _) => row,
    };
    row.label("kind", alarm.kind.name())
        .label("thread", if alarm.main_thread { "main" } else { "agent" })
        .count("file", alarm.raised.file as u64)
        .count("first_line", alarm.first.line)
        .count("raised_line", alarm.raised.line)
        .count("count", alarm.count)
        .flag("escalated", alarm.escalated)
        .text("situation", alarm.situation())
        .text("message", &alarm.message)
}
