use std::cell::Cell;
use std::io::{self, Read};

use super::*;
use Format as F;

fn told(text: impl AsRef<[u8]>) -> Recognised {
    recognise(text.as_ref()).unwrap()
}

#[track_caller]
fn is(format: Format, text: impl AsRef<[u8]>) {
    let text = text.as_ref();
    let line = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
    assert_eq!(told(text), Recognised::As(format), "{line}");
}

const PROMPT: &str =
    r#"{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":"hi"}}"#;

#[test]
fn the_first_line_does_not_decide() {
    is(F::ClaudeCode, format!("{{\"type\":\"queue-operation\"}}\nnoise\n{PROMPT}\n"));
    is(F::ClaudeCode, format!("{{\"no\":1}}\n\n{PROMPT}\n{PROMPT}\n"));
    // Qwen Code's first record could be Claude Code's, the second could not.
    is(
        F::QwenCode,
        r#"{"type":"system","uuid":"a","sessionId":"s","subtype":"x"}
{"type":"user","uuid":"b","sessionId":"s","message":{"role":"user","parts":[{"text":"hi"}]}}"#,
    );
}

#[test]
fn claude_codes_own_files_are_accepted() {
    let cases = [
        // Older clients, files of bookkeeping alone, an agent's file.
        r#"{"type":"summary","summary":"x","leafUuid":"l"}"#,
        r#"{"type":"file-history-snapshot","messageId":"m","snapshot":{}}"#,
        r#"{"type":"permission-mode","permissionMode":"plan","sessionId":"s"}"#,
        r#"{"type":"user","message":{"role":"user","content":"hi"}}"#,
        r#"{"type":"user","message":"hi","sessionId":"s"}"#,
        r#"{"type":"user","isSidechain":true,"agentId":"a","message":{"role":"user","content":[]}}"#,
        r#"{"type":"system","subtype":"x","isSidechain":false,"uuid":"u","sessionId":"s"}"#,
        // What the client prints.
        r#"{"type":"system","subtype":"init","session_id":"s","uuid":"u","tools":[]}"#,
        r#"{"type":"assistant","session_id":"s","message":{"role":"assistant","content":[],"usage":{}}}"#,
        r#"{"type":"result","subtype":"success","session_id":"s","num_turns":1,"total_cost_usd":0.1}"#,
    ];
    for line in cases {
        is(F::ClaudeCode, line);
        is(F::ClaudeCode, format!("\u{feff}{line}\r\n{line}\r\n"));
        is(F::ClaudeCode, format!("{line}{line}\n"));
    }
}

