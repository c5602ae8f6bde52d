//! A run's status. One assessment, from which the page's head, the current episode and the terminal take their
//! words, so that no two of them contradict each other.

use trace_model::event::{EventKind, Outcome, Source};
use trace_model::fold::{EpisodeStatus, RunState};

use super::standing::EpisodeView;
use crate::text::count;

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The number of calls in flight.
    InFlight(u64),
    /// A person stopped the agent.
    Interrupted,
    /// No call is open, but this many background tasks run, so the last message is not the answer.
    InBackground(u64),
    /// Nothing has happened yet.
    Nothing,
    /// The last event is an error of the endpoint.
    EndpointError,
    /// The agent spoke last, and nothing of the run is still going.
    Answered,
    /// A person refused the last call.
    Denied,
    /// The agent is at work, as far as its records tell.
    Working,
}

impl Progress {
    /// How a run stands.
    pub(crate) fn of(state: &RunState) -> Self {
        let in_flight = state.in_flight_count();
        if in_flight > 0 {
            return Self::InFlight(in_flight);
        }
        let status = state.episode_under_way().map(|episode| episode.status);
        if status == Some(EpisodeStatus::Interrupted) {
            return Self::Interrupted;
        }
        let running = state.background_counts().running;
        if running > 0 {
            return Self::InBackground(running);
        }
        let Some(last) = state.conversation().frontier().next_back() else {
            return Self::Nothing;
        };
        match (last.kind, last.source, last.outcome) {
            (EventKind::Error, ..) => Self::EndpointError,
            (EventKind::Message, Source::Agent, _) => Self::Answered,
            (_, _, Some(Outcome::Denied)) => Self::Denied,
            _ => Self::Working,
        }
    }

    /// The run in a class and words.
    pub(crate) fn of_run(self) -> (&'static str, String) {
        match self {
            Self::InFlight(calls) => ("busy", format!("{} in flight", count(calls, "call"))),
            Self::Interrupted => ("warn", "Interrupted".to_owned()),
            Self::InBackground(tasks) => {
                ("busy", format!("{} in the background", count(tasks, "task")))
            }
            Self::Nothing => ("idle", "Nothing yet".to_owned()),
            Self::EndpointError => ("bad", "Endpoint error".to_owned()),
            Self::Answered => ("idle", "Has answered".to_owned()),
            Self::Denied => ("warn", "Call denied".to_owned()),
            Self::Working => ("busy", "Working".to_owned()),
        }
    }

    /// An episode of the run in a class and a word.
    pub(crate) fn of_episode(self, of: &EpisodeView<'_>) -> (&'static str, &'static str) {
        if of.taken_back_by.is_some() {
            return ("warn", "taken back");
        }
        match of.episode.status {
            EpisodeStatus::InProgress if of.under_way && self == Self::Answered => {
                ("done", "answered")
            }
            EpisodeStatus::InProgress => ("busy", "under way"),
            EpisodeStatus::Complete => ("done", "complete"),
            EpisodeStatus::Interrupted => ("warn", "interrupted"),
            EpisodeStatus::LateResult => ("late", "late result"),
        }
    }
}
