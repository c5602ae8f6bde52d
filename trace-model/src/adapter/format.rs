//! The table of formats: what each is called, where its agent keeps transcripts, how far it is read. How a
//! file's format is told is in [`recognise`](super::recognise).

use serde::{Serialize, Serializer};

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
    ($($(#[doc = $doc:literal])+ $format:ident, $name:literal, $home:literal, $support:ident;)+) => {
        /// A transcript format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Format {
            $($(#[doc = $doc])+ $format,)+
        }

        impl Format {
            /// All formats that can be told.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$format),+];

            /// The format's name in arguments and output.
            pub fn name(self) -> &'static str {
                match self { $(Self::$format => $name,)+ }
            }

            /// Where its agent keeps transcripts.
            pub fn home(self) -> &'static str {
                match self { $(Self::$format => $home,)+ }
            }

            /// How far it is supported.
            pub fn support(self) -> FormatSupport {
                match self { $(Self::$format => FormatSupport::$support,)+ }
            }
        }
    };
}

formats! {
    /// Claude Code's session files, and what `claude -p --output-format stream-json` prints.
    ClaudeCode, "claude-code", "~/.claude/projects/<project>/<session>.jsonl", Full;
    /// Codex CLI's rollout files, and what `codex exec --json` prints.
    Codex, "codex", "~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl", RecognisedOnly;
    /// Amp's stream of messages, which is made like Claude Code's.
    Amp, "amp", "what `amp --stream-json` prints", RecognisedOnly;
    /// Antigravity's steps.
    Antigravity, "antigravity", "~/.gemini/antigravity-cli/brain/<conversation>/", RecognisedOnly;
    /// ATIF, an interchange format.
    Atif, "atif", "trajectory.json of a harbor run", RecognisedOnly;
    /// Cline's messages.
    Cline, "cline", "~/.cline/data/", RecognisedOnly;
    /// Copilot CLI's events.
    Copilot, "copilot", "~/.copilot/session-state/<session>/events.jsonl", RecognisedOnly;
    /// Cursor's agent transcripts, and what `cursor-agent` prints.
    Cursor, "cursor", "~/.cursor/projects/<project>/agent-transcripts/", RecognisedOnly;
    /// Droid's session files and stream.
    Droid, "droid", "~/.factory/sessions/<project>/<session>.jsonl", RecognisedOnly;
    /// Gemini CLI's sessions.
    GeminiCli, "gemini-cli", "~/.gemini/tmp/<project>/chats/session-*.json", RecognisedOnly;
    /// Grok's chat history.
    Grok, "grok", "~/.grok/sessions/<project>/<session>/chat_history.jsonl", RecognisedOnly;
    /// Hermes's sessions.
    Hermes, "hermes", "~/.hermes/sessions/", RecognisedOnly;
    /// Inspect's logs of evaluations.
    Inspect, "inspect", "logs/*.eval and logs/*.json of an evaluation", RecognisedOnly;
    /// Kimi's protocol.
    Kimi, "kimi", "~/.kimi-code/sessions/ and ~/.kimi/sessions/", RecognisedOnly;
    /// mini-SWE-agent's trajectories.
    MiniSweAgent, "mini-swe-agent", "*.traj.json of a run", RecognisedOnly;
    /// `OpenClaw`'s sessions.
    OpenClaw, "openclaw", "~/.openclaw/agents/<agent>/sessions/<session>.jsonl", RecognisedOnly;
    /// `OpenCode`'s storage.
    OpenCode, "opencode", "~/.local/share/opencode/storage/", RecognisedOnly;
    /// `OpenHands`'s events.
    OpenHands, "openhands", "~/.openhands/conversations/", RecognisedOnly;
    /// OpenTelemetry's spans and logs.
    Otel, "otel", "what a collector's file exporter writes", RecognisedOnly;
    /// Qwen Code's chats, which are made like Claude Code's.
    QwenCode, "qwen-code", "~/.qwen/projects/<project>/chats/<session>.jsonl", RecognisedOnly;
    /// SWE-agent's trajectories.
    SweAgent, "swe-agent", "trajectories/<user>/<run>/*.traj", RecognisedOnly;
    /// tau2's simulations.
    Tau2, "tau2", "data/simulations/ of a checkout", RecognisedOnly;
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