#[test]
fn look_alikes_are_told_by_what_they_have_of_their_own() {
    let cases = [
        (F::Codex, r#"{"type":"session_meta","payload":{"id":"x"}}"#),
        (F::Codex, r#"{"type":"item.completed","item":{"id":"i"}}"#),
        (
            F::QwenCode,
            r#"{"type":"user","uuid":"q","parentUuid":null,"sessionId":"s","message":{"role":"user","parts":[]}}"#,
        ),
        (
            F::QwenCode,
            r#"{"type":"system","subtype":"init","uuid":"q","session_id":"s","tools":[],"mcp_servers":[],"permission_mode":"x"}"#,
        ),
        (F::Amp, r#"{"type":"user","message":{"role":"user","content":[]},"session_id":"T-1"}"#),
        (
            F::Droid,
            r#"{"type":"system","subtype":"init","sessionId":"s","timestamp":1,"tools":[],"id":"x"}"#,
        ),
        (F::Droid, r#"{"type":"session_start","id":"x","cwd":"/w"}"#),
        (F::OpenClaw, r#"{"type":"session","id":"x","version":3,"timestamp":"t"}"#),
        (F::Cursor, r#"{"role":"user","message":{"content":[{"type":"text","text":"x"}]}}"#),
        (F::Grok, r#"{"type":"user","content":[],"prompt_index":0}"#),
        (F::Copilot, r#"{"type":"user.message","data":{"content":"x"},"id":"e"}"#),
        (F::Kimi, r#"{"type":"metadata","protocol_version":"1.4"}"#),
        (F::Antigravity, r#"{"step_index":0,"source":"MODEL","type":"X","status":"DONE"}"#),
        (F::OpenHands, r#"[{"id":0,"source":"user","action":"message","args":{}}]"#),
        (F::GeminiCli, r#"{"sessionId":"s","projectHash":"h","messages":[]}"#),
        (F::OpenCode, r#"{"id":"m","sessionID":"s","role":"user"}"#),
        (F::SweAgent, r#"{"history":[{"role":"system","content":"x","agent":"main"}]}"#),
        (F::MiniSweAgent, r#"{"info":{"mini_version":"1"},"messages":[]}"#),
        (F::Atif, "{\n  \"schema_version\": \"ATIF-v1.5\",\n  \"steps\": []\n}\n"),
        (F::Inspect, r#"{"version":2,"status":"success","eval":{"run_id":"r"}}"#),
        (F::Inspect, "PK\u{3}\u{4}0000_journal/start.json"),
        (F::Hermes, r#"{"platform":"cli","session_start":"t","messages":[]}"#),
        (F::Otel, r#"{"resourceLogs":[]}"#),
        (F::Cline, r#"{"version":1,"messages":[{"role":"user","content":[],"ts":1}]}"#),
        (F::Tau2, r#"{"task_id":"1","termination_reason":"x","ticks":[]}"#),
    ];
    for (format, text) in cases {
        is(format, text);
        is(format, format!("{text}\n"));
    }
}

#[test]
fn in_doubt_both_are_named() {
    let message =
        r#"{"type":"message","id":"m","parentId":"p","message":{"role":"user","content":[]}}"#;
    assert_eq!(told(message), Recognised::Doubtful(vec![F::Droid, F::OpenClaw]));
    let system = r#"{"type":"system","subtype":"x","uuid":"u","sessionId":"s"}"#;
    assert_eq!(told(system), Recognised::Doubtful(vec![F::ClaudeCode, F::QwenCode]));
    let codex = r#"{"type":"session_meta","payload":{}}"#;
    let mixed = format!("{PROMPT}\n{codex}\n");
    assert_eq!(told(mixed), Recognised::Doubtful(vec![F::ClaudeCode, F::Codex]));
}

#[test]
fn strangers_are_unknown() {
    for text in ["", "\n\n", "dear diary\n", "{\"hello\":1}\n[]\nnot json\n", "{", "[[[[", "\0\0\0"]
    {
        assert_eq!(told(text), Recognised::Unknown, "{text}");
    }
    assert_eq!(told("[".repeat(100_000)), Recognised::Unknown);
    assert_eq!(told(format!("{{\"a\":{PROMPT}}}")), Recognised::Unknown);
}

#[test]
fn damaged_lines_are_read_as_the_reader_reads_them() {
    let half = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"x \ud83d"}}"#;
    is(F::ClaudeCode, half);
    is(F::ClaudeCode, half.replace("content", "content\\ud83d"));
    is(F::ClaudeCode, half.replace("user\",\"content", "us\\udc00er\",\"content"));
    let bytes: Vec<u8> = PROMPT.bytes().map(|b| if b == b'h' { 0xE9 } else { b }).collect();
    is(F::ClaudeCode, bytes);
    is(F::ClaudeCode, format!("{{\"type\":\"assistant\",\"mess{PROMPT}\n"));
    is(F::ClaudeCode, PROMPT.replace("\"hi\"", "1e999"));
    // A torn first line makes no document of the file.
    is(F::ClaudeCode, format!("{}\n{PROMPT}\n", &PROMPT[..40]));
}

/// Counts what is read of it.
struct Counted<'a>(&'a [u8], &'a Cell<usize>);

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.set(self.1.get() + read);
        Ok(read)
    }
}

#[test]
fn no_more_is_read_than_it_takes() {
    let read = |text: String| {
        let count = Cell::new(0);
        let told = recognise(Counted(text.as_bytes(), &count)).unwrap();
        (told, count.get())
    };
    let long = PROMPT.replace("hi", &"x".repeat(4 * 1024 * 1024));
    let own_last = r#"{"message":{"role":"user","content":"#.to_owned()
        + &format!("\"{}\"}},\"type\":\"user\",\"uuid\":\"u\"}}", "x".repeat(3 * 1024 * 1024));
    assert_eq!(read(PROMPT.to_owned() + "\n" + &long), (Recognised::As(F::ClaudeCode), 8192));
    assert_eq!(read(long), (Recognised::As(F::ClaudeCode), 8192));
    assert_eq!(read(own_last).0, Recognised::As(F::ClaudeCode));
    let strange = "{\"a\":1}\n".repeat(1024 * 1024);
    assert_eq!(read(strange), (Recognised::Unknown, 8192));
    assert_eq!(read("\0".repeat(4 * 1024 * 1024)), (Recognised::Unknown, 8192));
}

/// Hands on at most so many bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.1.min(buffer.len());
        self.0.read(&mut buffer[..size])
    }
}

#[test]
fn the_verdict_does_not_depend_on_pieces_and_what_was_read_is_handed_on() {
    let long = "x".repeat(20_000);
    let texts = [
        PROMPT.to_owned() + "\n" + PROMPT,
        format!("{{\"no\":1}}\nnoise {long}\n{PROMPT}\r\n{PROMPT}\n"),
        format!(r#"{{"type":"session_meta","payload":{{"instructions":"{long}","id":"x"}}}}"#),
        format!(r#"{{"schema_version":"ATIF-v1","steps":["{long}"]}}"#),
    ];
    for text in texts {
        for cut in (0..text.len()).step_by(text.len() / 40 + 1).chain([text.len()]) {
            let bytes = &text.as_bytes()[..cut];
            let expected = told(bytes);
            for size in [97, 4096, 1 << 20] {
                let mut head = Vec::new();
                let found = recognise_into(Pieces(bytes, size), &mut head).unwrap();
                assert_eq!(found, expected, "{cut} bytes in pieces of {size}");
                assert!(bytes.starts_with(&head) && head.is_empty() == bytes.is_empty());
            }
        }
    }
}
