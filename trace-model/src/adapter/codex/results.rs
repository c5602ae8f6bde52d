//! What tools answered: the text without what the client puts around it, and how the call ended.

use std::borrow::Cow;

use crate::adapter::lenient::{AnyField, Field, ObjectOnly, Shape, lenient_object};
use crate::event::Outcome;

use super::shape::{Content, Payload, Text, plain, read, read_text};

/// What the answer of a command starts with.
const HEADS: [&str; 4] = ["Command: ", "Chunk ID: ", "Wall time: ", "Exit code: "];
/// The line that ends what stands before a command's output.
const OUTPUT: &str = "Output:";
/// What the line starts with that says how a command ended.
const ENDS: [&str; 2] = ["Process exited with code ", "Exit code: "];
/// What the line starts with that says that a command goes on.
const RUNNING: &str = "Process running with session ID ";
/// What the answer of a refused call starts with.
const DENIALS: [&str; 6] = [
    "exec command rejected",
    "patch rejected",
    "rejected by user",
    "user rejected",
    "user cancelled",
    "approval policy is ",
];
/// What the answer of a call starts with that a person stopped.
const ABORTED: &str = "aborted by user";
/// What the answer of a call starts with that could not be made.
const FAILURES: [&str; 5] = [
    "failed to ",
    "unsupported call",
    "unsupported custom tool call",
    "execution error",
    "exec_command failed",
];
/// The longest name before `failed:`.
const LONGEST_NAME: usize = 60;

/// A tool's answer.
pub(super) struct Answer<'a> {
    /// What it says.
    pub(super) text: Text<'a>,
    /// How the call ended.
    pub(super) outcome: Outcome,
}

lenient_object! {
    /// An output that is an object.
    OutputObject {
        "content" => content: Field<Content<'de>>,
        "success" => success: Field<bool>,
    }
}

/// `output` of a result.
enum Output<'a> {
    Content(Content<'a>),
    Object(OutputObject<'a>),
}

impl<'de> Shape<'de> for Output<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(Self::Content(Content::Text(v)))
    }
    fn from_seq<A: serde::de::SeqAccess<'de>>(seq: A) -> Result<Field<Self>, A::Error> {
        let field = Content::from_seq(seq)?;
        Ok(Field { value: field.value.map(Self::Content), odd: field.odd })
    }
    fn from_map<A: serde::de::MapAccess<'de>>(map: A) -> Result<Field<Self>, A::Error> {
        let field = OutputObject::from_map(map)?;
        Ok(Field { value: field.value.map(Self::Object), odd: field.odd })
    }
}

lenient_object! {
    /// An output that is wrapped in JSON.
    Wrapped {
        "output" => output: crate::adapter::lenient::TextOnly<'de>,
        "metadata" => metadata: ObjectOnly<Metadata<'de>>,
    }
}

lenient_object! {
    /// `metadata` of a wrapped output.
    Metadata { "exit_code" => exit_code: AnyField<'de> }
}

/// Reads a result; `stated` is what an event before it says of how the call ended.
pub(super) fn answer<'a>(payload: &Payload<'a>, stated: Option<Outcome>) -> Answer<'a> {
    if payload.kind.value.as_deref() == Some("tool_search_output") {
        let text = payload.tools.0.map_or("", |tools| tools.get());
        let failed = payload.status.0.as_deref() == Some("failed");
        let success = failed.then_some(false);
        return Answer { text: Cow::Borrowed(text), outcome: outcome("", stated, success, None) };
    }
    let (raw, success) = match read::<Output<'a>>(payload.output) {
        Some(Output::Content(content)) => (content.into_text(), None),
        Some(Output::Object(object)) => {
            let content = object.content.value.map_or(Cow::Borrowed(""), Content::into_text);
            (content, object.success.value)
        }
        None => (Cow::Borrowed(""), None),
    };
    let Undressed { text, exit_code } = undress(&raw);
    let outcome = outcome(&raw, stated, success, exit_code);
    let text = text.map_or(raw, Cow::Owned);
    Answer { text, outcome }
}

/// What stands in the client's wrapping.
struct Undressed {
    /// The text; `None` where there is no wrapping.
    text: Option<String>,
    /// How the command ended.
    exit_code: Option<i64>,
}

fn undress(raw: &str) -> Undressed {
    let (text, exit_code) = if let Some(wrapped) = wrapped(raw) {
        wrapped
    } else if let Some(headed) = headed(raw) {
        headed
    } else {
        return Undressed { text: None, exit_code: None };
    };
    let text = match exit_code {
        Some(code) if code != 0 && text.trim().is_empty() => format!("exit code {code}"),
        _ => text,
    };
    Undressed { text: Some(text), exit_code }
}

