//! A tool call with its result and the state in which it ends.

use super::event::{Event, Role};

/// The name under which a call without one is counted.
const UNNAMED_TOOL: &str = "unknown";

/// The state of a call at the end of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// Neither answered nor closed.
    InFlight,
    /// Answered, and the result is no error.
    Succeeded,
    /// Answered with an error.
    Failed,
    /// Refused by the person or a rule.
    Denied,
    /// Closed by the person before it was done.
    Interrupted,
    /// Given up by the client because of another call.
    Cancelled,
    /// Without a result, and its agent is over.
    Abandoned,
}

/// One counted call, with its result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    /// The call's position among the events.
    pub(super) at: usize,
    pub(super) event: &'a Event,
    /// The matched result and its position among the events.
    pub(super) result: Option<(usize, &'a Event)>,
    /// None for a call without an id: it can never be answered, and is not in flight.
    pub(super) state: Option<CallState>,
}

impl Call<'_> {
    pub(super) fn id(&self) -> Option<&str> {
        self.event.call_id.as_deref()
    }

    pub(super) fn tool(&self) -> &str {
        self.event.tool.as_deref().filter(|name| !name.is_empty()).unwrap_or(UNNAMED_TOOL)
    }

    /// The path that it names; the first of several.
    pub(super) fn path(&self) -> Option<&str> {
        self.event.paths.first().map(String::as_str)
    }

    /// The result of a call of the main thread, if it comes after the call; and its position.
    pub(super) fn result_in_main(&self) -> Option<(usize, &Event)> {
        self.result.filter(|(at, _)| *at > self.at && self.event.agent.is_none())
    }

    pub(super) fn writes(&self) -> bool {
        self.event.role == Role::Writes
    }

    pub(super) fn reads(&self) -> bool {
        self.event.role == Role::Reads
    }
}
