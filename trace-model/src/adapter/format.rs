//! Which agent wrote a transcript: told from what several of its records look like, never from the
//! first line alone (real files start with all sorts of bookkeeping).

use serde::Serialize;
use serde_json::Value;

use super::claude_code;

/// How far a format is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FormatSupport {
    /// Read in full.
    Full,
    /// Recognised, so that the error can name it, but not read.
    RecognisedOnly,
}

/// A transcript format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Claude Code's session files.
    ClaudeCode,
    /// Codex CLI's rollout files.
    Codex,
}

impl Format {
    /// All formats that [`sniff`] can tell.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// The format's name in arguments and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// Where its agent keeps transcripts.
    pub fn home(self) -> &'static str {
        match self {
            Self::ClaudeCode => "~/.claude/projects/<project>/<session>.jsonl",
            Self::Codex => "~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl",
        }
    }

    /// How far it is supported.
    pub fn support(self) -> FormatSupport {
        match self {
            Self::ClaudeCode => FormatSupport::Full,
            Self::Codex => FormatSupport::RecognisedOnly,
        }
    }
}

/// How many complete lines are looked at.
const SNIFFED_LINES: usize = 64;

/// Tells the format from the head of a file; `None` if no record looks like one of the known ones.
pub fn sniff(head: &[u8]) -> Option<Format> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let votes: Vec<Format> = head
        .split(|byte| *byte == b'\n')
        .take(SNIFFED_LINES)
        .filter_map(|line| {
            let text = String::from_utf8_lossy(line);
            serde_json::Deserializer::from_str(&text).into_iter::<Value>().next()?.ok()
        })
        .filter_map(|value| vote(&value))
        .collect();
    Format::ALL
        .into_iter()
        .max_by_key(|format| {
            let count = votes.iter().filter(|vote| *vote == format).count();
            (count, std::cmp::Reverse(format.name()))
        })
        .filter(|format| votes.contains(format))
}

fn vote(value: &Value) -> Option<Format> {
    let kind = value.get("type")?.as_str()?;
    let codex = matches!(
        kind,
        "session_meta" | "event_msg" | "response_item" | "turn_context" | "compacted"
    );
    if codex && value.get("payload").is_some() {
        return Some(Format::Codex);
    }
    let claude = match kind {
        "user" | "assistant" => value.get("message").is_some(),
        _ => claude_code::is_known_type(kind),
    };
    claude.then_some(Format::ClaudeCode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_does_not_decide() {
        let head = b"{\"type\":\"queue-operation\",\"operation\":\"enqueue\"}\nnoise\n\
            {\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n";
        assert_eq!(sniff(head), Some(Format::ClaudeCode));
    }

    #[test]
    fn codex_and_strangers_are_told_apart() {
        assert_eq!(
            sniff(b"{\"type\":\"session_meta\",\"payload\":{\"id\":\"x\"}}\n"),
            Some(Format::Codex)
        );
        assert_eq!(sniff(b"{\"hello\":1}\n[]\nnot json\n"), None);
        assert_eq!(sniff(b""), None);
    }
}