fn wrapped(raw: &str) -> Option<(String, Option<i64>)> {
    if !raw.trim_start().starts_with('{') {
        return None;
    }
    let wrapped: Wrapped<'_> = read_text(raw)?;
    let exit_code = plain(wrapped.metadata.0?.exit_code);
    Some((wrapped.output.0?.into_owned(), exit_code))
}

fn headed(raw: &str) -> Option<(String, Option<i64>)> {
    if !HEADS.iter().any(|head| raw.starts_with(head)) {
        return None;
    }
    let mut exit_code = None;
    let mut running = None;
    let mut rest = raw;
    loop {
        let (line, after) = rest.split_once('\n').map_or((rest, None), |(l, a)| (l, Some(a)));
        if line == OUTPUT {
            let output = after.unwrap_or_default();
            let text =
                running.map_or_else(|| output.to_owned(), |line| format!("{line}\n{output}"));
            return Some((text, exit_code));
        }
        let ended = ENDS.iter().find_map(|end| line.strip_prefix(end)?.parse().ok());
        exit_code = ended.or(exit_code);
        if running.is_none() && line.starts_with(RUNNING) {
            running = Some(line);
        }
        rest = after?;
    }
}

fn outcome(
    raw: &str,
    stated: Option<Outcome>,
    success: Option<bool>,
    exit_code: Option<i64>,
) -> Outcome {
    let said = raw.trim_start();
    let ended_well = |well: bool| if well { Outcome::Succeeded } else { Outcome::Failed };
    if is_aborted(said) {
        Outcome::Interrupted
    } else if is_denied(said) {
        Outcome::Denied
    } else if let Some(stated) = stated {
        stated
    } else if let Some(success) = success {
        ended_well(success)
    } else if let Some(code) = exit_code {
        ended_well(code == 0)
    } else {
        ended_well(!is_failure(said))
    }
}

fn is_aborted(said: &str) -> bool {
    let timed = said
        .split_once('\n')
        .is_some_and(|(first, rest)| first.starts_with("Wall time: ") && rest.starts_with(ABORTED));
    said.starts_with(ABORTED) || said.trim_end() == "aborted" || timed
}

fn is_denied(said: &str) -> bool {
    DENIALS.iter().any(|denial| said.starts_with(denial))
        || (said.starts_with("exec_command failed") && said.contains("Rejected("))
}

fn is_failure(said: &str) -> bool {
    let first = said.lines().next().unwrap_or_default();
    let named = first
        .split_once(':')
        .is_some_and(|(name, _)| name.ends_with(" failed") && name.chars().count() <= LONGEST_NAME);
    named || FAILURES.iter().any(|failure| said.starts_with(failure))
}

lenient_object! {
    /// `result` of an MCP call that ended.
    McpResult {
        "Ok" => ok: ObjectOnly<McpAnswer<'de>>,
        "Err" => error: AnyField<'de>,
    }
}

lenient_object! {
    /// What an MCP server answered.
    McpAnswer {
        "isError" => is_error: Field<bool>,
        "is_error" => is_error_snake: Field<bool>,
    }
}

/// What an event says of how a call ended, if it does.
pub(super) fn stated(kind: &str, payload: &Payload<'_>) -> Option<Outcome> {
    if kind == "mcp_tool_call_end" {
        let result: McpResult<'_> = read(payload.result)?;
        if result.error.0.is_some() {
            return Some(Outcome::Failed);
        }
        let answer = result.ok.0?;
        let is_error =
            answer.is_error.value == Some(true) || answer.is_error_snake.value == Some(true);
        return Some(if is_error { Outcome::Failed } else { Outcome::Succeeded });
    }
    if !matches!(kind, "exec_command_end" | "patch_apply_end") {
        return None;
    }
    match payload.status.0.as_deref() {
        Some("declined") => return Some(Outcome::Denied),
        Some("failed") => return Some(Outcome::Failed),
        Some("completed") => return Some(Outcome::Succeeded),
        _ => {}
    }
    let (code, success) = (plain::<i64>(payload.exit_code), plain::<bool>(payload.success));
    if code.is_some_and(|code| code != 0) || success == Some(false) {
        return Some(Outcome::Failed);
    }
    (code.is_some() || success.is_some()).then_some(Outcome::Succeeded)
}

