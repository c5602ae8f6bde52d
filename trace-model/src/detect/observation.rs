//! Input of the detectors: the few facts of an event that they need.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::event::ToolRole;

/// How an answered call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeKind {
    /// The tool did what it was asked.
    Succeeded,
    /// The tool answered with an error.
    Failed,
    /// A person or a permission rule refused the call.
    Denied,
    /// A person interrupted the call.
    Interrupted,
    /// The client gave the call up because of another one: the tool said nothing, so nothing is
    /// told from it.
    Cancelled,
}

/// What a call may rightly be silent for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// For its tool, and before that perhaps for a person's approval.
    #[default]
    Tool,
    /// A person's answer: that is what the tool is for.
    Person,
    /// Another thread, whose own events show whether it is alive: it launches a subagent.
    Thread,
}

impl From<ToolRole> for WaitsFor {
    fn from(role: ToolRole) -> Self {
        match role {
            ToolRole::Asker => Self::Person,
            ToolRole::Launcher => Self::Thread,
            _ => Self::Tool,
        }
    }
}

/// One fact about the run. `seq` is the ledger position of the event it comes from.
///
/// For each event, feed [`Observation::Time`] before its other observations: a stall is judged by
/// what was in flight before the event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Observation<'a> {
    /// A tool call was issued.
    Call {
        /// Ledger position.
        seq: u64,
        /// The thread that issued it.
        thread: u32,
        /// Hash of the call's id. A call without an id can never be answered: follow it with
        /// [`Observation::Closed`] at once.
        call: u64,
        /// The tool's name.
        tool: &'a str,
        /// Hash of the input as canonical JSON (keys sorted), so that key order makes no difference.
        input_hash: u64,
        /// What its silence may be waiting for.
        waits_for: WaitsFor,
        /// The tool changes something (writes a file): with a new input and success, it is progress.
        writes: bool,
    },
    /// A call was answered. An outcome whose call is not in flight (an orphan, or late after
    /// [`Observation::Closed`]) says nothing to the detectors but that the run is alive.
    Outcome {
        /// Ledger position.
        seq: u64,
        /// The thread of the call; it must be the one that issued it.
        thread: u32,
        /// Hash of the call's id.
        call: u64,
        /// How it ended.
        result: OutcomeKind,
        /// Hash of the result's text.
        result_hash: u64,
    },
    /// A record shows that a call in flight has started: progress that its tool wrote.
    Running {
        /// Ledger position.
        seq: u64,
        /// Hash of the call's id.
        call: u64,
    },
    /// A record shows that a call's tool has ended, though its result is not written yet.
    Returned {
        /// Ledger position.
        seq: u64,
        /// Hash of the call's id.
        call: u64,
    },
    /// Whether the client asks a person before it lets a tool run, from now on. By default it does.
    Approval {
        /// Ledger position.
        seq: u64,
        /// Whether it asks.
        asked: bool,
    },
    /// A call ended without a result: its user interrupted it.
    Closed {
        /// Ledger position of what closed it.
        seq: u64,
        /// The thread of the call.
        thread: u32,
        /// Hash of the call's id.
        call: u64,
    },
    /// The event's time. It may go backwards a little: that is ignored.
    Time {
        /// Ledger position.
        seq: u64,
        /// Milliseconds since the Unix epoch.
        millis: i64,
    },
    /// A person wrote something.
    UserTurn {
        /// Ledger position.
        seq: u64,
        /// The thread it was written to.
        thread: u32,
    },
    /// A thread has ended (its subagent reported back): its anomalies are over, its state is freed.
    ThreadEnded {
        /// Ledger position.
        seq: u64,
        /// The thread.
        thread: u32,
    },
    /// Something was spent: the difference from what was reported before, so a revision of an API call's usage
    /// is fed as its increment.
    Spend {
        /// Ledger position.
        seq: u64,
        /// US dollars; negative to correct an earlier figure.
        dollars: Decimal,
        /// Tokens of all kinds.
        tokens: u64,
    },
}

impl Observation<'_> {
    /// The ledger position of the event it comes from.
    pub fn seq(&self) -> u64 {
        match *self {
            Self::Call { seq, .. }
            | Self::Outcome { seq, .. }
            | Self::Running { seq, .. }
            | Self::Returned { seq, .. }
            | Self::Approval { seq, .. }
            | Self::Closed { seq, .. }
            | Self::Time { seq, .. }
            | Self::UserTurn { seq, .. }
            | Self::ThreadEnded { seq, .. }
            | Self::Spend { seq, .. } => seq,
        }
    }
}
