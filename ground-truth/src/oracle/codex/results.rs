//! What a result says: its text, and how its call ended.
//!
//! `docs/formats/codex.md`, "Calls and their results".

use super::super::json::Node;
use super::super::parse::{Json, Kind, first_value};
use super::super::tool_call::CallState;
use super::record::Record;

/// How outputs start that have a head before their text.
const HEADS: [&str; 4] = ["Command: ", "Chunk ID: ", "Wall time: ", "Exit code: "];

/// How the raw text of a denied call starts.
const DENIALS: [&str; 6] = [
    "exec command rejected",
    "patch rejected",
    "rejected by user",
    "user rejected",
    "user cancelled",
    "approval policy is ",
];

/// How the raw text of a failed call starts.
const FAILURES: [&str; 5] = [
    "failed to ",
    "unsupported call",
    "unsupported custom tool call",
    "execution error",
    "exec_command failed",
];

/// The most characters before the colon of a line such as `apply_patch verification failed: ...`.
const LONGEST_FAILURE: usize = 60;

/// A result, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResultText {
    raw: String,
    pub(super) text: String,
    exit_code: Option<i128>,
}

impl ResultText {
    /// Reads the payload of a result.
    pub(super) fn of(payload: &Node) -> Self {
        let raw = match payload.string("type").as_deref() {
            Some("tool_search_output") => payload.get("tools").map(|it| it.raw().to_owned()),
            _ => payload.get("output").map(|output| raw_text(&output)),
        };
        Self::of_raw(raw.unwrap_or_default())
    }

    fn of_raw(raw: String) -> Self {
        let (text, exit_code) =
            wrapped(&raw).or_else(|| headed(&raw)).unwrap_or_else(|| (raw.clone(), None));
        let text = match exit_code {
            Some(code) if code != 0 && text.trim().is_empty() => format!("exit code {code}"),
            _ => text,
        };
        Self { raw, text, exit_code }
    }

    /// How the call ended, by the result's payload and what the last end event of the call before it says.
    pub(super) fn outcome(&self, payload: &Node, end: Option<CallState>) -> CallState {
        self.stopped().or(end).or_else(|| stated(payload)).unwrap_or_else(|| self.by_text())
    }

    /// Rules 1 and 2.
    fn stopped(&self) -> Option<CallState> {
        let raw = self.raw.trim_start();
        let mut lines = raw.lines();
        let is_timed = lines.next().is_some_and(|line| line.starts_with("Wall time: "))
            && lines.next().is_some_and(|line| line.starts_with("aborted by user"));
        if raw.starts_with("aborted by user") || raw.trim() == "aborted" || is_timed {
            return Some(CallState::Interrupted);
        }
        let is_denied = DENIALS.iter().any(|start| raw.starts_with(start))
            || (raw.starts_with("exec_command failed") && raw.contains("Rejected("));
        is_denied.then_some(CallState::Denied)
    }

    /// Rules 5 to 7.
    fn by_text(&self) -> CallState {
        let raw = self.raw.trim_start();
        let says_failed = || {
            let line = raw.lines().next().unwrap_or_default();
            let is_short = |start: &&str| start.chars().count() <= LONGEST_FAILURE;
            let before = line.split_once(':').map(|(before, _)| before).filter(is_short);
            before.is_some_and(|before| before.ends_with(" failed"))
                || FAILURES.iter().any(|start| raw.starts_with(start))
        };
        match self.exit_code {
            Some(0) => CallState::Succeeded,
            Some(_) => CallState::Failed,
            None if says_failed() => CallState::Failed,
            None => CallState::Succeeded,
        }
    }
}

/// "A string as it is; of an array the `text` of its objects that have one, joined by a newline; of an object its
/// `content` in the same way." A number or boolean is taken by its JSON text.
fn raw_text(output: &Node) -> String {
    match &output.value().kind {
        Kind::Null => String::new(),
        Kind::Text(text) => text.clone(),
        Kind::Bool(_) | Kind::Number(_) => output.raw().to_owned(),
        Kind::List(_) => joined_texts(&output.items().unwrap_or_default()),
        Kind::Object(_) => {
            let content = output.get("content").filter(|content| !content.is_object());
            content.map(|content| raw_text(&content)).unwrap_or_default()
        }
    }
}

/// The `text` of the objects that have one, joined by newlines.
pub(super) fn joined_texts(items: &[Node]) -> String {
    let objects = items.iter().filter(|item| item.is_object());
    objects.filter_map(|item| item.string("text")).collect::<Vec<_>>().join("\n")
}

/// The text and exit code of "a JSON object with a string `output` and an object `metadata`".
fn wrapped(raw: &str) -> Option<(String, Option<i128>)> {
    let object = object_of(raw)?;
    let output = object.field("output").and_then(Json::text)?;
    let metadata = object.field("metadata").filter(|it| matches!(it.kind, Kind::Object(_)))?;
    Some((output.to_owned(), metadata.field("exit_code").and_then(Json::integer)))
}

/// The JSON object that a text is.
pub(super) fn object_of(text: &str) -> Option<Json> {
    let text = text.trim();
    let (value, length) = first_value(text)?;
    (length == text.len() && matches!(value.kind, Kind::Object(_))).then_some(value)
}

