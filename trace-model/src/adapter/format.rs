//! The table of formats: what each is called, and where its agent keeps transcripts. The adapters are in
//! [`registry`](super::registry); [`recognise`](super::recognise) decides a file's format.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Makes the enum, the list of all and the table from one place, so that none of them misses a format.
macro_rules! formats {
    ($($(#[doc = $doc:literal])+ $format:ident, $name:literal, $home:literal;)+) => {
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

        }
    };
}

formats! {
    /// Claude Code's session files, and what `claude -p --output-format stream-json` prints.
    ClaudeCode, "claude-code", "~/.claude/projects/<project>/<session>.jsonl";
    /// Codex CLI's rollout files, and what `codex exec --json` prints.
    Codex, "codex", "~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl";
    /// Amp's stream of messages, which is made like Claude Code's.
    Amp, "amp", "what `amp --stream-json` prints";
    /// Antigravity's steps.
    Antigravity, "antigravity", "~/.gemini/antigravity-cli/brain/<conversation>/";
    /// ATIF, an interchange format.
    Atif, "atif", "trajectory.json of a harbor run";
    /// Cline's messages.
    Cline, "cline", "~/.cline/data/";
    /// Copilot CLI's events.
    Copilot, "copilot", "~/.copilot/session-state/<session>/events.jsonl";
    /// Cursor's agent transcripts, and what `cursor-agent` prints.
    Cursor, "cursor", "~/.cursor/projects/<project>/agent-transcripts/";
    /// Droid's session files and stream.
    Droid, "droid", "~/.factory/sessions/<project>/<session>.jsonl";
    /// Gemini CLI's sessions.
    GeminiCli, "gemini-cli", "~/.gemini/tmp/<project>/chats/session-*.json";
    /// Grok's chat history.
    Grok, "grok", "~/.grok/sessions/<project>/<session>/chat_history.jsonl";
    /// Hermes's sessions.
    Hermes, "hermes", "~/.hermes/sessions/";
    /// Inspect's logs of evaluations.
    Inspect, "inspect", "logs/*.eval and logs/*.json of an evaluation";
    /// Kimi's protocol.
    Kimi, "kimi", "~/.kimi-code/sessions/ and ~/.kimi/sessions/";
    /// mini-SWE-agent's trajectories.
    MiniSweAgent, "mini-swe-agent", "*.traj.json of a run";
    /// `OpenClaw`'s sessions.
    OpenClaw, "openclaw", "~/.openclaw/agents/<agent>/sessions/<session>.jsonl";
    /// `OpenCode`'s storage.
    OpenCode, "opencode", "~/.local/share/opencode/storage/";
    /// `OpenHands`'s events.
    OpenHands, "openhands", "~/.openhands/conversations/";
    /// OpenTelemetry's spans and logs.
    Otel, "otel", "what a collector's file exporter writes";
    /// Qwen Code's chats, which are made like Claude Code's.
    QwenCode, "qwen-code", "~/.qwen/projects/<project>/chats/<session>.jsonl";
    /// SWE-agent's trajectories.
    SweAgent, "swe-agent", "trajectories/<user>/<run>/*.traj";
    /// tau2's simulations.
    Tau2, "tau2", "data/simulations/ of a checkout";
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
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
