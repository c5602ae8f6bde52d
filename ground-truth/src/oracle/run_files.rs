//! The files of a run, in memory.

use std::collections::BTreeMap;

/// One transcript file in memory.
#[derive(Debug, Clone)]
pub(super) struct TranscriptFile {
    /// The agent that a file `agent-X.jsonl` belongs to; none for the session file.
    pub(super) agent: Option<String>,
    pub(super) bytes: Vec<u8>,
}

/// Whose transcripts a run's are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// Claude Code's: of whatever is of no other format.
    #[default]
    ClaudeCode,
    /// Codex CLI's rollout files.
    Codex,
}

/// The files of a run in the order in which they are read, in memory.
#[derive(Debug, Clone, Default)]
pub struct RunFiles {
    /// Whose transcripts they are.
    pub(super) format: Format,
    /// The session file first, then the subagent files.
    pub(super) transcripts: Vec<TranscriptFile>,
    /// The launching call's id (`toolUseId`) by agent, from the `agent-X.meta.json` files.
    pub(super) launching_calls: BTreeMap<String, String>,
}

impl RunFiles {
    /// Whose transcripts the run's are.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The bytes of each transcript, in the order in which they are read.
    pub fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.transcripts.iter().map(|file| file.bytes.as_slice())
    }
}
