//! What a pathology trace is known to hold: its pathologies, and what only looks like one.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named::named;

/// A kind of pathology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The same tool with the same input and the same result at least 3 times within 12 calls, and
    /// nothing written in between.
    Loop,
    /// At least 5 failed results in a row, or all but one of 6 or more in a row.
    ErrorStreak,
    /// At least 40 of 50 calls in a row go to at most two tools, and fewer than half of the 50 bring
    /// something new.
    ToolFlood,
    /// No event for more than 600 seconds while a call is in flight that the records show to be running: its
    /// tool wrote progress, or the client lets tools run unasked.
    Stall,
    /// No event for more than 1,800 seconds while all calls in flight wait for a person: for approval,
    /// where the client asks and no record shows that the tool started, or for an answer.
    WaitingForPerson,
}

named!(Kind {
    Loop: "loop",
    ErrorStreak: "error_streak",
    ToolFlood: "tool_flood",
    Stall: "stall",
    WaitingForPerson: "waiting_for_person"
});

/// A labelled pathology. Line numbers are those of the session file, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// What it is.
    pub kind: Kind,
    /// Line of the first record that belongs to it.
    pub first_line: u64,
    /// Line of the last record that belongs to it.
    pub last_line: u64,
    /// Line of the record with which the definition first holds: the third equal result, the fifth
    /// failure, the call that completes the flooded window, the first record after the silence.
    pub onset_line: u64,
    /// The tool, or the tools joined by `+`.
    pub subject: String,
    /// What was made, in words.
    pub note: String,
}

/// Something that only looks like a pathology.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearMiss {
    /// The kind that it must not be taken for.
    pub kind: Kind,
    /// Line of its first record.
    pub first_line: u64,
    /// Line of its last record.
    pub last_line: u64,
    /// What it looks like, and why it is not that.
    pub why_not: String,
}

/// Labels of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    /// Pathologies, in order.
    pub instances: Vec<Instance>,
    /// Near misses, in order. Everything else in the trace is honest work too.
    pub near_misses: Vec<NearMiss>,
}

/// A set of pathology traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Set {
    /// Clear cases: any 30 seeds in a row give 6 clean traces and 48 instances.
    Default,
    /// Cases that are hard to tell, and near misses.
    Hard,
}

named!(Set { Default: "default", Hard: "hard" });

impl FromStr for Set {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of_name(text).ok_or_else(|| {
            format!("there is no pathology set `{text}`; there are `default` and `hard`")
        })
    }
}