/// The text and exit code of an output with a head.
fn headed(raw: &str) -> Option<(String, Option<i128>)> {
    HEADS.iter().find(|start| raw.starts_with(**start))?;
    let lines: Vec<&str> = raw.split('\n').collect();
    let end = lines.iter().position(|line| *line == "Output:")?;
    let head = &lines[..end];
    let code = |line: &&str| {
        let code = line.strip_prefix("Process exited with code ");
        code.or_else(|| line.strip_prefix("Exit code: "))?.trim().parse::<i128>().ok()
    };
    let exit_code = head.iter().filter_map(code).next_back();
    let running = head.iter().find(|line| line.starts_with("Process running with session ID "));
    let rest = lines[end + 1..].join("\n");
    let text = running.map_or_else(|| rest.clone(), |line| format!("{line}\n{rest}"));
    Some((text, exit_code))
}

/// Rule 4: what the output itself states.
fn stated(payload: &Node) -> Option<CallState> {
    let is_search = payload.string("type").as_deref() == Some("tool_search_output");
    if is_search && payload.string("status").as_deref() == Some("failed") {
        return Some(CallState::Failed);
    }
    by_flag(payload.get("output").filter(Node::is_object)?.get("success"))
}

fn by_flag(flag: Option<Node>) -> Option<CallState> {
    match flag?.value().kind {
        Kind::Bool(true) => Some(CallState::Succeeded),
        Kind::Bool(false) => Some(CallState::Failed),
        _ => None,
    }
}

/// What an end event says of its call; it may say nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndEvent(pub(super) Option<CallState>);

/// Rule 3: the end event that a record is.
pub(super) fn end_event(record: &Record) -> Option<EndEvent> {
    if record.kind() != "event_msg" {
        return None;
    }
    let payload = record.payload()?;
    match record.payload_kind().as_str() {
        "exec_command_end" | "patch_apply_end" => Some(EndEvent(end_of_command(&payload))),
        "mcp_tool_call_end" => Some(EndEvent(end_of_mcp(&payload))),
        _ => None,
    }
}

fn end_of_command(payload: &Node) -> Option<CallState> {
    match payload.string("status").as_deref() {
        Some("declined") => return Some(CallState::Denied),
        Some("failed") => return Some(CallState::Failed),
        Some("completed") => return Some(CallState::Succeeded),
        _ => {}
    }
    let code = payload.get("exit_code").and_then(|code| code.value().integer());
    let flag = by_flag(payload.get("success"));
    if code.is_some_and(|code| code != 0) || flag == Some(CallState::Failed) {
        Some(CallState::Failed)
    } else if code == Some(0) || flag == Some(CallState::Succeeded) {
        Some(CallState::Succeeded)
    } else {
        None
    }
}

fn end_of_mcp(payload: &Node) -> Option<CallState> {
    let Kind::Object(result) = &payload.get("result")?.value().kind else { return None };
    let is_error = |ok: &Json| {
        let is_true = |key| ok.field(key).is_some_and(|it| it.kind == Kind::Bool(true));
        is_true("isError") || is_true("is_error")
    };
    if result.contains_key("Err") {
        return Some(CallState::Failed);
    }
    let ok = result.get("Ok")?;
    Some(if is_error(ok) { CallState::Failed } else { CallState::Succeeded })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (String, CallState) {
        let result = ResultText::of_raw(raw.to_owned());
        let state = result.stopped().unwrap_or_else(|| result.by_text());
        (result.text, state)
    }

    #[test]
    fn the_head_of_an_output_is_no_text() {
        use CallState::{Failed, Succeeded};
        for (raw, text, state) in [
            ("plain", "plain", Succeeded),
            ("Exit code: 0\nWall time: 1 s\nOutput:\na\nb", "a\nb", Succeeded),
            ("Exit code: 3\nWall time: 1 s\nOutput:\n \n", "exit code 3", Failed),
            ("Chunk ID: 1\nProcess exited with code 1\nOutput:\nno", "no", Failed),
            (
                "Chunk ID: 1\nProcess running with session ID 5\nOutput:\nyet",
                "Process running with session ID 5\nyet",
                Succeeded,
            ),
            ("Exit code: 3\nno output", "Exit code: 3\nno output", Succeeded),
            (r#"{"output":"a","metadata":{"exit_code":2}}"#, "a", Failed),
            (r#"{"output":"a"}"#, r#"{"output":"a"}"#, Succeeded),
            ("apply_patch verification failed: x", "apply_patch verification failed: x", Failed),
            ("failed to parse", "failed to parse", Failed),
        ] {
            assert_eq!(read(raw), (text.to_owned(), state), "{raw}");
        }
    }

    #[test]
    fn a_person_stops_and_refuses() {
        for raw in [" aborted by user after 1 s", "aborted\n", "Wall time: 1 s\naborted by user"] {
            assert_eq!(read(raw).1, CallState::Interrupted, "{raw}");
        }
        for raw in ["patch rejected", "exec_command failed: Rejected(\"no\")"] {
            assert_eq!(read(raw).1, CallState::Denied, "{raw}");
        }
        assert_eq!(read("exec_command failed: gone").1, CallState::Failed);
    }
}
