//! The registry of adapters: a line an agent. Whoever has a format asks it for what reads that.

use serde::Serialize;

use super::boundary::{Adapter, AdapterRef};
use super::claude_code::ClaudeCode;
use super::codex::Codex;
use super::format::Format;

/// How far a format is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FormatSupport {
    /// Read in full.
    Full,
    /// Recognised, so that the error can name it, but not read.
    RecognisedOnly,
}

impl Format {
    /// What reads it, where something does.
    pub fn adapter(self) -> Option<AdapterRef> {
        let adapter: &'static dyn Adapter = match self {
            Self::ClaudeCode => &ClaudeCode,
            Self::Codex => &Codex,
            _ => return None,
        };
        Some(AdapterRef(adapter))
    }

    /// How far it is supported.
    pub fn support(self) -> FormatSupport {
        if self.adapter().is_some() { FormatSupport::Full } else { FormatSupport::RecognisedOnly }
    }
}

impl AdapterRef {
    /// The adapter of what the corpus generator, the recorder of CONTINUE and the reference run write.
    pub const GENERATED: Self = Self(&ClaudeCode);

    /// All adapters, in the order of their formats.
    pub fn all() -> impl Iterator<Item = Self> {
        Format::ALL.into_iter().filter_map(Format::adapter)
    }
}