#[cfg(test)]
#[allow(clippy::needless_pass_by_value, reason = "`json!` values are made to be given away")]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn is(output: Value, text: &str, outcome: Outcome) {
        let json = json!({"type": "function_call_output", "output": output}).to_string();
        let answer = answer(&read_text(&json).unwrap(), None);
        assert_eq!((answer.text.as_ref(), answer.outcome), (text, outcome));
    }

    #[test]
    fn the_head_of_a_command_tells_how_it_ended_and_is_no_text() {
        let head = |end: &str| {
            format!(
                "Command: /bin/zsh -lc 'a\nb'\nChunk ID: 1\nWall time: 0.1 seconds\n{end}\nOutput:\n"
            )
        };
        let exited =
            |code: i64| head(&format!("Process exited with code {code}\nOriginal token count: 1"));
        is(json!(exited(0) + "x = 1\n"), "x = 1\n", Outcome::Succeeded);
        is(json!(exited(2) + "no\nOutput:\n"), "no\nOutput:\n", Outcome::Failed);
        is(json!(exited(-1)), "exit code -1", Outcome::Failed);
        let running = "Process running with session ID 7";
        is(json!(head(running) + "on"), &format!("{running}\non"), Outcome::Succeeded);
        is(json!("Exit code: 1\nWall time: 0 seconds\nOutput:\nno"), "no", Outcome::Failed);
        is(json!("Wall time: 3.1 seconds\nOutput:\n[]"), "[]", Outcome::Succeeded);
        // No head: a text is what it is.
        for text in ["Output:\nx", "Chunk ID: 1\nProcess exited with code 1", "Plan updated", ""] {
            is(json!(text), text, Outcome::Succeeded);
        }
    }

    #[test]
    fn wrapped_outputs_and_lists_are_read() {
        let wrapped = |code: i64, text: &str| {
            json!(json!({"output": text, "metadata": {"exit_code": code}}).to_string())
        };
        is(wrapped(0, "ok"), "ok", Outcome::Succeeded);
        is(wrapped(1, ""), "exit code 1", Outcome::Failed);
        is(
            json!("{\"output\":\"no wrapping\"}"),
            "{\"output\":\"no wrapping\"}",
            Outcome::Succeeded,
        );
        is(json!([{"text": "a"}, {"image_url": "b"}, {"text": "c"}]), "a\nc", Outcome::Succeeded);
        is(json!({"content": "a", "success": false}), "a", Outcome::Failed);
        is(json!({"content": [{"text": "b"}], "success": true}), "b", Outcome::Succeeded);
        is(json!(12), "", Outcome::Succeeded);
    }

    #[test]
    fn refusals_interruptions_and_failures_are_told_by_their_words() {
        let cases = [
            (Outcome::Interrupted, "aborted by user after 3.2s"),
            (Outcome::Interrupted, "aborted"),
            (Outcome::Interrupted, "Wall time: 1.5 seconds\naborted by user"),
            (Outcome::Denied, "exec command rejected by user"),
            (Outcome::Denied, "patch rejected by user"),
            (
                Outcome::Denied,
                "exec_command failed for `x`: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }",
            ),
            (Outcome::Failed, "exec_command failed for `x`: no such file"),
            (Outcome::Failed, "failed to parse function arguments: EOF while parsing an object"),
            (Outcome::Failed, "apply_patch verification failed: invalid hunk at line 11"),
            (Outcome::Failed, "collab spawn failed: agent thread limit reached (max 6)"),
            (Outcome::Failed, "resources/list failed: unknown MCP server 'x'"),
            (Outcome::Failed, "unsupported call: frobnicate"),
            (Outcome::Succeeded, "aborted mission"),
            (Outcome::Succeeded, "The build passed, nothing failed"),
        ];
        for (outcome, text) in cases {
            is(json!(text), text, outcome);
        }
    }

    #[test]
    fn events_say_how_calls_ended() {
        let said = |json: Value| {
            let json = json.to_string();
            let payload: Payload<'_> = read_text(&json).unwrap();
            stated(payload.kind.value.as_deref().unwrap(), &payload)
        };
        let patch = |rest: Value| {
            let mut event = json!({"type": "patch_apply_end"});
            event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            event
        };
        assert_eq!(said(patch(json!({"status": "declined"}))), Some(Outcome::Denied));
        assert_eq!(said(patch(json!({"success": false}))), Some(Outcome::Failed));
        assert_eq!(said(patch(json!({"success": true}))), Some(Outcome::Succeeded));
        assert_eq!(said(patch(json!({}))), None);
        let exec = json!({"type": "exec_command_end", "exit_code": 127});
        assert_eq!(said(exec), Some(Outcome::Failed));
        let mcp = |result: Value| json!({"type": "mcp_tool_call_end", "result": result});
        assert_eq!(said(mcp(json!({"Err": "no"}))), Some(Outcome::Failed));
        assert_eq!(said(mcp(json!({"Ok": {"isError": true}}))), Some(Outcome::Failed));
        assert_eq!(said(mcp(json!({"Ok": {"content": []}}))), Some(Outcome::Succeeded));
        assert_eq!(said(mcp(Value::Null)), None);
    }
}
