//! The table of formats: what each is called, where its agent keeps transcripts, and the adapter that reads it.
//! [`recognise`](super::recognise) decides a file's format.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::boundary::{Adapter, AdapterRef};
use super::claude_code::ClaudeCode;
use super::codex::Codex;

/// How far a format is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FormatSupport {
    /// Read in full.
    Full,
    /// Recognised, so that the error can name it, but not read.
    RecognisedOnly,
}

/// Makes the enum, the list of all and the table from one place, so that none of them misses a format.
macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $format:ident, $name:literal, $home:literal, $adapter:expr;)+) => {
        /// A transcript format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Format {
            $($(#[doc = $doc])+ $format,)+
        }

        impl Format {
            /// All recognisable formats.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$format),+];

            /// The format's name in arguments and output.
            pub fn name(self) -> &'static str {
                match self { $(Self::$format => $name,)+ }
            }

            /// Where its agent keeps transcripts.
            pub fn home(self) -> &'static str {
                match self { $(Self::$format => $home,)+ }
            }

            /// What reads it, where something does.
            pub fn adapter(self) -> Option<AdapterRef> {
                let adapter: Option<&'static dyn Adapter> =
                    match self { $(Self::$format => $adapter,)+ };
                adapter.map(AdapterRef)
            }
        }
    };
}

formats! {
    /// Claude Code's session files, and what `claude -p --output-format stream-json` prints.
    ClaudeCode, "claude-code", "~/.claude/projects/<project>/<session>.jsonl", Some(&ClaudeCode);
    /// Codex CLI's rollout files, and what `codex exec --json` prints.
    Codex, "codex", "~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl", Some(&Codex);
    /// Amp's stream of messages, which is made like Claude Code's.
    Amp, "amp", "what `amp --stream-json` prints", None;
    /// Antigravity's steps.
    Antigravity, "antigravity", "~/.gemini/antigravity-cli/brain/<conversation>/", None;
    /// ATIF, an interchange format.
    Atif, "atif", "trajectory.json of a harbor run", None;
    /// Cline's messages.
    Cline, "cline", "~/.cline/data/", None;
    /// Copilot CLI's events.
    Copilot, "copilot", "~/.copilot/session-state/<session>/events.jsonl", None;
    /// Cursor's agent transcripts, and what `cursor-agent` prints.
    Cursor, "cursor", "~/.cursor/projects/<project>/agent-transcripts/", None;
    /// Droid's session files and stream.
    Droid, "droid", "~/.factory/sessions/<project>/<session>.jsonl", None;
    /// Gemini CLI's sessions.
    GeminiCli, "gemini-cli", "~/.gemini/tmp/<project>/chats/session-*.json", None;
    /// Grok's chat history.
    Grok, "grok", "~/.grok/sessions/<project>/<session>/chat_history.jsonl", None;
    /// Hermes's sessions.
    Hermes, "hermes", "~/.hermes/sessions/", None;
    /// Inspect's logs of evaluations.
    Inspect, "inspect", "logs/*.eval and logs/*.json of an evaluation", None;
    /// Kimi's protocol.
    Kimi, "kimi", "~/.kimi-code/sessions/ and ~/.kimi/sessions/", None;
    /// mini-SWE-agent's trajectories.
    MiniSweAgent, "mini-swe-agent", "*.traj.json of a run", None;
    /// `OpenClaw`'s sessions.
    OpenClaw, "openclaw", "~/.openclaw/agents/<agent>/sessions/<session>.jsonl", None;
    /// `OpenCode`'s storage.
    OpenCode, "opencode", "~/.local/share/opencode/storage/", None;
    /// `OpenHands`'s events.
    OpenHands, "openhands", "~/.openhands/conversations/", None;
    /// OpenTelemetry's spans and logs.
    Otel, "otel", "what a collector's file exporter writes", None;
    /// Qwen Code's chats, which are made like Claude Code's.
    QwenCode, "qwen-code", "~/.qwen/projects/<project>/chats/<session>.jsonl", None;
    /// SWE-agent's trajectories.
    SweAgent, "swe-agent", "trajectories/<user>/<run>/*.traj", None;
    /// tau2's simulations.
    Tau2, "tau2", "data/simulations/ of a checkout", None;
}

impl Format {
    /// How far it is supported.
    pub fn support(self) -> FormatSupport {
        if self.adapter().is_some() { FormatSupport::Full } else { FormatSupport::RecognisedOnly }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
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

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::named(&name).ok_or_else(|| de::Error::custom(format!("no format is called {name}")))
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
