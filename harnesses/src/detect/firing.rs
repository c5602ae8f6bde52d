//! The second part of DETECT: how often the detectors fire over sessions that are not labelled. Each
//! alarm is a row, so that a person can look at it and judge.

use scoreboards::Row;
use trace_model::detect::{AnomalyKind, DetectorConfig};

use super::alarms::{Alarm, alarms};
use crate::inputs::{Identity, Input, RunInput};

/// A measured session.
#[derive(Debug)]
pub(super) struct SessionResult {
    pub(super) name: String,
    pub(super) identity: Identity,
    pub(super) alarms: u64,
    pub(super) rows: Vec<Row>,
}

/// Measures a session. Of what is in it only tool names and counts are written down.
pub(super) fn measure(input: &Input, detectors: &DetectorConfig) -> anyhow::Result<SessionResult> {
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
        rows.push(alarm_row(session("alarm", &format!("/alarm/{:04}", at + 1)), alarm));
    }
    let identity = Identity::of(&run);
    Ok(SessionResult { name: run.name, identity, alarms: alarms.len() as u64, rows })
}

fn alarm_row(row: Row, alarm: &Alarm) -> Row {
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
