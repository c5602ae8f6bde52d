//! The profiles of sessions.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::named::named;

/// The shape that a session has. Events, calls and bytes are those of the whole run: the session file
/// and its subagents' transcripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The published synthetic corpus: 0.5-1.3 MB, 176-487 events, 80-226 tool calls.
    Paper,
    /// The published distribution of real sessions: 2.6-24.2 MB, 289-4883 events, 52-957 tool calls,
    /// 0-13 errors.
    Realistic,
    /// What real clients write beside plain work, every shape in several sessions: background tasks,
    /// agents cut off, turns taken back, commands, iterations, unfinished usage, the SDK's output.
    /// 0.3-1.5 MB.
    Varied,
}

named!(Profile { Paper: "paper", Realistic: "realistic", Varied: "varied" });

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::of_name(text).ok_or_else(|| {
            format!("there is no profile `{text}`; there are `paper`, `realistic` and `varied`")
        })
    }
}
