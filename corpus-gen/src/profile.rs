//! The profiles of sessions.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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

impl Profile {
    /// All, in the order in which they are generated.
    pub const ALL: [Profile; 3] = [Profile::Paper, Profile::Realistic, Profile::Varied];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Paper => "paper",
            Profile::Realistic => "realistic",
            Profile::Varied => "varied",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Profile::ALL.into_iter().find(|profile| profile.name() == text);
        found.ok_or_else(|| {
            format!("there is no profile `{text}`; there are `paper`, `realistic` and `varied`")
        })
    }
}
