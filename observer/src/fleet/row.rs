//! A session in a row: what a person has to know to decide whether to open its page.

use std::path::{Path, PathBuf};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use trace_model::fold::RunState;
use trace_model::ids::{Head, Millis};
use trace_model::run::Run;

use super::candidates::Stamp;

/// Characters kept of the request.
const ASK_CHARS: usize = 240;
/// Milliseconds after which a silent session counts as over, so that an unanswered call is no longer an alert.
const STALL_IS_NEWS: i64 = 24 * 3600 * 1000;

/// What a row says of a session that was folded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// The session's id.
    pub session: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// The folder it works in.
    pub project: Option<String>,
    /// What a person asked last.
    pub ask: Option<Head>,
    /// Prompts.
    pub turns: u64,
    /// Tool calls.
    pub calls: u64,
    /// Of those, failed.
    pub failed: u64,
    /// Of those, in flight.
    pub in_flight: u64,
    /// Agents and commands that run in the background.
    pub running_tasks: u64,
    /// Its cost in dollars, where there is a price.
    pub cost_usd: Decimal,
    /// Calls whose recorded output is that of the stream's start: with some, the cost is a lower bound.
    pub unfinished_usage: u64,
    /// Tokens.
    pub tokens: u64,
    /// Of those, without a price.
    pub unpriced_tokens: u64,
    /// Anomalies in force, by name, when it was written last.
    pub active: Vec<String>,
    /// Anomalies that are over.
    pub cleared: u64,
    /// What silence will mean if nothing more is written: the kind of anomaly, by name, and from when on.
    pub silence_alarm: Option<(String, Millis)>,
    /// The time of its last event.
    pub last_event: Option<Millis>,
    /// Lines that are not records.
    pub bad_lines: u64,
}

impl SessionSummary {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        let state = run.state();
        let identity = state.identity();
        let (tools, spending) = (state.tool_totals(), state.spending());
        Self {
            session: identity.session.clone(),
            title: identity.title.clone(),
            project: identity.cwd.clone(),
            ask: ask(state),
            turns: state.conversation().prompts(),
            calls: tools.calls,
            failed: tools.failed,
            in_flight: state.in_flight_count(),
            running_tasks: state.background_counts().running,
            cost_usd: spending.dollars.normalize(),
            unfinished_usage: state.estimates().calls,
            tokens: spending.tokens.total(),
            unpriced_tokens: spending.unpriced_tokens,
            active: state.active_anomalies().iter().map(|one| one.kind.name().to_owned()).collect(),
            cleared: state.cleared_anomalies().len() as u64 + state.dropped_anomalies(),
            silence_alarm: state
                .silence_alarm()
                .map(|alarm| (alarm.kind.name().to_owned(), Millis(alarm.after))),
            last_event: identity.last_time,
            bad_lines: run.reading().bad_lines,
        }
    }

    /// Whether its open calls and running tasks may still answer at a time: those of a session that has
    /// been silent for a day were left.
    pub fn is_under_way(&self, now: Millis) -> bool {
        let silence = self.last_event.map_or(i64::MAX, |last| now.0.saturating_sub(last.0));
        self.in_flight + self.running_tasks > 0 && silence < STALL_IS_NEWS
    }

    /// The anomalies in force at a time: a hang shows though nothing more is written.
    pub fn alerts(&self, now: Millis) -> Vec<&str> {
        let mut alerts: Vec<&str> = self.active.iter().map(String::as_str).collect();
        if let Some((kind, after)) = &self.silence_alarm
            && now > *after
            && now.0.saturating_sub(after.0) < STALL_IS_NEWS
            && !alerts.contains(&kind.as_str())
        {
            alerts.push(kind);
        }
        alerts
    }
}

fn ask(state: &RunState) -> Option<Head> {
    let latest = state.conversation().latest_request()?;
    let mut ask = Head::new(&latest.text.text, ASK_CHARS);
    ask.chars = latest.text.chars;
    Some(ask)
}

/// Why a session cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    /// Why not.
    pub reason: String,
}

/// What a row says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The session was folded.
    #[serde(rename = "told")]
    Folded(Box<SessionSummary>),
    /// It cannot be read.
    #[serde(rename = "broken")]
    Unreadable(Unreadable),
    /// It has not been read yet.
    Waiting,
}

/// A session in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The session's file.
    pub path: PathBuf,
    /// Its state on disk when it was read.
    pub stamp: Stamp,
    /// When its last event was, or else its last writing: what rows are ordered by.
    pub last: Millis,
    /// What is said of it.
    pub content: Content,
}

impl Row {
    /// Its summary, if it was folded.
    pub fn summary(&self) -> Option<&SessionSummary> {
        match &self.content {
            Content::Folded(summary) => Some(summary),
            _ => None,
        }
    }

    /// The project's folder, or else that of the file.
    pub fn project(&self) -> String {
        let summary = self.summary().and_then(|summary| summary.project.clone());
        summary.unwrap_or_else(|| {
            self.path.parent().unwrap_or(Path::new("")).to_string_lossy().into_owned()
        })
    }

    /// The name of its page: a digest of its path, so that it says nothing and stays the same.
    pub fn name(&self) -> String {
        name(&self.path)
    }
}

/// The name of the page of a session's file.
pub(super) fn name(path: &Path) -> String {
    trace_model::ids::Sha256::of(&path.to_string_lossy()).short()
}
